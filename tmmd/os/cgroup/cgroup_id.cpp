// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/cgroup_id.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

core::CgroupId cgroup_id_of(const RootDir& root, const std::string& cgroup) {
    struct stat status {};
    const std::string path = cgroup_mount + cgroup;
    if (::fstatat(root.fd(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return core::unknown_cgroup;
    return status.st_ino;
}

}  // namespace tmm::os
