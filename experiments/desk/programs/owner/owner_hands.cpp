// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-hands: somebody types at a terminal, but in the break. It sets the terminal's access time, as the kernel does on input:
// the kernel moves it every 8 s only, which is long in a time-lapse. tmmd tells by it whether the owner is there. Ends on
// SIGTERM.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "base/units.hpp"
#include "command_line.hpp"
#include "presence_clock.hpp"
#include "program.hpp"

namespace tmm::desk {
namespace {

constexpr const char* usage =
    "owner-hands --phase FILE\n"
    "  --phase FILE           its first line names the phase; in the phase \"break\" nobody types\n";

constexpr std::chrono::milliseconds interval(200);

struct Hands {
    RootDir files;
    std::string phase_path;
    UniqueFd terminal;
    UniqueFd keyboard;  // the other side of the pseudo terminal
};

Result<Hands> set_up(std::span<const char* const> arguments) {
    const auto line = CommandLine::parse(arguments, {"phase"});
    if (!line)
        return line.error();
    auto phase_path = line->required("phase");
    if (!phase_path)
        return phase_path.error();
    auto files = RootDir::open("/");
    if (!files)
        return files.error();
    UniqueFd keyboard(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    std::array<char, 64> name{};
    if (keyboard.get() < 0 || ::grantpt(keyboard.get()) != 0 || ::unlockpt(keyboard.get()) != 0 ||
        ::ptsname_r(keyboard.get(), name.data(), name.size()) != 0)
        return Error::from_errno(errno, "cannot open a pseudo terminal");
    UniqueFd terminal(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (terminal.get() < 0)
        return Error::from_errno(errno, std::string("cannot open ") + name.data());
    return Hands{std::move(*files), *phase_path, std::move(terminal), std::move(keyboard)};
}

Result<void> type(const Hands& hands) {
    watch_presence();
    if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        std::perror("owner-hands: cannot lock its memory, ignoring");
    while (!asked_to_end()) {
        const auto phase = hands.files.read_file(hands.phase_path);
        if (!phase)
            return phase.error();
        const std::array<timespec, 2> times{{{0, UTIME_NOW}, {0, UTIME_OMIT}}};
        if (trim(*phase) != "break" && ::futimens(hands.terminal.get(), times.data()) != 0)
            return Error::from_errno(errno, "cannot touch the terminal");
        std::this_thread::sleep_for(interval);
    }
    return {};
}

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    return tmm::desk::run_program("owner-hands", tmm::desk::usage, argc, argv, tmm::desk::set_up, tmm::desk::type);
}
