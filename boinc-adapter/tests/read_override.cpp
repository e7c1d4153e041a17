// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// read_override: takes an override of BOINC's preferences from standard input and prints the three values that TMM reads in it.
// read_override BUSY IDLE LEAVE: prints the override with these values of TMM merged into it, or fails with the reason.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

#include "boinc-adapter/rpc/override.hpp"

int main(int argc, char** argv) {
    using namespace tmm::boinc;
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (argc != 4) {
        const Preferences read = preferences_of(text, {}).preferences;
        std::printf("%.6f %.6f %d\n", read.busy_percent, read.idle_percent, read.leave_in_memory ? 1 : 0);
        return EXIT_SUCCESS;
    }
    const auto merged = merge_override(text, {std::atof(argv[1]), std::atof(argv[2]), std::atoi(argv[3]) != 0});
    if (!merged) {
        std::fprintf(stderr, "%s\n", merged.error().message().c_str());
        return EXIT_FAILURE;
    }
    std::cout << *merged;
    return EXIT_SUCCESS;
}
