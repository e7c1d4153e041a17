// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// HelperProcess: a process that tmmd starts for work which needs capabilities that tmmd does not keep, or which may hang. It has
// these capabilities alone, hears of nobody but tmmd, by messages, and ends with it. Called from one thread.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/messages/message_socket.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::os {

class HelperProcess {
public:
    struct Work {
        std::string name;              // as ps(1) shows it; at most 15 bytes
        Capabilities capabilities{0};  // all that it has
        // Does the work that messages ask for, and returns when the other end is closed.
        std::function<void(const MessageSocket& socket, const RootDir& root)> serve;
    };

    // Starts one. Call it while the process has one thread and the capabilities; the caller keeps them. Error: EPERM, it lacks
    // some; or it cannot start another process.
    static Result<std::unique_ptr<HelperProcess>> start(const RootDir& root, const Work& work);

    // pid: of a child that nobody else waits for; 0: there is none, in tests.
    HelperProcess(MessageSocket socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;
    // Kills it.
    ~HelperProcess();

    [[nodiscard]] const MessageSocket& socket() const { return socket_; }
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    MessageSocket socket_;
    pid_t pid_;
};

}  // namespace tmm::os
