// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/options.hpp"

#include <getopt.h>

#include <array>
#include <bit>
#include <cerrno>

#include "base/units.hpp"

namespace tmm::caches {
namespace {

constexpr std::size_t min_block_bytes = std::size_t{4} << 10;
constexpr std::size_t max_block_bytes = std::size_t{4} << 20;
constexpr std::size_t max_readahead_bytes = std::size_t{1} << 30;
constexpr std::size_t max_fetchers = 64;

constexpr std::array long_options{
    option{"memory", required_argument, nullptr, 'm'},    option{"block", required_argument, nullptr, 'b'},
    option{"readahead", required_argument, nullptr, 'r'}, option{"fetchers", required_argument, nullptr, 't'},
    option{"direct", no_argument, nullptr, 'd'},          option{"foreground", no_argument, nullptr, 'f'},
    option{"options", required_argument, nullptr, 'o'},   option{"help", no_argument, nullptr, 'h'},
    option{"version", no_argument, nullptr, 'V'},         option{nullptr, 0, nullptr, 0},
};

Error bad(std::string_view name, std::string_view value, std::string_view wanted) {
    return {EINVAL, "option " + std::string(name) + ": '" + std::string(value) + "' is not " + std::string(wanted)};
}

Result<void> set(MountOptions& options, std::string_view name, std::string_view value) {
    const auto bytes = parse_bytes(value);
    if (name == "memory") {
        if (!bytes || *bytes == 0)
            return bad(name, value, "a size such as 2G");
        options.memory_bytes = *bytes;
    } else if (name == "block") {
        if (!bytes || *bytes < min_block_bytes || *bytes > max_block_bytes || !std::has_single_bit(*bytes))
            return bad(name, value, "a power of two from 4K to 4M");
        options.block_bytes = *bytes;
    } else if (name == "readahead") {
        if (!bytes || *bytes > max_readahead_bytes)
            return bad(name, value, "a size of at most 1G, or 0");
        options.readahead_bytes = *bytes;
    } else {
        const auto count = parse_uint(value);
        if (!count || *count == 0 || *count > max_fetchers)
            return bad(name, value, "a number from 1 to 64");
        options.fetchers = *count;
    }
    return {};
}

// The options of mount(8): ours, and all others for FUSE.
Result<void> set_mount_options(MountOptions& options, std::string_view list) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        const std::string_view one = list.substr(0, comma);
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
        const std::size_t equals = one.find('=');
        const std::string_view name = one.substr(0, equals);
        if (name == "direct") {
            options.is_direct = true;
        } else if (name == "memory" || name == "block" || name == "readahead" || name == "fetchers") {
            if (equals == std::string_view::npos)
                return Error(EINVAL, "option " + std::string(name) + " needs a value");
            if (auto done = set(options, name, one.substr(equals + 1)); !done)
                return done;
        } else if (!one.empty()) {
            options.fuse_options += "," + std::string(one);
        }
    }
    return {};
}

}  // namespace

Result<MountOptions> parse_mount_options(int argc, char** argv) {
    MountOptions options;
    ::opterr = 0;
    for (int letter = 0; (letter = ::getopt_long(argc, argv, ":m:b:r:t:dfo:hV", long_options.data(), nullptr)) != -1;) {
        Result<void> done;
        switch (letter) {
            case 'm':
                done = set(options, "memory", ::optarg);
                break;
            case 'b':
                done = set(options, "block", ::optarg);
                break;
            case 'r':
                done = set(options, "readahead", ::optarg);
                break;
            case 't':
                done = set(options, "fetchers", ::optarg);
                break;
            case 'd':
                options.is_direct = true;
                break;
            case 'f':
                options.stays_in_foreground = true;
                break;
            case 'o':
                done = set_mount_options(options, ::optarg);
                break;
            case 'h':
                options.start = MountOptions::Start::help;
                return options;
            case 'V':
                options.start = MountOptions::Start::version;
                return options;
            case ':':
                return Error(EINVAL, std::string("option ") + argv[::optind - 1] + " needs a value");
            default:
                return Error(EINVAL, std::string("there is no option ") + argv[::optind - 1]);
        }
        if (!done)
            return done.error();
    }
    if (argc - ::optind != 2)
        return Error(EINVAL, "two folders are needed: SOURCE and MOUNTPOINT");
    options.source = argv[::optind];
    options.mount_point = argv[::optind + 1];
    return options;
}

std::string_view mount_help_text() {
    return "Usage: tmm-cachefs [OPTION...] SOURCE MOUNTPOINT\n"
           "\n"
           "Shows the folder SOURCE, of a slow store, at MOUNTPOINT, and keeps what is read\n"
           "in memory that nobody else needs. Unmount it by fusermount3 -u MOUNTPOINT.\n"
           "\n"
           "  -m, --memory=SIZE     bound for the cache (what the machine can spare)\n"
           "  -b, --block=SIZE      bytes that are fetched at once (128K)\n"
           "  -r, --readahead=SIZE  most bytes fetched ahead of a reader; 0: none (16M)\n"
           "  -t, --fetchers=N      threads that fetch ahead (16)\n"
           "  -d, --direct          the kernel keeps no copies in its page cache\n"
           "  -f, --foreground      stay in the foreground\n"
           "  -o, --options=LIST    options of mount(8) and FUSE, such as ro,allow_other\n"
           "  -h, --help            show this help\n"
           "  -V, --version         show the version\n";
}

}  // namespace tmm::caches
