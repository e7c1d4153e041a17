// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/options.hpp"

#include <getopt.h>

#include <cerrno>
#include <cstring>

#include "base/units.hpp"
#include "maketransparent/names.hpp"

namespace tmm {

namespace {

// PID_MAX_LIMIT of a 64-bit kernel.
constexpr std::uint64_t max_pid = 1U << 22;

enum LongOnly { opt_cgroup = 256, opt_user, opt_system, opt_dry_run, opt_version };

// '+': the command's own options are not ours. ':': tell a missing value from an unknown option.
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

// What the words after the options mean depends on the action.
Result<void> take_operands(Options& options, char** words) {
    switch (options.action) {
        case Action::run:
            if (!words[0])
                return usage_error("no command is given");
            options.command = words;
            return {};
        case Action::mark:
            if (!words[0])
                return usage_error("-p needs at least one process id");
            for (; *words; ++words) {
                auto pid = parse_pid(*words);
                if (!pid)
                    return std::move(pid).error();
                options.pids.push_back(*pid);
            }
            return {};
        case Action::release:
            if (!words[0])
                return usage_error("--release needs at least one name or process id");
            for (; *words; ++words) {
                if (auto name = check_name(*words); !name && !parse_pid(*words))
                    return std::move(name).error();
                options.targets.emplace_back(*words);
            }
            return {};
        default:
            if (words[0])
                return usage_error("'" + std::string(words[0]) + "' is too much: --list takes nothing more");
            return {};
    }
}

Result<void> set_action(Options& options, Action action) {
    if (options.action != Action::run && options.action != action)
        return usage_error("only one of -p, --list and --release can be done at a time");
    options.action = action;
    return {};
}

Result<void> take_option(Options& options, int letter, int short_letter, const char* word) {
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
            // getopt names an unknown short option, which may stand in the middle of a word. For a long option it names nothing,
            // or, where a value is too much, the option that it stands for.
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
        // Help and version win over whatever else the line says.
        if (letter == 'h' || letter == opt_version) {
            options.action = letter == 'h' ? Action::help : Action::version;
            return options;
        }
        if (auto taken = take_option(options, letter, optopt, argv[optind - 1]); !taken)
            return std::move(taken).error();
    }
    if (!options.cgroup_dir.empty() && options.manager != Manager::automatic)
        return usage_error("--cgroup goes without systemd: leave --user and --system out");
    if (auto taken = take_operands(options, argv + optind); !taken)
        return std::move(taken).error();
    return options;
}

std::string_view usage() {
    return R"(Usage: maketransparent [OPTION]... [--] CMD [ARG]...
       maketransparent [OPTION]... -p PID...
       maketransparent [OPTION]... --list
       maketransparent [OPTION]... --release NAME|PID...
Run a command, or mark running processes, as a contribution: its memory is the first to go when the owner needs some.

  -n, --name=NAME   name of the contribution (default: the command's)
  -p, --pid         mark running processes; memory that they use already stays with the owner
  -l, --list        list contributions with memory, processes and cgroup
  -r, --release     make the processes of contributions ordinary again
      --cgroup=DIR  make contributions in the cgroup v2 directory DIR, without systemd
      --user        ask the user's systemd (default, except for root)
      --system      ask the system's systemd (default for root)
      --dry-run     say what would be done, and do nothing
  -v, --verbose     say whether tmmd knows the contribution by its name now, and why not
  -h, --help        show this text
      --version     show the version

Exit status: the command's; 125 maketransparent failed; 126 CMD cannot be run; 127 CMD was not found.
)";
}

}  // namespace tmm
