// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Config: the configuration of tmmd, from /etc/tmm/tmmd.conf and its drop-ins, tmmd.conf(5). Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/text/ini.hpp"
#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace tmm::config {

inline constexpr const char* default_config_path = "/etc/tmm/tmmd.conf";

struct Config {
    std::optional<std::chrono::nanoseconds> epoch;  // [100 ms, 1 min]; none: pace decides
    std::optional<std::uint32_t> sample_shift;      // [0, 12]; none: from the size of memory and pace
    core::PolicyParameters policy;
    core::GivingParameters giving;

    // The time between two calls of Daemon::tick().
    [[nodiscard]] std::chrono::nanoseconds tick() const { return epoch.value_or(std::chrono::seconds(1)); }
};

// Converts the entries of the files to a configuration. Error: EINVAL with "FILE:LINE: Key: REASON" for the first entry with an
// unknown section or key, or a value outside its range.
Result<Config> make_config(const std::vector<IniEntry>& entries);

}  // namespace tmm::config
