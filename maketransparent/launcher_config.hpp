// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Configuration of maketransparent(1). It reads /etc/tmm/maketransparent.conf, then tmm/maketransparent.conf of the user's
// configuration directory, each with its .d directory. All files may be missing; later ones win.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/text/ini.hpp"

namespace tmm {

struct LauncherConfig {
    std::string cgroup_dir;  // absolute; empty for systemd
};

// Converts entries to a configuration. Pure. Error: EINVAL, with file, line and key.
Result<LauncherConfig> make_config(const std::vector<IniEntry>& entries);

// Reads the files.
// user_config_dir: $XDG_CONFIG_HOME or ~/.config, absolute; empty if the user has none.
// Errors: those of make_config(); a file is broken or cannot be read.
Result<LauncherConfig> read_config(const RootDir& root, const std::string& user_config_dir);

}  // namespace tmm
