// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// IdleSegment: tells BOINC clients when somebody last touched the machine, through POSIX shared memory. Clients from 8.2.10 read
// two 64-bit numbers there, seconds since 1970: the time of the update, and that of the last input. They ignore an update that is
// older than a minute, and then detect idle time by themselves. They map the segment once, so it stays when its writer ends.
//
// Everybody can make a file of this name before. So it writes only to a file that nobody else can write to. Used from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Both by the wall clock, since 1970.
struct IdleTimes {
    std::chrono::seconds now;
    std::chrono::seconds last_input;

    bool operator==(const IdleTimes&) const = default;
};

// Returns the times to write for a client of this version. Nothing: it does not read them or is not known, or nothing tells
// when the last input came; then the client finds out by itself. idle: returns the time since the last input; it is asked only
// for a client that reads the segment, for to find out has costs.
std::optional<IdleTimes> idle_times(const std::optional<Version>& reader,
                                    const std::function<std::optional<std::chrono::duration<double>>()>& idle,
                                    std::chrono::milliseconds wall);

class IdleSegment {
public:
    static constexpr const char* name = "idle_detect_shmem";

    // folder: /dev/shm
    explicit IdleSegment(RootDir folder) : folder_(std::move(folder)) {}

    // Error: EEXIST if another program or user has the segment, which stays as it is.
    Result<void> write(const IdleTimes& times);

private:
    Result<void> open();

    RootDir folder_;
    UniqueFd file_;
};

}  // namespace tmm::boinc
