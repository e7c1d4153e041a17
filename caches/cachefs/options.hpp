// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of tmm-cachefs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::caches {

struct MountOptions {
    enum class Start : std::uint8_t { mount, help, version };

    Start start = Start::mount;
    std::string source;
    std::string mount_point;
    /// For blocks, in bytes; SIZE_MAX (soft::default_limit): what the machine can spare.
    std::size_t memory_bytes = SIZE_MAX;
    std::size_t block_bytes = std::size_t{128} << 10;
    std::size_t readahead_bytes = std::size_t{16} << 20;
    std::size_t fetchers = 16;
    bool is_direct = false;
    bool stays_in_foreground = false;
    /// For FUSE, separated by commas.
    std::string fuse_options;
};

/// Uses getopt_long(3), which keeps its place in static variables: call it once. Error: the message names the option.
Result<MountOptions> parse_mount_options(int argc, char** argv);

std::string_view mount_help_text();

}  // namespace tmm::caches
