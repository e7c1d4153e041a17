// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SystemdManager: calls to a service manager over D-Bus. Each call blocks until the manager has answered. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"

struct sd_bus;

namespace tmm {

class SystemdManager {
public:
    // Connects by the bus, or else by the manager's own socket.
    // system: the system's manager, not the user's. runtime_dir: $XDG_RUNTIME_DIR for a user's manager, may be empty.
    // Error: neither way leads to a manager.
    static Result<SystemdManager> connect(bool system, const std::string& runtime_dir);

    // Starts a transient scope that holds the processes, and waits until it is active.
    // Errors: EEXIST if the unit's name is taken, ETIMEDOUT after 30 s without a message, EIO if the job fails.
    Result<void> start_scope(const std::string& unit, const std::string& slice, const std::string& description,
                             const std::vector<pid_t>& pids);

    // The cgroup of a slice, as in /proc/PID/cgroup; empty if the slice is not active.
    Result<std::string> cgroup_of_slice(const std::string& slice);

private:
    struct CloseBus {
        void operator()(sd_bus* bus) const;
    };
    using BusPtr = std::unique_ptr<sd_bus, CloseBus>;

    explicit SystemdManager(BusPtr bus) : bus_(std::move(bus)) {}
    Result<std::string> string_property(const std::string& path, const char* interface, const char* property);
    static Result<SystemdManager> verified(int opened, sd_bus* bus);

    BusPtr bus_;
};

}  // namespace tmm
