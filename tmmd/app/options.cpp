// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/options.hpp"

#include <getopt.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "tmmd/app/kernel/sources.hpp"
#include "tmmd/app/time/time_lapse.hpp"

namespace tmm::app {

namespace {

bool is_bus(std::string_view text) {
    return text == "system" || text == "session" || text == "none" || text.find(':') != std::string_view::npos;
}

bool is_source(std::string_view text) {
    const std::vector<std::string_view> ids = source_ids();
    return std::find(ids.begin(), ids.end(), text) != ids.end();
}

std::string list_of_sources() {
    const std::vector<std::string_view> ids = source_ids();
    std::string list;
    for (std::size_t i = 0; i < ids.size(); ++i)
        list += (i == 0 ? "" : i + 1 == ids.size() ? " or " : ", ") + std::string(ids[i]);
    return list;
}

}  // namespace

Result<Options> parse_options(int argc, char* const argv[]) {
    enum LongOnly {
        bus = 256,
        check_config,
        dry_run,
        print_sources,
        record,
        release,
        root,
        source,
        state,
        time_lapse,
        timeline,
        version
    };
    static constexpr option long_options[] = {
        {"bus", required_argument, nullptr, bus},
        {"check-config", no_argument, nullptr, check_config},
        {"config", required_argument, nullptr, 'c'},
        {"dry-run", no_argument, nullptr, dry_run},
        {"help", no_argument, nullptr, 'h'},
        {"print-sources", no_argument, nullptr, print_sources},
        {"release", no_argument, nullptr, release},
        {"root", required_argument, nullptr, root},
        {"source", required_argument, nullptr, source},
        {"state", required_argument, nullptr, state},
        {"record", required_argument, nullptr, record},
        {"time-lapse", required_argument, nullptr, time_lapse},
        {"timeline", required_argument, nullptr, timeline},
        {"verbose", no_argument, nullptr, 'v'},
        {"version", no_argument, nullptr, version},
        {nullptr, 0, nullptr, 0},
    };
    std::optional<std::string> wanted_bus;
    Options options;
    ::optind = 0;  // restart the scan: tests call this more than once
    ::opterr = 0;
    for (;;) {
        const int position = ::optind == 0 ? 1 : ::optind;
        const int found = ::getopt_long(argc, argv, "+:c:hv", long_options, nullptr);
        switch (found) {
            case -1:
                if (::optind < argc)
                    return Error(EINVAL, "unexpected argument '" + std::string(argv[::optind]) + "'");
                // The name on the bus belongs to the tmmd that sets limits.
                options.bus = wanted_bus.value_or(options.dry_run ? "" : "system");
                return options;
            case 'c':
                options.config_path = ::optarg;
                break;
            case 'h':
                options.action = Options::Action::help;
                return options;
            case 'v':
                options.verbose = true;
                break;
            case bus:
                if (!is_bus(::optarg))
                    return Error(EINVAL,
                                 "option '--bus' must be system, session, none or an address such as unix:path=FILE, not '" +
                                     std::string(::optarg) + "'");
                wanted_bus = std::string_view(::optarg) == "none" ? "" : ::optarg;
                break;
            case root:
                options.root = ::optarg;
                break;
            case check_config:
                options.action = Options::Action::check_config;
                break;
            case print_sources:
                options.action = Options::Action::print_sources;
                break;
            case release:
                options.action = Options::Action::release;
                break;
            case dry_run:
                options.dry_run = true;
                break;
            case source:
                if (!is_source(::optarg))
                    return Error(EINVAL,
                                 "option '--source' must be " + list_of_sources() + ", not '" + std::string(::optarg) + "'");
                options.source = ::optarg;
                break;
            case state:
                options.state_path = ::optarg;
                break;
            case record:
                options.record_path = ::optarg;
                break;
            case time_lapse: {
                const auto factor = parse_uint(::optarg);
                if (!factor || *factor < 1 || *factor > static_cast<std::uint64_t>(TimeLapse::max_factor))
                    return Error(EINVAL, "option '--time-lapse' must be a whole number from 1 to " +
                                             std::to_string(TimeLapse::max_factor) + ", not '" + std::string(::optarg) + "'");
                options.time_lapse = static_cast<std::int64_t>(*factor);
                break;
            }
            case timeline:
                options.timeline_path = ::optarg;
                break;
            case version:
                options.action = Options::Action::version;
                return options;
            case ':':
                return Error(EINVAL, "option '" + std::string(argv[position]) + "' needs a value");
            default:
                return Error(EINVAL, "unknown option '" + std::string(argv[position]) + "'");
        }
    }
}

std::string usage() {
    return "Usage: tmmd [OPTION]...\n"
           "Measures how much memory the owner's applications need and gives the rest to contributions.\n"
           "\n"
           "  -c, --config=FILE    read FILE instead of /etc/tmm/tmmd.conf, and FILE.d/*.conf\n"
           "      --bus=BUS        serve BUS: system (the default), session, none, or the address of a D-Bus\n"
           "      --check-config   check the configuration, print the first mistake, and exit with 0 or 1\n"
           "      --dry-run        measure and decide, print each decision, but set no limit and mark no cgroup\n"
           "      --print-sources  show the sources of samples, their cost and accuracy, and the choice, and exit\n"
           "      --record=FILE    write a trace of the sampled pages to FILE, for tmm-replay\n"
           "      --release        undo what a killed tmmd left: thaw contributions, restore settings of cgroups, and exit\n"
           "      --root=DIR       find the kernel's files below DIR instead of /, for tests\n"
           "      --source=NAME    sample with NAME only: tmm, idle, mglru, footprint or none; by default the best\n"
           "      --state=FILE     keep the learned state in FILE instead of /var/lib/tmm/histogram\n"
           "      --time-lapse=N   let N seconds pass in each until SIGHUP, for experiments\n"
           "      --timeline=FILE  write a line for each decision to FILE, as CSV\n"
           "  -v, --verbose        log each decision\n"
           "  -h, --help           show this help\n"
           "      --version        show the version\n"
           "\n"
           "See tmmd(8) and tmmd.conf(5).\n";
}

}  // namespace tmm::app
