// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.hpp"

#include <getopt.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/units.hpp"
#include "store.hpp"
#include "system.hpp"

namespace tmm::days {

namespace {

Error bad(const std::string& option, const std::string& value) {
    return {EINVAL, "--" + option + ": '" + value + "' is not valid"};
}

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts;
    for (;;) {
        const auto comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos)
            return parts;
        text.remove_prefix(comma + 1);
    }
}

bool set_double(std::string_view text, double min, double max, double& value) {
    const auto parsed = parse_double(text);
    if (!parsed || *parsed < min || *parsed > max)
        return false;
    value = *parsed;
    return true;
}

bool set_bytes(std::string_view text, std::uint64_t min, std::uint64_t& value) {
    const auto parsed = parse_bytes(text);
    if (!parsed || *parsed < min || *parsed > (std::uint64_t{1} << 44))
        return false;
    value = *parsed;
    return true;
}

// True if the value is one that the option can have.
bool take(int option, const std::string& value, Options& options) {
    switch (option) {
        case 'p':
            options.patterns = value;
            return true;
        case 'm':
            return set_bytes(value, std::uint64_t{16} << 20, options.memory_bytes);
        case 'u':
            return set_bytes(value, page_bytes, options.unit_bytes) && options.unit_bytes % page_bytes == 0;
        case 's':
            options.stores = split(value);
            for (const std::string& store : options.stores) {
                if (!store_named(store, 0))
                    return false;
            }
            return true;
        case 'y':
            options.systems = split(value);
            for (const std::string& system : options.systems) {
                bool known = false;
                for (const std::string& name : system_names())
                    known = known || name == system;
                if (!known)
                    return false;
            }
            return true;
        case 'c':
            return set_double(value, 0.01, 100, options.scale);
        case 'z':
            return set_double(value, 0.01, 0.95, options.compressed);
        case 'r':
            options.recording = value;
            return !value.empty();
        case 't':
            options.timeline = value;
            return true;
        case 'n':
            options.contributions = false;
            return true;
        case 'b': {
            const auto time = parse_duration(value);
            if (time)
                options.break_even = *time;
            return time && *time >= std::chrono::minutes(1) && *time <= std::chrono::hours(10'000);
        }
        default: {
            const auto seed = parse_uint(value);
            if (seed)
                options.seed = *seed;
            return seed.has_value();
        }
    }
}

}  // namespace

Result<Options> parse_options(int argc, char** argv) {
    static const option known[] = {{"help", no_argument, nullptr, 'h'},
                                   {"patterns", required_argument, nullptr, 'p'},
                                   {"memory", required_argument, nullptr, 'm'},
                                   {"unit", required_argument, nullptr, 'u'},
                                   {"stores", required_argument, nullptr, 's'},
                                   {"systems", required_argument, nullptr, 'y'},
                                   {"scale", required_argument, nullptr, 'c'},
                                   {"zram-ratio", required_argument, nullptr, 'z'},
                                   {"seed", required_argument, nullptr, 'e'},
                                   {"recording", required_argument, nullptr, 'r'},
                                   {"timeline", required_argument, nullptr, 't'},
                                   {"break-even", required_argument, nullptr, 'b'},
                                   {"no-contributions", no_argument, nullptr, 'n'},
                                   {nullptr, 0, nullptr, 0}};
    Options options;
    optind = 0;  // glibc: begin anew
    opterr = 0;
    int index = 0;
    for (int option = 0; (option = getopt_long(argc, argv, "h", known, &index)) != -1;) {
        if (option == 'h') {
            options.help = true;
            return options;
        }
        if (option == '?')
            return Error(EINVAL, "unknown option, or one without its value");
        if (!take(option, optarg != nullptr ? optarg : "", options))
            return bad(known[index].name, optarg);
    }
    if (optind + 1 != argc)
        return Error(EINVAL, "exactly one owner's file is needed");
    options.owner = argv[optind];
    if (!options.recording.empty()) {
        if (options.unit_bytes != 0)
            return Error(EINVAL, "--unit does not go with --recording, whose pages are the units");
        return options;
    }
    if (options.unit_bytes == 0)
        options.unit_bytes = std::max(options.memory_bytes / units_per_machine / page_bytes * page_bytes, page_bytes);
    if (options.memory_bytes / options.unit_bytes < min_units)
        return Error(EINVAL, "a machine must have at least " + std::to_string(min_units) + " units");
    return options;
}

std::string help_text() {
    std::string text =
        "Usage: owner-days [OPTIONS] OWNER.ini\n"
        "Simulates an owner's days with several systems and writes a CSV row for each to standard output.\n"
        "  --patterns=DIR    patterns that the owner names (default: ../patterns beside the owner's folder)\n"
        "  --memory=BYTES    of the machine (16G)\n"
        "  --unit=BYTES      resolution (memory / 8192)\n"
        "  --stores=LIST     hdd, sata, nvme, zram (hdd)\n"
        "  --systems=LIST    default all:";
    for (const std::string& name : system_names())
        text += " " + name;
    text +=
        "\n"
        "  --scale=NUMBER    multiplies the size of all memory that patterns use (1)\n"
        "  --zram-ratio=R    memory that an evicted page takes on zram (0.35)\n"
        "  --seed=N          arrivals and sizes (1)\n"
        "  --recording=FILE  days that 'tmmd --record' recorded; OWNER.ini then has RecordedUnit and no patterns\n"
        "  --timeline=FILE   CSV of limits every ten minutes, of all systems and stores\n"
        "  --break-even=TIME BreakEven of tmmd.conf (20h)\n"
        "  --no-contributions\n"
        "                    nobody takes what systems would give\n"
        "Exit status: 0 done, 1 a file is wrong, 2 usage.\n";
    return text;
}

}  // namespace tmm::days
