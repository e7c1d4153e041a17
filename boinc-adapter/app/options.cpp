// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/options.hpp"

#include <getopt.h>

#include <cerrno>
#include <limits>

#include "base/units.hpp"

namespace tmm::boinc {

Result<Options> parse_options(int argc, char* const argv[]) {
    enum LongOnly { bus = 256, data, dry_run, port, release, restore, socket, state, version };
    static constexpr option long_options[] = {
        {"bus", required_argument, nullptr, bus},     {"data", required_argument, nullptr, data},
        {"dry-run", no_argument, nullptr, dry_run},   {"help", no_argument, nullptr, 'h'},
        {"port", required_argument, nullptr, port},   {"release", no_argument, nullptr, release},
        {"restore", no_argument, nullptr, restore},   {"socket", required_argument, nullptr, socket},
        {"state", required_argument, nullptr, state}, {"verbose", no_argument, nullptr, 'v'},
        {"version", no_argument, nullptr, version},   {nullptr, 0, nullptr, 0},
    };
    Options options;
    ::optind = 0;  // restart the scan: tests call this more than once
    ::opterr = 0;
    for (;;) {
        const int position = ::optind == 0 ? 1 : ::optind;
        switch (::getopt_long(argc, argv, "+:hv", long_options, nullptr)) {
            case -1:
                if (::optind < argc)
                    return Error(EINVAL, "unexpected argument '" + std::string(argv[::optind]) + "'");
                return options;
            case 'h':
                options.action = Options::Action::help;
                return options;
            case 'v':
                options.verbose = true;
                break;
            case bus:
                options.bus = ::optarg;
                if (options.bus.find(':') == std::string::npos)
                    return Error(EINVAL, "option '--bus' must be an address such as unix:path=FILE, not '" + options.bus + "'");
                break;
            case data:
                options.data_dir = ::optarg;
                break;
            case dry_run:
                options.dry_run = true;
                break;
            case port: {
                const auto number = parse_uint(::optarg);
                if (!number || *number == 0 || *number > std::numeric_limits<std::uint16_t>::max())
                    return Error(EINVAL, "option '--port' must be from 1 to 65535, not '" + std::string(::optarg) + "'");
                options.port = static_cast<std::uint16_t>(*number);
                break;
            }
            case release:
                options.action = Options::Action::release;
                break;
            case restore:
                options.action = Options::Action::restore;
                break;
            case socket:
                options.socket = ::optarg;
                break;
            case state:
                options.state_dir = ::optarg;
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
    return "Usage: tmm-boinc [OPTION]...\n"
           "Makes the tasks of a BOINC client contributions: they get the memory that tmmd can spare, and lose no work when "
           "stopped.\n"
           "\n"
           "      --bus=ADDRESS   find tmmd on this D-Bus instead of the system bus\n"
           "      --data=DIR      the client's data directory, instead of /var/lib/boinc-client\n"
           "      --dry-run       print the orders to the client, and send none\n"
           "      --port=NUMBER   the client's port on this machine, instead of that in its command line\n"
           "      --release       let tasks that were held go on when a client that is stopped starts, and exit\n"
           "      --restore       undo what a killed tmm-boinc left, and exit\n"
           "      --socket=FILE   the client's Unix socket, instead of a port\n"
           "      --state=DIR     keep what must outlive a crash in DIR, instead of /var/lib/tmm-boinc\n"
           "  -v, --verbose       log each order\n"
           "  -h, --help          show this help\n"
           "      --version       show the version\n";
}

}  // namespace tmm::boinc
