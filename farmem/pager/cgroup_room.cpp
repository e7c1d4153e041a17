// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/cgroup_room.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::far {

namespace {

// Of one cgroup. The root has no such files.
std::int64_t room_of(const RootDir& root, const std::string& cgroup) {
    const auto read = [&](const char* knob) {
        const auto text = root.read_file("sys/fs/cgroup" + cgroup + "/" + knob);
        const auto bytes = text ? parse_uint(trim(*text)) : Result<std::uint64_t>(text.error());
        return bytes ? static_cast<std::int64_t>(std::min<std::uint64_t>(*bytes, no_bound)) : std::int64_t{-1};
    };
    const std::int64_t current = read("memory.current");
    std::int64_t room = no_bound;
    for (const char* const knob : {"memory.high", "memory.max"}) {
        if (const std::int64_t limit = read(knob); limit >= 0 && current >= 0)
            room = std::min(room, limit - current);
    }
    return room;
}

}  // namespace

Result<std::string> cgroup_of(const RootDir& root, pid_t pid) {
    auto text = root.read_file("proc/" + std::to_string(pid) + "/cgroup");
    if (!text)
        return std::move(text).error();
    std::string cgroup;
    for (std::string_view rest = *text; !rest.empty();) {
        if (const std::string_view line = next_line(rest); line.starts_with("0::/"))
            cgroup = line.substr(3);
    }
    if (cgroup.empty())
        return Error(ENODATA, "no cgroup of version 2");
    return cgroup;
}

std::int64_t cgroup_room(const RootDir& root, std::string cgroup) {
    std::int64_t room = no_bound;
    for (; cgroup.size() > 1; cgroup.resize(cgroup.rfind('/')))
        room = std::min(room, room_of(root, cgroup));
    return room;
}

std::uint64_t follow(std::uint64_t used, std::int64_t room, std::uint64_t min, std::uint64_t max) {
    const std::int64_t wanted = static_cast<std::int64_t>(used) + room;
    return std::clamp(static_cast<std::uint64_t>(std::max<std::int64_t>(wanted, 0)), std::min(min, max), max);
}

}  // namespace tmm::far
