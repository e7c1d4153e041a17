// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What owner-workload is asked to do. Pure.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "pattern.hpp"

namespace tmm::coffee {

struct OwnerOptions {
    bool zipf = false;
    PageIndex nr_pages = 0;
    std::size_t batch_pages = 0;
    std::chrono::milliseconds think{0};
    double zipf_exponent = 0;
    unsigned write_every = 0;
    std::uint64_t seed = 0;
    std::string log_path;    // Empty: no log.
    std::string ready_path;  // Empty: tells nobody.
};

// arguments without the program's name.
Result<OwnerOptions> parse_owner_options(std::span<const char* const> arguments);

std::unique_ptr<Pattern> make_pattern(const OwnerOptions& options);

extern const char* const owner_usage;

}  // namespace tmm::coffee
