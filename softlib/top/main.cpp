// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include <getopt.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>

#include "top/processes.hpp"
#include "top/table.hpp"

namespace {

constexpr const char* usage =
    "Usage: softlib-top [OPTION]...\n"
    "Shows the programs that keep soft memory, how much of it the kernel may take, and how programs use it.\n"
    "\n"
    "  -d, --delay=SECONDS   time between two tables; default 2\n"
    "  -n, --count=N         end after N tables; default: when interrupted\n"
    "  -p, --pid=PID         show this process only\n"
    "  -h, --help            show this help\n"
    "      --version         show the version\n";

struct Options {
    double delay_s = 2;
    std::optional<unsigned> count;
    std::optional<pid_t> pid;
};

template <class Number>
bool parse(const char* text, Number& number) {
    const char* end = text + std::strlen(text);
    const auto result = std::from_chars(text, end, number);
    return result.ec == std::errc() && result.ptr == end && number > 0;
}

int complain(const char* what, const char* value) {
    std::fprintf(stderr, "softlib-top: %s must be a number above 0, not '%s'\n", what, value);
    return 1;
}

// Returns 0 to go on; otherwise the exit status plus one.
int parse_options(int argc, char** argv, Options& options) {
    const option names[] = {{"delay", required_argument, nullptr, 'd'}, {"count", required_argument, nullptr, 'n'},
                            {"pid", required_argument, nullptr, 'p'},   {"help", no_argument, nullptr, 'h'},
                            {"version", no_argument, nullptr, 'V'},     {nullptr, 0, nullptr, 0}};
    for (int name = 0; (name = getopt_long(argc, argv, "d:n:p:h", names, nullptr)) != -1;) {
        switch (name) {
            case 'd':
                if (!parse(optarg, options.delay_s) || options.delay_s > 86400) {
                    return 1 + complain("--delay", optarg);
                }
                break;
            case 'n':
                if (!parse(optarg, options.count.emplace())) {
                    return 1 + complain("--count", optarg);
                }
                break;
            case 'p':
                if (!parse(optarg, options.pid.emplace())) {
                    return 1 + complain("--pid", optarg);
                }
                break;
            case 'h':
                std::fputs(usage, stdout);
                return 1;
            case 'V':
                std::puts("softlib-top " SOFTLIB_VERSION);
                return 1;
            default:
                std::fputs("Try 'softlib-top --help'.\n", stderr);
                return 2;
        }
    }
    if (optind < argc) {
        std::fprintf(stderr, "softlib-top: unexpected argument '%s'\nTry 'softlib-top --help'.\n", argv[optind]);
        return 2;
    }
    return 0;
}

int run(const Options& options) {
    using Clock = std::chrono::steady_clock;
    const bool on_terminal = isatty(STDOUT_FILENO) != 0;
    const auto wait = [&] { std::this_thread::sleep_for(std::chrono::duration<double>(options.delay_s)); };
    soft::top::Snapshot before;
    auto polled_at = Clock::now();
    if (options.count == 1U) {
        // The only table would have no rates.
        before = soft::top::poll_processes(options.pid);
        wait();
    }
    for (unsigned round = 0; !options.count || round < *options.count; ++round) {
        if (round > 0) {
            wait();
        }
        soft::top::Snapshot now = soft::top::poll_processes(options.pid);
        const auto at = Clock::now();
        const std::string text = soft::top::table(now, before, at - polled_at);
        // Cursor home, and clear the screen.
        if (std::printf("%s%s",
                        on_terminal ? "\033[H\033[2J"
                        : round > 0 ? "\n"
                                    : "",
                        text.c_str()) < 0 ||
            std::fflush(stdout) != 0) {
            std::perror("softlib-top: cannot write");
            return 1;
        }
        before = std::move(now);
        polled_at = at;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Options options;
        if (const int end = parse_options(argc, argv, options); end != 0) {
            return end - 1;
        }
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-top: %s\n", error.what());
        return 1;
    }
}
