// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Configuration of maketransparent: /etc/tmm/maketransparent.conf, then the user's own tmm/maketransparent.conf below
// $XDG_CONFIG_HOME or ~/.config, each with its .d directory. All may be missing. Later files win.
#pragma once

#include <string>
#include <vector>

#include "base/ini.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

struct LauncherConfig {
    std::string cgroup_dir;  // absolute; empty: systemd
};

// Pure. Error: EINVAL, names file, line and key.
Result<LauncherConfig> make_config(const std::vector<IniEntry>& entries);

// user_config_dir: absolute, empty where the user has none.
Result<LauncherConfig> read_config(const RootDir& root, const std::string& user_config_dir);

}  // namespace tmm
