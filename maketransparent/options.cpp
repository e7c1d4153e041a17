// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/options.hpp"

#include <getopt.h>

#include <cerrno>
#include <cstring>

#include "base/units.hpp"
#include "maketransparent/process/names.hpp"

namespace tmm {

namespace {

// PID_MAX_LIMIT of a 64-bit kernel.
constexpr std::uint64_t max_pid = 1U << 22;

enum LongOnly { opt_cgroup = 256, opt_user, opt_system, opt_dry_run, opt_version };

// '+' stops at the command, whose options are its own. ':' tells a missing value from an unknown option.
constexpr const char* short_options = "+:n:plrvh";

constexpr option long_options[] = {
    {"name", required_argument, nullptr, 'n'},
    {"pid", no_argument, nullptr, 'p'},
    {"list", no_argument, nullptr, 'l'},
    {"release", no_argument, nullptr, 'r'},
    {"cgroup", required_argument, nullptr, opt_cgroup},
    {"user", no_argument, nullptr, opt_user},
    {"system", no_argument, nullptr, opt_system},
    {"dry-run", no_argument, nullptr, opt_dry_run},
    {"verbose", no_argument, nullptr, 'v'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, opt_version},
    {nullptr, 0, nullptr, 0},
};

Error usage_error(const std::string& what) {
    return {EINVAL, what + " (see maketransparent --help)"};
}

// Interprets the words after the options; their meaning depends on the action.
Result<void> parse_operands(Options& options, char** operands) {
    switch (options.action) {
        case Action::run:
            if (!operands[0])
                return usage_error("no command is given");
            options.command = operands;
            return {};
        case Action::mark:
            if (!operands[0])
                return usage_error("-p needs at least one process id");
            for (; *operands; ++operands) {
                auto pid = parse_pid(*operands);
                if (!pid)
                    return std::move(pid).error();
                options.pids.push_back(*pid);
            }
            return {};
        case Action::release:
            if (!operands[0])
                return usage_error("--release needs at least one name or process id");
            for (; *operands; ++operands) {
                if (auto name = check_name(*operands); !name && !parse_pid(*operands))
                    return std::move(name).error();
                options.targets.emplace_back(*operands);
            }
            return {};
        default:
            if (operands[0])
                return usage_error("'" + std::string(operands[0]) + "' is unexpected: --list takes no operand");
            return {};
    }
}

Result<void> set_action(Options& options, Action action) {
    if (options.action != Action::run && options.action != action)
        return usage_error("only one of -p, --list and --release is allowed");
    options.action = action;
    return {};
}

Result<void> parse_option(Options& options, int letter, int short_letter, const char* word) {
    switch (letter) {
        case 'n':
            options.name = optarg;
            return check_name(options.name);
        case 'p':
            return set_action(options, Action::mark);
        case 'l':
            return set_action(options, Action::list);
        case 'r':
            return set_action(options, Action::release);
        case opt_cgroup:
            options.cgroup_dir = optarg;
            if (options.cgroup_dir.empty())
                return usage_error("--cgroup needs a directory");
            return {};
        case opt_user:
        case opt_system: {
            const Manager manager = letter == opt_user ? Manager::user : Manager::system;
            if (options.manager != Manager::automatic && options.manager != manager)
                return usage_error("--user and --system exclude each other");
            options.manager = manager;
            return {};
        }
        case opt_dry_run:
            options.dry_run = true;
            return {};
        case 'v':
            options.verbose = true;
            return {};
        case ':':
            return usage_error("option '" + std::string(word) + "' needs a value");
        default:
            // getopt_long() sets optopt to an unknown short option, which may stand in the middle of a word. For a long option
            // with an unexpected value it sets optopt to that option, and for an unknown one to 0.
            if (short_letter > 0 && short_letter < 256 && std::strchr(short_options, short_letter) == nullptr)
                return usage_error("unknown option '-" + std::string(1, static_cast<char>(short_letter)) + "'");
            return usage_error("'" + std::string(word) + "' is unknown, ambiguous or takes no value");
    }
}

}  // namespace

Result<pid_t> parse_pid(std::string_view text) {
    const auto number = parse_uint(text);
    if (!number || *number == 0 || *number > max_pid)
        return Error(EINVAL, "'" + std::string(text) + "' is no process id");
    return static_cast<pid_t>(*number);
}

Result<Options> parse_options(int argc, char** argv) {
    Options options;
    optind = 0;
    opterr = 0;
    int letter = 0;
    while ((letter = ::getopt_long(argc, argv, short_options, long_options, nullptr)) != -1) {
        // --help and --version win over everything else.
        if (letter == 'h' || letter == opt_version) {
            options.action = letter == 'h' ? Action::help : Action::version;
            return options;
        }
        if (auto parsed = parse_option(options, letter, optopt, argv[optind - 1]); !parsed)
            return std::move(parsed).error();
    }
    if (!options.cgroup_dir.empty() && options.manager != Manager::automatic)
        return usage_error("--cgroup works without systemd: omit --user and --system");
    if (auto parsed = parse_operands(options, argv + optind); !parsed)
        return std::move(parsed).error();
    return options;
}

std::string_view usage() {
    return R"(Usage: maketransparent [OPTION]... [--] CMD [ARG]...
       maketransparent [OPTION]... -p PID...
       maketransparent [OPTION]... --list
       maketransparent [OPTION]... --release NAME|PID...
Run a command as a contribution, or turn running processes into one.
Contributions lose memory first when the owner's programs need it.

  -n, --name=NAME   name of the contribution (default: that of the command)
  -p, --pid         mark running processes; memory in use stays with the owner
  -l, --list        list contributions with memory, processes and cgroup
  -r, --release     make the processes of contributions ordinary again
      --cgroup=DIR  use the cgroup v2 directory DIR, not systemd
      --user        use the user's service manager (default, except for root)
      --system      use the system's service manager (default for root)
      --dry-run     print the actions and do nothing
  -v, --verbose     say whether tmmd registered the name, or why not
  -h, --help        show this help
      --version     show the version

Exit status: that of CMD; 125 maketransparent failed; 126 CMD cannot be run;
127 CMD was not found.
)";
}

}  // namespace tmm
