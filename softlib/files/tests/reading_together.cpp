// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Two processes, three threads in each, and a signal handler read from one open file, whose position they share: each piece of it
// goes to exactly one of them, also while soft memory vanishes. Usage: files_together FILE (which it writes). Exit status 0: so
// it was.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "softlib/heap.hpp"

namespace {

constexpr std::size_t numbers = std::size_t{1} << 19;
constexpr std::size_t max_numbers = 4096;

// Shared with the child: how often each number of the file was read, and what else went wrong.
std::atomic<unsigned char>* seen = nullptr;
std::atomic<int>* wrong = nullptr;
int file = -1;

// False at the end of the file.
bool read_some(std::size_t count) {
    std::uint64_t got[max_numbers];
    const ssize_t bytes = read(file, got, count * sizeof *got);
    if (bytes <= 0 || bytes % sizeof *got != 0) {
        *wrong += bytes == 0 ? 0 : 1;
        return false;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(bytes) / sizeof *got; ++i) {
        if (got[i] != got[0] + i || got[i] >= numbers) {
            ++*wrong;
            return true;
        }
        ++seen[got[i]];
    }
    return true;
}

void* read_all(void* argument) {
    auto pick = *static_cast<const std::uint32_t*>(argument);
    do {
        pick = pick * 1664525U + 1013904223U;
    } while (read_some(1 + (pick >> 16) % max_numbers));
    return nullptr;
}

void on_alarm(int /*signal*/) {
    const int before = errno;
    read_some(100);
    errno = before;
}

void read_in_threads(std::uint32_t seed) {
    std::array<std::uint32_t, 3> seeds{seed, seed + 1, seed + 2};
    std::array<pthread_t, 3> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        if (pthread_create(&threads[i], nullptr, read_all, &seeds[i]) != 0) {
            abort();
        }
    }
    soft::heap::process().seal();
    soft::heap::process().lose_pages(0.001, seed);
    for (const pthread_t thread : threads) {
        pthread_join(thread, nullptr);
    }
}

bool all_once() {
    for (std::size_t i = 0; i < numbers; ++i) {
        if (seen[i].exchange(0) != 1) {
            printf("number %zu was not read exactly once\n", i);
            return false;
        }
    }
    return *wrong == 0;
}

void write_file(const char* path) {
    std::vector<std::uint64_t> content(numbers);
    for (std::size_t i = 0; i < numbers; ++i) {
        content[i] = i;
    }
    const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || write(out, content.data(), numbers * sizeof(std::uint64_t)) != numbers * sizeof(std::uint64_t)) {
        perror(path);
        exit(2);
    }
    close(out);
}

}  // namespace

int main(int, char** arguments) {
    const char* path = arguments[1];
    write_file(path);
    // The heap's thread shall not run the handler: nobody would know when it has done so.
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
    soft::heap::process().follow(std::make_unique<soft::fixed_budget>(std::size_t{64} << 20));
    pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
    void* shared = mmap(nullptr, numbers + sizeof *wrong, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    wrong = static_cast<std::atomic<int>*>(shared);
    seen = reinterpret_cast<std::atomic<unsigned char>*>(wrong + 1);
    struct sigaction action {};
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    for (std::uint32_t round = 0; round < 20; ++round) {
        file = open(path, O_RDONLY);
        const pid_t child = fork();
        const itimerval often{{0, 200}, {0, 200}};
        setitimer(ITIMER_REAL, &often, nullptr);
        read_in_threads(round * 10 + (child == 0 ? 5 : 0));
        setitimer(ITIMER_REAL, nullptr, nullptr);
        if (child == 0) {
            _exit(0);
        }
        while (waitpid(child, nullptr, 0) < 0) {
        }
        close(file);
        if (!all_once()) {
            return 1;
        }
    }
    return 0;
}
