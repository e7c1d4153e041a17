// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <latch>
#include <thread>

namespace soft {

// Before a test forks, it waits until its threads have begun: a thread that begins has a lock of AddressSanitizer's allocator,
// which would never be free in the child (gcc 12).

/// Whether children work here that were forked beside other threads. QEMU's user mode (7.2) ends one that starts a thread, and
/// once the child of PinsTest hung there; on x86-64, 10,000 such children went on.
inline bool forks_beside_threads_work() {
#ifdef SOFTLIB_THREAD_SANITIZER
    return true;  // it takes the probe's two threads for one
#else
    std::latch begun{1};
    std::latch end{1};
    std::thread another([&] {
        begun.count_down();
        end.wait();
    });
    begun.wait();
    const pid_t child = fork();
    if (child == 0) {
        std::thread([] {}).join();
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    end.count_down();
    another.join();
    return status == 0;
#endif
}

}  // namespace soft
