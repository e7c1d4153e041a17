// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options that all programs take: --seconds=N ends it after so long, --phase-at=N makes other items popular then, --items=N
// sets how many there are, --dir=DIR is for its files.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace tmm::soft_memory {

struct Options {
    double seconds = std::numeric_limits<double>::infinity();
    double phase_at = std::numeric_limits<double>::infinity();
    std::uint32_t items;
    std::string dir = ".";

    // Ends the program if there is another option.
    Options(int argc, char** argv, std::uint32_t usual_items) : items(usual_items) {
        for (int i = 1; i < argc; ++i) {
            const std::string_view argument = argv[i];
            const auto equals = argument.find('=');
            const std::string value(argument.substr(equals == std::string_view::npos ? argument.size() : equals + 1));
            const std::string_view name = argument.substr(0, equals);
            if (name == "--seconds")
                seconds = std::atof(value.c_str());
            else if (name == "--phase-at")
                phase_at = std::atof(value.c_str());
            else if (name == "--items" && std::atoi(value.c_str()) > 0)
                items = static_cast<std::uint32_t>(std::atoi(value.c_str()));
            else if (name == "--dir")
                dir = value;
            else {
                std::fprintf(stderr, "%s: %s: options are --seconds=N --phase-at=N --items=N --dir=DIR\n", argv[0], argv[i]);
                std::exit(2);
            }
        }
    }
    [[nodiscard]] std::uint32_t phase(double now) const { return now < phase_at ? 0 : 1; }
};

}  // namespace tmm::soft_memory
