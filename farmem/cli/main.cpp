// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// main() of tmm-far(1): parses the command line, asks the pager, and becomes the program.
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/log/log.hpp"
#include "base/root_dir.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "farmem/cli/advice.hpp"
#include "farmem/cli/executable.hpp"
#include "farmem/cli/pager_client.hpp"
#include "farmem/cli/status_table.hpp"
#include "farmem/cli/watcher.hpp"
#include "farmem/pager/control.hpp"

namespace tmm::far {
namespace {

// As env(1) has them.
constexpr int exit_own_error = 125;
constexpr int exit_not_executable = 126;
constexpr int exit_not_found = 127;

constexpr const char* usage =
    "Usage: tmm-far run --memory=SIZE [OPTION]... -- COMMAND [ARGUMENT]...\n"
    "       tmm-far advise [--memory=SIZE] -- COMMAND [ARGUMENT]...\n"
    "       tmm-far limit NAME SIZE\n"
    "       tmm-far record NAME FILE\n"
    "       tmm-far status\n"
    "       tmm-far top\n"
    "       tmm-far stop NAME\n"
    "Runs a command in SIZE of local memory; the rest of its memory is elsewhere.\n"
    "\n"
    "  -m, --memory=SIZE       local memory of the command and its children (4G)\n"
    "  -n, --name=NAME         name for the other commands (the command's)\n"
    "  -s, --store=STORE       where the rest is (memory); see tmm-far(1)\n"
    "  -w, --window=PAGES      on their way before they are needed (256; 0: none)\n"
    "  -W, --weight=NUMBER     of the command's share of the link (1)\n"
    "      --without=PART,...  streams, vote, successors, edges, keep, spin,\n"
    "                          async-read or async-write: to compare\n"
    "      --follow            take less if the command's cgroup has less (tmmd)\n"
    "      --socket=PATH       of the pager\n"
    "      --pager=PATH        tmm-fard to start if none runs\n"
    "      --library=PATH      to load into the command\n"
    "  -h, --help              print this text\n"
    "      --version           print the version\n";

struct Options {
    Command command;
    bool is_table = false;  // of status, again and again on a terminal
    bool advises = false;   // how to run the program, after it ended
    std::string socket;
    std::string pager = FAR_PAGER;
    std::string library = FAR_LIBRARY;
    char** program = nullptr;
};

Error usage_error(const std::string& what) {
    return {EINVAL, what + " (see tmm-far --help)"};
}

Result<std::uint64_t> parse_size(const char* text) {
    auto bytes = parse_bytes(text);
    if (!bytes)
        return usage_error("'" + std::string(text) + "' is no size");
    if (*bytes < min_limit_bytes)
        return usage_error("local memory is at least " + format_bytes(min_limit_bytes));
    return *bytes;
}

// help and version: printed and done.
Result<bool> parse_options(Options& options, int argc, char** argv) {
    enum LongOnly { opt_socket = 256, opt_pager, opt_library, opt_version, opt_without, opt_follow };
    constexpr option long_options[] = {{"memory", required_argument, nullptr, 'm'},
                                       {"name", required_argument, nullptr, 'n'},
                                       {"store", required_argument, nullptr, 's'},
                                       {"window", required_argument, nullptr, 'w'},
                                       {"weight", required_argument, nullptr, 'W'},
                                       {"without", required_argument, nullptr, opt_without},
                                       {"socket", required_argument, nullptr, opt_socket},
                                       {"pager", required_argument, nullptr, opt_pager},
                                       {"library", required_argument, nullptr, opt_library},
                                       {"help", no_argument, nullptr, 'h'},
                                       {"version", no_argument, nullptr, opt_version},
                                       {"follow", no_argument, nullptr, opt_follow},
                                       {nullptr, 0, nullptr, 0}};
    options.command.store = "memory";
    const std::string verb = argc > 1 ? argv[1] : "";
    const bool has_verb = !verb.empty() && verb[0] != '-';
    ::opterr = 0;
    ::optind = has_verb ? 2 : 1;
    for (int letter = 0; (letter = ::getopt_long(argc, argv, "+m:n:s:w:W:h", long_options, nullptr)) != -1;) {
        switch (letter) {
            case 'm': {
                const auto bytes = parse_size(optarg);
                if (!bytes)
                    return bytes.error();
                options.command.limit_bytes = *bytes;
                break;
            }
            case 'n':
                options.command.name = optarg;
                break;
            case 's':
                options.command.store = optarg;
                break;
            case 'w': {
                const auto window = parse_uint(optarg);
                if (!window || *window > max_window)
                    return usage_error("--window has at most " + std::to_string(max_window) + " pages");
                options.command.window = *window;
                break;
            }
            case 'W': {
                const auto weight = parse_uint(optarg);
                if (!weight || *weight < 1 || *weight > max_weight)
                    return usage_error("--weight is from 1 to " + std::to_string(max_weight));
                options.command.weight = static_cast<std::uint32_t>(*weight);
                break;
            }
            case opt_without: {
                if (const auto parts = parse_without(optarg); !parts)
                    return parts.error();
                options.command.without = optarg;
                break;
            }
            case opt_follow:
                options.command.follows = true;
                break;
            case opt_socket:
                options.socket = optarg;
                break;
            case opt_pager:
                options.pager = optarg;
                break;
            case opt_library:
                options.library = optarg;
                break;
            case 'h':
                std::fputs(usage, stdout);
                return false;
            case opt_version:
                std::puts("tmm-far " TMM_VERSION);
                return false;
            default:
                return usage_error("'" + std::string(argv[optind - 1]) + "' is no option, or lacks its value");
        }
    }
    char** const operands = argv + optind;
    const int nr_operands = argc - optind;
    if (verb == "run" && nr_operands > 0) {
        options.command.kind = Command::Kind::run;
        options.program = operands;
        if (options.command.limit_bytes == 0)
            return usage_error("run needs --memory=SIZE");
        if (options.command.name.empty())
            options.command.name = std::strrchr(operands[0], '/') ? std::strrchr(operands[0], '/') + 1 : operands[0];
    } else if (verb == "advise" && nr_operands > 0) {
        options.advises = true;
        options.program = operands;
    } else if (verb == "limit" && nr_operands == 2) {
        options.command.kind = Command::Kind::limit;
        options.command.name = operands[0];
        const auto bytes = parse_size(operands[1]);
        if (!bytes)
            return bytes.error();
        options.command.limit_bytes = *bytes;
    } else if (verb == "record" && nr_operands == 2) {
        options.command.kind = Command::Kind::record;
        options.command.name = operands[0];
        options.command.path = std::filesystem::absolute(operands[1]).string();
        if (options.command.path.find(' ') != std::string::npos)
            return usage_error("a path with spaces cannot be recorded to");
    } else if (verb == "stop" && nr_operands == 1) {
        options.command.kind = Command::Kind::stop;
        options.command.name = operands[0];
    } else if ((verb == "status" || verb == "top") && nr_operands == 0) {
        options.command.kind = Command::Kind::status;
        options.is_table = verb == "top";
    } else {
        return usage_error("a command is missing, or has wrong words");
    }
    return true;
}

// Returns only if the program cannot be started.
int become(const Options& options, const std::string& socket, const std::string& path, const Log& log) {
    const char* const others = std::getenv("LD_PRELOAD");
    ::setenv("LD_PRELOAD", (options.library + (others && *others ? std::string(":") + others : "")).c_str(), 1);
    ::setenv("TMM_FAR", (socket + ":" + options.command.name).c_str(), 1);
    ::execv(path.c_str(), options.program);
    const int error = errno;
    log.error(Error::from_errno(error, path).message());
    return error == ENOENT ? exit_not_found : exit_not_executable;
}

// Runs the command as it is. Returns its exit status, as a shell has it.
int advise(const Options& options, const std::string& path, const Log& log) {
    constexpr int interval_ms = 100;
    auto proc = RootDir::open("/proc");
    const auto meminfo = proc ? proc->read_file("meminfo") : Result<std::string>(proc.error());
    const auto available = meminfo ? parse_meminfo_bytes(*meminfo, "MemAvailable") : Result<std::uint64_t>(meminfo.error());
    if (!available) {
        log.error(available.error().message());
        return exit_own_error;
    }
    // Children whose parent ended stay among its descendants.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::execv(path.c_str(), options.program);
        const int error = errno;
        log.error(Error::from_errno(error, path).message());
        ::_exit(error == ENOENT ? exit_not_found : exit_not_executable);
    }
    const UniqueFd process(pid < 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!process) {
        log.error(Error::from_errno(errno, "starting the command").message());
        return exit_own_error;
    }
    // Keys are for the command.
    for (const int key : {SIGINT, SIGQUIT})
        ::signal(key, SIG_IGN);
    Watcher watcher(std::move(*proc), pid);
    for (pollfd ended{.fd = process.get(), .events = POLLIN, .revents = 0}; ::poll(&ended, 1, interval_ms) <= 0;)
        watcher.look();
    int status = 0;
    ::waitpid(pid, &status, 0);
    const auto checked = check_executable(path);
    const std::uint64_t local_bytes = options.command.limit_bytes > 0 ? options.command.limit_bytes : *available;
    std::fputs(("tmm-far: " + advice(watcher.watched(), local_bytes, checked ? "" : checked.error().message())).c_str(), stderr);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Ends with the pager, or with the signal of a key.
Result<void> show_table(const PagerClient& client, const std::string& question) {
    constexpr unsigned interval_s = 1;
    for (const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;;) {
        const auto answer = client.ask(question);
        if (!answer)
            return answer.error();
        std::printf("%s%s", is_terminal ? "\033[H\033[2J" : "", status_table(*answer).c_str());
        std::fflush(stdout);
        if (!is_terminal)
            return {};
        ::sleep(interval_s);
    }
}

int run(const Options& options, const Log& log) {
    const auto fails = [&](const Error& error, int code = exit_own_error) {
        log.error(error.message());
        return code;
    };
    if (options.advises) {
        const auto path = find_executable(options.program[0]);
        return path ? advise(options, *path, log) : fails(path.error(), exit_not_found);
    }
    const auto socket = options.socket.empty() ? default_socket() : Result<std::string>(options.socket);
    if (!socket)
        return fails(socket.error());
    if (options.command.kind != Command::Kind::run) {
        const auto client = PagerClient::connect(*socket);
        if (!client && options.command.kind == Command::Kind::status)
            return 0;
        if (!client)
            return fails(client.error());
        if (options.is_table) {
            const auto shown = show_table(*client, format_command(options.command));
            return shown ? 0 : fails(shown.error());
        }
        const auto answer = client->ask(format_command(options.command));
        if (!answer)
            return fails(answer.error());
        std::fputs(answer->c_str(), stdout);
        return 0;
    }
    const auto path = find_executable(options.program[0]);
    if (!path)
        return fails(path.error(), exit_not_found);
    if (const auto checked = check_executable(*path); !checked)
        return fails(checked.error());
    if (::access(options.library.c_str(), R_OK) != 0)
        return fails(Error::from_errno(errno, options.library));
    const auto client = PagerClient::connect_or_start(*socket, options.pager);
    if (!client)
        return fails(client.error());
    if (const auto answer = client->ask(format_command(options.command)); !answer)
        return fails(answer.error());
    return become(options, *socket, *path, log);
}

}  // namespace
}  // namespace tmm::far

int main(int argc, char** argv) {
    const tmm::Log log("tmm-far", tmm::LogLevel::info, false);
    tmm::far::Options options;
    const auto goes_on = tmm::far::parse_options(options, argc, argv);
    if (!goes_on) {
        log.error(goes_on.error().message());
        return tmm::far::exit_own_error;
    }
    return *goes_on ? tmm::far::run(options, log) : 0;
}
