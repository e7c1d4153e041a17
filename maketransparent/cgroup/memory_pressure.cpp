// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/memory_pressure.hpp"

#include <fcntl.h>

#include "maketransparent/cgroup/cgroup_mount.hpp"
#include "maketransparent/process/process_info.hpp"

namespace tmm {

std::optional<std::string> pressure_file(const RootDir& root, const std::optional<std::string>& inherited) {
    constexpr const char* name = "/memory.pressure";
    if (inherited && !inherited->ends_with(name))
        return std::nullopt;
    const auto mount = find_cgroup_mount(root);
    const auto text = root.read_file("proc/self/cgroup");
    const auto cgroup = text ? parse_cgroup(*text) : Result<std::string>(text.error());
    if (!mount || !cgroup)
        return std::nullopt;
    std::string file = mount->dir_of(*cgroup) + name;
    // Older kernels, such as 6.1, refuse all but root. A program that cannot open it would complain.
    return root.open_file(file, O_RDWR | O_NONBLOCK) ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace tmm
