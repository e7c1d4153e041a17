// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// For tests: the status of a machine of 16 GiB that gives 9 of them.
#pragma once

#include <cstdlib>
#include <ctime>
#include <vector>

#include "tmmd/ctl/processes.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

inline constexpr std::uint64_t gb = 1024ULL * 1024 * 1024;
inline constexpr std::time_t noon = 1'795'262'400;  // 2026-11-21 12:00 UTC
inline constexpr std::uint64_t noon_us = 1'795'262'400'000'000;

inline void use_utc() {
    ::setenv("TZ", "UTC0", 1);
    ::tzset();
}

inline wire::Status giving() {
    wire::Status status;
    status.version = "0.1.0";
    status.state = "giving";
    status.reason = "opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB";
    status.reason_code = "measured";
    status.reason_values = {{"histogram-kept", true}, {"need-bytes", 4 * gb}, {"quiet-hours", "22:00-07:00"}};
    status.total_bytes = 16 * gb;
    status.opaque_bytes = 5 * gb;
    status.transparent_bytes = 9 * gb;
    status.free_bytes = 2 * gb;
    status.opaque_limit_bytes = 6 * gb;
    status.transparent_limit_bytes = 10 * gb;
    status.expected_slowdown = 0.004;
    status.source = "tmm";
    status.source_reason = "the kernel has it";
    status.given_byte_seconds = 3600.0 * 1.5 * static_cast<double>(gb);
    return status;
}

inline std::vector<wire::Contribution> two_contributions() {
    return {{"/c/1", "povray", 0, 4 * gb, "running", 100}, {"/c/2", "", 4'000'000'000, gb, "paused", 50}};
}

inline std::vector<Process> four_processes() {
    return {{10, 0, "small", gb, false},
            {11, 0, "big", 3 * gb, false},
            {12, 0, "povray", 4 * gb, true},
            {9, 0, "big", 3 * gb, false}};
}

}  // namespace tmm::ctl
