// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SystemdManager: the few calls to a service manager over D-Bus.
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
    // Tries the bus, then the manager's own socket. runtime_dir: $XDG_RUNTIME_DIR, empty where there is none; for users'
    // managers.
    static Result<SystemdManager> connect(bool system, const std::string& runtime_dir);

    // Starts a transient scope that holds the processes, and waits until it is active. Error: EEXIST where the name is taken.
    Result<void> start_scope(const std::string& unit, const std::string& slice, const std::string& description,
                             const std::vector<pid_t>& pids);

    // The cgroup of a slice as /proc/PID/cgroup writes it; empty where the slice is not active.
    Result<std::string> cgroup_of_slice(const std::string& slice);

private:
    struct CloseBus {
        void operator()(sd_bus* bus) const;
    };
    using BusPtr = std::unique_ptr<sd_bus, CloseBus>;

    explicit SystemdManager(BusPtr bus) : bus_(std::move(bus)) {}
    Result<std::string> string_property(const std::string& path, const char* interface, const char* property);
    static Result<SystemdManager> checked(int opened, sd_bus* bus);

    BusPtr bus_;
};

}  // namespace tmm
