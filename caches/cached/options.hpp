// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options: memcached's command line as settings.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "caches/cached/service/settings.hpp"

namespace tmm::caches {

enum class Start : std::uint8_t { serve, help, version, license };

struct Options {
    Start start = Start::serve;
    Settings settings;
    // Options that were taken and have no effect here, for the log.
    std::string ignored;
};

// Uses getopt_long(3), which keeps its place in static variables: call it once. Error: the message names the option.
Result<Options> parse_options(int argc, char** argv);

std::string_view help_text();

}  // namespace tmm::caches
