// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cgroups/contribution_name.hpp"

namespace tmm {

namespace {

constexpr std::string_view scope_prefix = "maketransparent-";
constexpr std::string_view scope_suffix = ".scope";
// Names of contributions never hold this character, so "povray+2" is always the second povray.
constexpr char attempt_mark = '+';

}  // namespace

std::string cgroup_name(const std::string& name, int attempt) {
    return attempt <= 1 ? name : name + attempt_mark + std::to_string(attempt);
}

std::string scope_name(const std::string& name, pid_t launcher, int attempt) {
    std::string number = std::to_string(launcher);
    if (attempt > 1)
        number += "." + std::to_string(attempt);
    return std::string(scope_prefix) + name + "-" + number + std::string(scope_suffix);
}

bool is_contribution_scope(std::string_view cgroup) {
    return cgroup.starts_with(scope_prefix) && cgroup.ends_with(scope_suffix) &&
           cgroup.size() > scope_prefix.size() + scope_suffix.size();
}

std::string contribution_name(std::string_view cgroup) {
    if (is_contribution_scope(cgroup)) {
        std::string_view inner = cgroup.substr(scope_prefix.size());
        inner.remove_suffix(scope_suffix.size());
        const auto dash = inner.find_last_of('-');
        if (dash == std::string_view::npos || dash == 0)
            return std::string(cgroup);
        return std::string(inner.substr(0, dash));
    }
    return std::string(cgroup.substr(0, cgroup.find(attempt_mark)));
}

}  // namespace tmm
