// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/launcher_config.hpp"

#include <cerrno>
#include <iterator>

namespace tmm {

Result<LauncherConfig> make_config(const std::vector<IniEntry>& entries) {
    LauncherConfig config;
    for (const IniEntry& entry : entries) {
        if (entry.section != "Launcher" || entry.key != "Cgroup")
            return Error(EINVAL, entry.where() + ": unknown key in [" + entry.section + "]; known is Cgroup in [Launcher]");
        if (!entry.value.empty() && entry.value[0] != '/')
            return Error(EINVAL, entry.where() + ": '" + entry.value + "' must be an absolute path, or empty for systemd");
        config.cgroup_dir = entry.value;
    }
    return config;
}

Result<LauncherConfig> read_config(const RootDir& root, const std::string& user_config_dir) {
    auto entries = read_ini_with_dropins(root, "etc/tmm/maketransparent.conf", true);
    if (!entries)
        return std::move(entries).error();
    if (!user_config_dir.empty()) {
        auto own = read_ini_with_dropins(root, user_config_dir + "/tmm/maketransparent.conf", true);
        if (!own)
            return std::move(own).error();
        entries->insert(entries->end(), std::make_move_iterator(own->begin()), std::make_move_iterator(own->end()));
    }
    return make_config(*entries);
}

}  // namespace tmm
