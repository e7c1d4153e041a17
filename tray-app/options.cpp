// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// options.hpp
#include "tray-app/options.hpp"

#include <getopt.h>

#include <cerrno>

namespace tmm::tray {

Result<Options> parse_options(int argc, char* const argv[]) {
    enum LongOnly { quit = 256, pause, resume, version };
    static constexpr option long_options[] = {
        {"background", no_argument, nullptr, 'b'}, {"help", no_argument, nullptr, 'h'},
        {"quit", no_argument, nullptr, quit},      {"pause", no_argument, nullptr, pause},
        {"resume", no_argument, nullptr, resume},  {"version", no_argument, nullptr, version},
        {"window", no_argument, nullptr, 'w'},     {nullptr, 0, nullptr, 0},
    };
    Options options;
    ::optind = 0;  // restart the scan: tests call this function repeatedly
    ::opterr = 0;
    for (;;) {
        const int position = ::optind == 0 ? 1 : ::optind;
        switch (::getopt_long(argc, argv, "+bhw", long_options, nullptr)) {
            case -1:
                if (::optind < argc)
                    return Error(EINVAL, "unexpected argument '" + std::string(argv[::optind]) + "'");
                if (options.background && options.window)
                    return Error(EINVAL, "--background and --window exclude each other");
                return options;
            case 'b':
                options.background = true;
                break;
            case 'h':
                options.action = Options::Action::help;
                return options;
            case 'w':
                options.window = true;
                break;
            case quit:
                options.action = Options::Action::quit;
                break;
            case pause:
                options.action = Options::Action::pause;
                break;
            case resume:
                options.action = Options::Action::resume;
                break;
            case version:
                options.action = Options::Action::version;
                return options;
            default:
                return Error(EINVAL, "unknown option '" + std::string(argv[position]) + "'");
        }
    }
}

std::string usage() {
    return "Usage: tmm-tray [OPTION]...\n"
           "Shows in the panel how much memory is given to contributions, and can pause them.\n"
           "\n"
           "  -b, --background  show no window, even if no panel can show the icon\n"
           "  -w, --window      show the window at once\n"
           "      --pause       pause all contributions until resumed, and end\n"
           "      --resume      end the pause, and end\n"
           "      --quit        end the tmm-tray that runs in this session\n"
           "  -h, --help        show this help\n"
           "      --version     show the version\n"
           "\n"
           "See tmm-tray(1).\n";
}

}  // namespace tmm::tray
