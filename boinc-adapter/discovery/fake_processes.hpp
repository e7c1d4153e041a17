// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Processes in a tree of /proc that is made for a test, and a process that locks a file as a client does.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "base/temp_tree.hpp"

namespace tmm::boinc {

// The text of /proc/PID/stat of a process that has used 5 and 6 ticks of the processor.
inline std::string stat_text(pid_t pid, const std::string& name, pid_t parent, int start = 500) {
    return std::to_string(pid) + " (" + name + ") S " + std::to_string(parent) + " 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 39 19 1 0 " +
           std::to_string(start) + " 1 2 3\n";
}

struct FakeProcess {
    pid_t pid = 0;
    int resident_kib = 0;
    int swap_kib = 0;
    pid_t parent = 1;
    std::string name = "a";
};

// Makes the process or replaces it.
inline void put_process(TempTree& tree, const FakeProcess& process) {
    const std::string folder = "proc/" + std::to_string(process.pid) + "/";
    tree.file(folder + "stat", stat_text(process.pid, process.name, process.parent));
    tree.file(folder + "status", "Name:\tx\nVmRSS:\t" + std::to_string(process.resident_kib) + " kB\nVmSwap:\t" +
                                     std::to_string(process.swap_kib) + " kB\n");
}

// Lets the process work in this directory.
inline void put_directory(TempTree& tree, pid_t pid, const std::string& directory) {
    const auto link = tree.path() / "proc" / std::to_string(pid) / "cwd";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(directory, link);
}

// A child process that locks a file until the end of the scope.
class LockingClient {
public:
    // lock_type: F_WRLCK as a client, or F_RDLCK as any reader of the file.
    explicit LockingClient(const std::filesystem::path& file, short lock_type = F_WRLCK) {
        std::array<int, 2> ready{};
        std::array<int, 2> end{};
        if (::pipe(ready.data()) != 0 || ::pipe(end.data()) != 0)
            return;
        pid_ = ::fork();
        char byte = 0;
        if (pid_ == 0) {
            ::close(end[1]);
            struct flock lock {};
            lock.l_type = lock_type;
            if (::fcntl(::open(file.c_str(), lock_type == F_WRLCK ? O_WRONLY : O_RDONLY), F_SETLK, &lock) == 0 &&
                ::write(ready[1], &byte, 1) == 1)
                (void)::read(end[0], &byte, 1);
            ::_exit(0);
        }
        for (const int fd : {ready[1], end[0]})
            ::close(fd);
        has_locked_ = ::read(ready[0], &byte, 1) == 1;
        ::close(ready[0]);
        end_ = end[1];
    }
    LockingClient(const LockingClient&) = delete;
    LockingClient& operator=(const LockingClient&) = delete;
    ~LockingClient() {
        ::close(end_);
        ::waitpid(pid_, nullptr, 0);
    }

    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] bool has_locked() const { return has_locked_; }

private:
    pid_t pid_ = -1;
    int end_ = -1;
    bool has_locked_ = false;
};

}  // namespace tmm::boinc
