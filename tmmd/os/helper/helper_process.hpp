// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// HelperProcess: a process that tmmd starts for work which needs capabilities that tmmd does not keep, or which may hang. It has
// these capabilities alone, hears of nobody but tmmd, by messages, and ends with it. Called from one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::os {

// The longest message. Sockets take it with the kernel's own settings (net.core.wmem_default).
inline constexpr std::size_t max_message_bytes = 128 << 10;

inline constexpr std::chrono::milliseconds no_wait{0};
inline constexpr std::chrono::milliseconds no_end{-1};

// Makes a pair of sockets that keep messages apart. Error: no more files.
Result<std::pair<UniqueFd, UniqueFd>> message_sockets();

// Sends a message without waiting. Error: EMSGSIZE; EPIPE, the other end is closed; EAGAIN, it does not read.
Result<void> send_message(int socket, std::string_view message);

// Returns the next message; nothing if none came in time, or a signal did. Error: EPIPE, the other end is closed; EMSGSIZE, a
// longer message than max_message_bytes, which is lost.
Result<std::optional<std::string>> receive_message(int socket, std::chrono::milliseconds wait);

// Returns whether the other end is closed. Does not wait, and leaves messages where they are.
bool is_closed(int socket);

class HelperProcess {
public:
    struct Work {
        std::string name;              // as ps(1) shows it; at most 15 bytes
        Capabilities capabilities{0};  // all that it has
        // Does the work that messages ask for, and returns when the other end is closed.
        std::function<void(int socket, const RootDir& root)> serve;
    };

    // Starts one. Call it while the process has one thread and the capabilities; the caller keeps them. Error: EPERM, it lacks
    // some; or it cannot start another process.
    static Result<std::unique_ptr<HelperProcess>> start(const RootDir& root, const Work& work);

    // pid: of a child that nobody else waits for; 0: there is none, in tests.
    HelperProcess(UniqueFd socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;
    // Kills it.
    ~HelperProcess();

    [[nodiscard]] int socket() const { return socket_.get(); }
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    UniqueFd socket_;
    pid_t pid_;
};

}  // namespace tmm::os
