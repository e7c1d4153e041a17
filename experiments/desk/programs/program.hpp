// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The common part of the programs' main functions.
#pragma once

#include <cstdio>
#include <span>
#include <string_view>

#include "base/result.hpp"

namespace tmm::desk {

// Answers --help; else calls set_up(arguments without the program's name), which returns a Result and changes nothing if it
// fails, then work(its value), which returns a Result<void>. Returns the exit status: 0 done, 1 the work failed, 2 set_up failed.
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

}  // namespace tmm::desk
