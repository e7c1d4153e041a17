// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/stall_alarm.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/bounds/in_turn.hpp"
#include "base/text/proc_text.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {

std::string microseconds(core::Seconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

// systemd makes cgroups for mount points, among others, that never have a process.
bool is_populated(const RootDir& root, const std::string& cgroup) {
    const auto text = root.read_file(cgroup + "/cgroup.events");
    const auto populated = text ? parse_stat(*text, "populated") : Result<std::uint64_t>(text.error());
    return !populated || *populated == 1;
}

}  // namespace

Result<void> StallAlarm::follow(const std::vector<std::string>& transparent_cgroups, core::Seconds threshold,
                                core::Seconds window) {
    const std::string text = "some " + microseconds(threshold) + " " + microseconds(window);
    if (text != text_)
        close();
    text_ = text;
    std::vector<std::string> files;
    for (const std::string& cgroup : opaque_cgroups(root_, transparent_cgroups)) {
        if (is_populated(root_, cgroup))
            files.push_back(cgroup + "/memory.pressure");
    }
    if (files.size() > max_cgroups)
        files = in_turn(
            files, [&](const std::string& file) { return user_of(root_, file); }, max_cgroups);
    if (!files.empty()) {
        if (auto done = set(files, text); done && !triggers_.empty())
            return {};
    }
    auto done = set({std::string(machine)}, text);
    if (!done)
        close();
    return done;
}

// Sets triggers for these files and removes all others. A file that is gone is no error, unless it is the machine's.
Result<void> StallAlarm::set(const std::vector<std::string>& files, const std::string& text) {
    std::erase_if(triggers_, [&](const auto& one) { return std::find(files.begin(), files.end(), one.first) == files.end(); });
    for (const std::string& file : files) {
        if (triggers_.contains(file))
            continue;
        auto opened = root_.open_file(file, O_RDWR | O_NONBLOCK);
        if (!opened && opened.error().code() == ENOENT && file != machine)
            continue;
        if (!opened)
            return std::move(opened).error();
        // The kernel wants the null at the end, too.
        const auto size = static_cast<ssize_t>(text.size() + 1);
        if (::write(opened->get(), text.c_str(), text.size() + 1) != size)
            return Error::from_errno(errno, root_.name_of(file));
        triggers_.emplace(file, *std::move(opened));
    }
    return {};
}

void StallAlarm::close() {
    triggers_.clear();
}

std::vector<pollfd> StallAlarm::files() const {
    std::vector<pollfd> files;
    for (const auto& [name, file] : triggers_)
        files.push_back({file.get(), POLLPRI, 0});
    return files;
}

bool StallAlarm::take(std::span<const pollfd> reports) {
    bool alarm = false;
    for (const pollfd& report : reports) {
        const auto trigger =
            std::find_if(triggers_.begin(), triggers_.end(), [&](const auto& one) { return one.second.get() == report.fd; });
        if (trigger == triggers_.end())
            continue;
        // The kernel sets POLLPRI beside POLLERR for a removed cgroup.
        if ((report.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
            triggers_.erase(trigger);
        else if ((report.revents & POLLPRI) != 0)
            alarm = true;
    }
    return alarm;
}

}  // namespace tmm::os
