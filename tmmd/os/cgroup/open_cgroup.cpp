// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/open_cgroup.hpp"

#include <cerrno>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

OpenCgroup::OpenCgroup(std::string path, RootDir dir, uid_t above, int depth)
    : path_(std::move(path)), dir_(std::move(dir)), user_(user_of(dir_, above)), depth_(depth) {}

std::optional<OpenCgroup> OpenCgroup::open(const RootDir& root, std::string path, uid_t above) {
    auto dir = root.subdir_without_links(path);
    if (!dir)
        return std::nullopt;
    return OpenCgroup(std::move(path), *std::move(dir), above, 0);
}

std::optional<OpenCgroup> OpenCgroup::child(const std::string& name) const {
    auto dir = depth_ < max_depth ? dir_.subdir_without_links(name) : Result<RootDir>(Error(ELOOP, name));
    if (!dir)
        return std::nullopt;
    return OpenCgroup(path_ + "/" + name, *std::move(dir), user_, depth_ + 1);
}

std::vector<std::string> OpenCgroup::children(std::size_t max) const {
    return list_children(dir_, max);
}

}  // namespace tmm::os
