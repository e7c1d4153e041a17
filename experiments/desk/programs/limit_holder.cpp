// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// limit-holder: sets static limits on a TMM kernel and keeps them until SIGTERM, since the kernel drops limits when nobody has
// /dev/tmm open. Once a second it adapts them to the memory that both classes can have, and writes a row in the form of tmmd's
// timeline.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <thread>

#include "base/root_dir.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "cgroup_sample.hpp"
#include "command_line.hpp"
#include "presence_clock.hpp"
#include "program.hpp"
#include "static_limits.hpp"

namespace tmm::desk {
namespace {

constexpr const char* usage =
    "limit-holder --opaque-percent N --timeline FILE [--root DIR]\n"
    "  --opaque-percent N  share of memory for opaque applications, 1 to 99\n"
    "  --timeline FILE     made anew, CSV\n"
    "  --root DIR          folder with dev/, proc/ and sys/ (/)\n";

struct Holder {
    RootDir root;
    UniqueFd device;  // Only held open.
    UniqueFd timeline;
    unsigned opaque_percent;

    [[nodiscard]] Result<std::uint64_t> number(const std::string& name) const {
        const std::string path = "sys/kernel/mm/tmm/" + name;
        const auto text = root.read_file(path);
        if (!text)
            return text.error();
        auto value = parse_uint(trim(*text));
        if (!value)
            return std::move(value.error()).with_context(root.name_of(path));
        return value;
    }

    [[nodiscard]] Result<TmmMemory> memory() const {
        TmmMemory memory;
        for (const auto& [name, place] : {std::pair("total", &memory.total), std::pair("opaque_usage", &memory.opaque_usage),
                                          std::pair("transparent_usage", &memory.transparent_usage)}) {
            const auto value = number(name);
            if (!value)
                return value.error();
            *place = *value;
        }
        return memory;
    }

    [[nodiscard]] Result<void> write_line(const std::string& text) const {
        const std::string line = text + '\n';
        if (::write(timeline.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            return Error::from_errno(errno, "cannot write to the --timeline file");
        return {};
    }

    [[nodiscard]] Result<void> set(double t_s, std::uint64_t installed_bytes) const {
        const auto now = memory();
        if (!now)
            return now.error();
        const StaticLimits limits = static_limits(opaque_percent, installed_bytes, now->total);
        if (auto result = root.write_file("sys/kernel/mm/tmm/transparent_limit", std::to_string(limits.transparent_bytes));
            !result)
            return result;
        if (auto result = root.write_file("sys/kernel/mm/tmm/opaque_limit", std::to_string(limits.opaque_bytes)); !result)
            return result;
        return write_line(static_timeline_row(t_s, opaque_percent, limits, *now));
    }
};

Result<Holder> set_up(std::span<const char* const> arguments) {
    const auto line = CommandLine::parse(arguments, {"opaque-percent", "timeline", "root"});
    if (!line)
        return line.error();
    if (const auto given = line->required("opaque-percent"); !given)
        return given.error();
    const auto percent = line->number("opaque-percent", 0, 1, 99);
    if (!percent)
        return percent.error();
    const auto path = line->required("timeline");
    if (!path)
        return path.error();
    auto root = RootDir::open(line->text("root", "/"));
    if (!root)
        return root.error();
    auto device = root->open_file("dev/tmm", O_RDWR);
    if (!device)
        return device.error();
    UniqueFd timeline(::open(path->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!timeline)
        return Error::from_errno(errno, "cannot write " + *path);
    return Holder{std::move(*root), std::move(*device), std::move(timeline), static_cast<unsigned>(*percent)};
}

Result<void> hold(const Holder& holder) {
    const auto text = holder.root.read_file("proc/meminfo");
    if (!text)
        return text.error();
    const auto installed_bytes = parse_meminfo_bytes(*text, "MemTotal");
    if (!installed_bytes)
        return Error(installed_bytes.error()).with_context(holder.root.name_of("proc/meminfo"));
    if (auto result = holder.write_line(static_timeline_header()); !result)
        return result;
    watch_presence();
    // It must go on while opaque memory is short, which it causes.
    if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        std::perror("limit-holder: cannot lock its memory, ignoring");
    const auto start = monotonic_now();
    while (!asked_to_end()) {
        const std::chrono::duration<double> since_start = monotonic_now() - start;
        if (auto result = holder.set(since_start.count(), *installed_bytes); !result)
            return result;
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    return {};
}

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    return tmm::desk::run_program("limit-holder", tmm::desk::usage, argc, argv, tmm::desk::set_up, tmm::desk::hold);
}
