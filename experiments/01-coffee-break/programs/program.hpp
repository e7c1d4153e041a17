// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the main functions of the experiment's programs have in common.
#pragma once

#include <cstdio>
#include <span>
#include <string_view>

#include "base/result.hpp"

namespace tmm::coffee {

// --help; then set_up(arguments without the program's name), which gives a Result and has changed nothing when it fails, and
// work(what it gave), a Result<void>. Returns the exit status: 0 done, 1 the work failed, 2 the program cannot do what it was
// asked.
template <typename SetUp, typename Work>
int run_program(const char* name, const char* usage, int argc, char** argv, SetUp set_up, Work work) {
    const std::span<const char* const> arguments(argv + 1, static_cast<std::size_t>(argc - 1));
    if (!arguments.empty() && (arguments[0] == std::string_view("--help") || arguments[0] == std::string_view("-h"))) {
        std::fputs(usage, stdout);
        return 0;
    }
    auto ready = set_up(arguments);
    if (!ready) {
        std::fprintf(stderr, "%s: %s\n%s", name, ready.error().message().c_str(), usage);
        return 2;
    }
    if (const auto result = work(*ready); !result) {
        std::fprintf(stderr, "%s: %s\n", name, result.error().message().c_str());
        return 1;
    }
    return 0;
}

}  // namespace tmm::coffee
