// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/names.hpp"

#include <algorithm>
#include <cerrno>

#include "base/transparent_class.hpp"

namespace tmm {

namespace {

constexpr std::size_t max_name_length = 64;
constexpr std::string_view scope_prefix = "maketransparent-";
constexpr std::string_view scope_suffix = ".scope";
// No name holds it, so "povray+2" is always the second povray.
constexpr char attempt_mark = '+';

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Not isalnum(): what is a letter must not depend on the locale.
bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' || c == '_' || c == '-';
}

Error bad_name(std::string_view name, const std::string& what) {
    std::string shown;
    for (const char c : name.substr(0, max_name_length))
        shown += c >= ' ' && c <= '~' ? c : '?';
    return {EINVAL, "'" + shown + "' is no name for a contribution: " + what};
}

bool is_our_scope(std::string_view cgroup) {
    return cgroup.starts_with(scope_prefix) && cgroup.ends_with(scope_suffix) &&
           cgroup.size() > scope_prefix.size() + scope_suffix.size();
}

}  // namespace

Result<void> check_name(std::string_view name) {
    if (name.empty())
        return bad_name(name, "it is empty");
    if (name.size() > max_name_length)
        return bad_name(name, "it is longer than " + std::to_string(max_name_length) + " characters");
    if (!std::all_of(name.begin(), name.end(), is_name_character))
        return bad_name(name, "only letters, digits, '.', '_' and '-' may be used");
    if (name[0] == '.' || name[0] == '-')
        return bad_name(name, "it must not start with '.' or '-'");
    if (std::all_of(name.begin(), name.end(), is_digit))
        return bad_name(name, "digits alone would be taken for a process id");
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

std::string cgroup_name(const std::string& name, int attempt) {
    return attempt <= 1 ? name : name + attempt_mark + std::to_string(attempt);
}

std::string scope_name(const std::string& name, pid_t launcher, int attempt) {
    std::string number = std::to_string(launcher);
    if (attempt > 1)
        number += "." + std::to_string(attempt);
    return std::string(scope_prefix) + name + "-" + number + std::string(scope_suffix);
}

std::string contribution_name(std::string_view cgroup) {
    if (is_our_scope(cgroup)) {
        std::string_view inner = cgroup.substr(scope_prefix.size());
        inner.remove_suffix(scope_suffix.size());
        const auto dash = inner.find_last_of('-');
        if (dash == std::string_view::npos || dash == 0)
            return std::string(cgroup);
        return std::string(inner.substr(0, dash));
    }
    return std::string(cgroup.substr(0, cgroup.find(attempt_mark)));
}

bool is_foreign_unit(std::string_view cgroup) {
    return !is_our_scope(cgroup) && (cgroup.ends_with(".service") || cgroup.ends_with(".slice") || cgroup.ends_with(".scope"));
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
