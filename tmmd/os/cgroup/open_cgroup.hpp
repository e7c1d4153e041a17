// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OpenCgroup: a cgroup on a walk through the tree, with its open directory. It opens children by their names alone, so that a
// deep tree costs no more than a wide one. Users nest cgroups without end: a walk goes no deeper than max_depth.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/root_dir.hpp"

namespace tmm::os {

class OpenCgroup {
public:
    // Below the one where the walk began. Containers in containers have some fifteen.
    static constexpr int max_depth = 32;

    // path: below the root directory; symbolic links are refused. above: the user of the cgroup above; root for none. Nothing: it
    // is not there.
    static std::optional<OpenCgroup> open(const RootDir& root, std::string path, uid_t above = 0);

    // Nothing: it has vanished, or is too deep.
    [[nodiscard]] std::optional<OpenCgroup> child(const std::string& name) const;

    // Returns the names of at most max children, sorted. Their user may make them without end.
    [[nodiscard]] std::vector<std::string> children(std::size_t max) const;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const RootDir& dir() const { return dir_; }
    // Who may make cgroups in it, as user_of() says.
    [[nodiscard]] uid_t user() const { return user_; }

private:
    OpenCgroup(std::string path, RootDir dir, uid_t above, int depth);

    std::string path_;
    RootDir dir_;
    uid_t user_;
    int depth_;
};

}  // namespace tmm::os
