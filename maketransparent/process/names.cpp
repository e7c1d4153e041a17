// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/names.hpp"

#include <algorithm>
#include <cerrno>

#include "base/cgroups/transparent_class.hpp"

namespace tmm {

namespace {

constexpr std::size_t max_name_length = 64;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Not isalnum(), which depends on the locale.
bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' || c == '_' || c == '-';
}

Error invalid_name(std::string_view name, const std::string& what) {
    std::string shown;
    for (const char c : name.substr(0, max_name_length))
        shown += c >= ' ' && c <= '~' ? c : '?';
    return {EINVAL, "'" + shown + "' is no name for a contribution: " + what};
}

}  // namespace

Result<void> check_name(std::string_view name) {
    if (name.empty())
        return invalid_name(name, "it is empty");
    if (name.size() > max_name_length)
        return invalid_name(name, "it is longer than " + std::to_string(max_name_length) + " characters");
    if (!std::all_of(name.begin(), name.end(), is_name_character))
        return invalid_name(name, "only letters, digits, '.', '_' and '-' may be used");
    if (name[0] == '.' || name[0] == '-')
        return invalid_name(name, "it must not start with '.' or '-'");
    if (std::all_of(name.begin(), name.end(), is_digit))
        return invalid_name(name, "digits alone would be taken for a process id");
    return {};
}

std::string name_from_command(std::string_view command) {
    const auto slash = command.find_last_of('/');
    std::string name(slash == std::string_view::npos ? command : command.substr(slash + 1));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !is_name_character(c); }, '_');
    name.erase(0, name.find_first_not_of(".-"));
    name.resize(std::min(name.size(), max_name_length));
    return check_name(name) ? name : "contribution";
}

bool is_foreign_unit(std::string_view cgroup) {
    return !is_contribution_scope(cgroup) &&
           (cgroup.ends_with(".service") || cgroup.ends_with(".slice") || cgroup.ends_with(".scope"));
}

bool in_transparent_slice(std::string_view path) {
    while (!path.empty()) {
        const auto slash = path.find('/');
        if (path.substr(0, slash) == transparent_slice)
            return true;
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    }
    return false;
}

}  // namespace tmm
