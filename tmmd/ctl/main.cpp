// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmmctl(1): connects the options, the client on the bus and the terminal.
#include <pwd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <thread>

#include "base/log/log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/ctl/boinc_client.hpp"
#include "tmmd/ctl/bus_client.hpp"
#include "tmmd/ctl/commands.hpp"
#include "tmmd/ctl/options.hpp"
#include "tmmd/ctl/views/doctor.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {
namespace {

bool is_set(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

Screen screen_of_output() {
    Screen screen;
    screen.is_terminal = ::isatty(STDOUT_FILENO) == 1;
    if (!screen.is_terminal)
        return screen;
    const char* const term = std::getenv("TERM");
    screen.colours = !is_set("NO_COLOR") && term != nullptr && std::strcmp(term, "dumb") != 0;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        screen.width = size.ws_col;
        screen.height = size.ws_row;
    }
    return screen;
}

std::uint64_t now_us() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

int fail(const Log& log, const Error& error) {
    log.error(error.message());
    const bool no_daemon = error.code() == ENOTCONN || error.code() == ETIMEDOUT;
    return no_daemon ? exit_no_daemon : exit_failure;
}

// Writes to standard output and keeps the first error: a full disk must not look like success.
class Output {
public:
    bool write(const std::string& text) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
            error_ = errno;
        return error_ == 0;
    }
    int finish(const Log& log, int status) const {
        return error_ == 0 ? status : fail(log, Error::from_errno(error_, "standard output"));
    }

private:
    int error_ = 0;
};

int examine_machine(const Log& log, const Options& options) {
    const auto root = RootDir::open("/");
    if (!root)
        return fail(log, root.error());
    const auto checks = examine(*root, probe_bus());
    Output output;
    output.write(options.json ? checks_json(checks) : format_checks(checks, screen_of_output()));
    return output.finish(log, has_problem(checks) ? exit_failure : EXIT_SUCCESS);
}

int show_boinc(const Log& log, const Options& options) {
    const auto boinc = read_boinc();
    if (!boinc)
        return fail(log, boinc.error());
    Output output;
    output.write(options.json ? boinc_json(*boinc) : format_boinc(*boinc, screen_of_output()));
    return output.finish(log, EXIT_SUCCESS);
}

int ask_daemon(const Log& log, const Options& options) {
    const auto root = RootDir::open("/");
    if (!root)
        return fail(log, root.error());
    const auto client = connect_to_daemon();
    if (!client)
        return fail(log, client.error());
    Output output;
    CommandEnvironment environment;
    environment.out = [&](const std::string& text) { return output.write(text); };
    environment.screen = screen_of_output;
    environment.now_us = now_us;
    environment.sleep = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
    environment.processes = [&] { return read_processes(*root); };
    environment.user_id = [](const std::string& name) {
        const passwd* const user = ::getpwnam(name.c_str());
        return user != nullptr ? std::optional<std::uint32_t>(user->pw_uid) : std::nullopt;
    };
    environment.boinc_tasks = [] {
        // tmmctl boinc says what is wrong.
        const auto boinc = read_boinc();
        return boinc ? boinc->tasks : std::vector<BoincTask>();
    };
    const auto done = run_command(**client, options, environment);
    return done ? output.finish(log, *done) : fail(log, done.error());
}

int main_of(int argc, char** argv) {
    const Log log("tmmctl", LogLevel::info, false);
    ::tzset();
    const auto options = parse_options(argc, argv, std::time(nullptr));
    if (!options) {
        log.error(options.error().message() + "; see tmmctl --help");
        return exit_usage;
    }
    Output output;
    switch (options->command) {
        case Command::help:
            output.write(usage());
            return output.finish(log, EXIT_SUCCESS);
        case Command::version:
            output.write("tmmctl " TMM_VERSION "\n");
            return output.finish(log, EXIT_SUCCESS);
        case Command::doctor:
            return examine_machine(log, *options);
        case Command::boinc:
            return show_boinc(log, *options);
        default:
            return ask_daemon(log, *options);
    }
}

}  // namespace
}  // namespace tmm::ctl

int main(int argc, char** argv) {
    return tmm::ctl::main_of(argc, argv);
}
