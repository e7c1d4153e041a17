// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Configuration of tmmd: /etc/tmm/tmmd.conf and its drop-ins, tmmd.conf(5). Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ini.hpp"
#include "base/result.hpp"
#include "tmmd/core/policy.hpp"

namespace tmm::app {

struct Config {
    std::chrono::nanoseconds epoch = std::chrono::seconds(1);  // [100 ms, 1 min]
    std::optional<std::uint32_t> sample_shift;                 // [0, 12]; none: by the size of memory
    core::PolicyParameters policy;
};

// Error: EINVAL with "FILE:LINE: Key: what is wrong" for the first entry with an unknown section or key, or a value outside its
// range.
Result<Config> make_config(const std::vector<IniEntry>& entries);

}  // namespace tmm::app
