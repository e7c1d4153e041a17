// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// StallAlarm: has the kernel raise an alarm as soon as opaque tasks wait for memory (PSI triggers,
// Documentation/accounting/psi.rst). poll(2) reports it with POLLPRI, within a tenth of the window; while no task waits, nothing
// wakes up. Each of the largest cgroups without a contribution has a trigger, up to a bound that users share in turn. If there is
// none, the machine has one; contributions raise that, too. A trigger needs CAP_SYS_RESOURCE, and costs a sleeping thread of the
// kernel. Called from one thread.
#pragma once

#include <poll.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/reading/counters/pressure.hpp"

namespace tmm::os {

class StallAlarm {
public:
    static constexpr std::size_t max_cgroups = 16;

    // root must outlive it.
    explicit StallAlarm(const RootDir& root) : root_(root), waiting_(root, OpaqueWaiting::Doubt::leave_out) {}

    // Sets triggers for the cgroups that there are now; keeps those that are set. transparent_cgroups: the topmost, sorted.
    // threshold: the time of each window in which a task has to wait, above 0. window: 0.5 to 10 s.
    // Error: the kernel has no PSI, or grants no trigger; no alarm comes.
    Result<void> follow(const std::vector<std::string>& transparent_cgroups, core::Seconds threshold, core::Seconds window);
    // Removes all triggers.
    void close();

    // The files to poll. A report of poll(2) resets its alarm: hand it to take().
    [[nodiscard]] std::vector<pollfd> files() const;
    // Returns whether a report tells of an alarm. Closes files whose cgroup is gone, or poll(2) would report them for ever.
    bool take(std::span<const pollfd> reports);
    // Returns whether contributions raise no alarm.
    [[nodiscard]] bool opaque_only() const { return !triggers_.empty() && !triggers_.contains(std::string(machine)); }

    // Returns the time in which opaque tasks waited, since any fixed moment; nothing if that is not known. If only the machine's
    // waiting can be told, the waiting of contributions is taken off.
    std::optional<core::Seconds> waited(const std::vector<std::string>& transparent_cgroups) {
        const auto waited = waiting_.read(transparent_cgroups);
        return waited ? std::optional<core::Seconds>(*waited) : std::nullopt;
    }

private:
    static constexpr std::string_view machine = "proc/pressure/memory";

    Result<void> set(const std::vector<std::string>& files, const std::string& text);

    const RootDir& root_;
    OpaqueWaiting waiting_;
    std::map<std::string, UniqueFd> triggers_;  // by file
    std::string text_;                          // of the triggers: threshold and window
};

}  // namespace tmm::os
