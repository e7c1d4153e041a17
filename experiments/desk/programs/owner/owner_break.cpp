// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-break: runs for as long as the owner's break lasts. Once a second it reads how much memory the contribution has; then
// break_is_over() decides.
#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>

#include "break_end.hpp"
#include "cgroup_sample.hpp"
#include "command_line.hpp"
#include "presence_clock.hpp"
#include "program.hpp"

namespace tmm::desk {
namespace {

constexpr const char* usage =
    "owner-break --min SECONDS --max SECONDS [OPTION]...\n"
    "  --min SECONDS          minimum of the break\n"
    "  --max SECONDS          maximum of the break\n"
    "  --exceed-mb MB         ends the break once the contribution has had more (0: at --min)\n"
    "  --contribution CGROUP  its cgroup, below sys/fs/cgroup (transparent.slice)\n"
    "  --root DIR             folder with sys/ (/)\n";

constexpr double max_seconds = 1e6;
constexpr double max_mb = 1e9;
constexpr std::chrono::seconds poll_interval(1);

struct Break {
    RootDir root;
    std::string contribution;
    BreakBounds bounds;
};

Result<Break> set_up(std::span<const char* const> arguments) {
    const auto line = CommandLine::parse(arguments, {"min", "max", "exceed-mb", "contribution", "root"});
    if (!line)
        return line.error();
    for (const char* name : {"min", "max"})
        if (const auto given = line->required(name); !given)
            return given.error();
    const auto min_s = line->number("min", 0, 0, max_seconds);
    if (!min_s)
        return min_s.error();
    const auto max_s = line->number("max", 0, *min_s, max_seconds);
    if (!max_s)
        return max_s.error();
    const auto exceed_mb = line->number("exceed-mb", 0, 0, max_mb);
    if (!exceed_mb)
        return exceed_mb.error();
    auto root = RootDir::open(line->text("root", "/"));
    if (!root)
        return root.error();
    const auto nanoseconds = [](double seconds) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    };
    return Break{std::move(*root), line->text("contribution", "transparent.slice"),
                 BreakBounds{nanoseconds(*min_s), nanoseconds(*max_s), static_cast<std::uint64_t>(*exceed_mb) << 20}};
}

Result<void> wait(const Break& pause) {
    watch_presence();
    const auto begin = monotonic_now();
    std::uint64_t peak_bytes = 0;
    while (!asked_to_end()) {
        const auto sample = read_class(pause.root, pause.contribution);
        if (!sample)
            return sample.error();
        peak_bytes = std::max(peak_bytes, footprint_bytes(*sample));
        const auto since_begin = monotonic_now() - begin;
        if (break_is_over(pause.bounds, since_begin, peak_bytes))
            return {};
        // The minimum ends a break exactly, not a poll later.
        const auto left = pause.bounds.min - since_begin;
        std::this_thread::sleep_for(left.count() > 0 ? std::min<std::chrono::nanoseconds>(left, poll_interval) : poll_interval);
    }
    return {};
}

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    return tmm::desk::run_program("owner-break", tmm::desk::usage, argc, argv, tmm::desk::set_up, tmm::desk::wait);
}
