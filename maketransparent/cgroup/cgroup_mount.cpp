// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/cgroup_mount.hpp"

#include <cerrno>
#include <optional>
#include <vector>

namespace tmm {

namespace {

// Replaces \ooo, by which the kernel writes blank, tab, newline and backslash.
std::string unescape(std::string_view text) {
    std::string plain;
    const auto octal = [](char c) { return c >= '0' && c <= '7'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) && octal(text[i + 3])) {
            plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::vector<std::string_view> split_words(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const auto end = line.find(' ');
        if (end != 0)
            words.push_back(line.substr(0, end));
        line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    }
    return words;
}

// "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAG...] - TYPE SOURCE OPTIONS"
std::optional<CgroupMount> parse_cgroup2_line(std::string_view line) {
    const auto separator = line.find(" - ");
    if (separator == std::string_view::npos || !line.substr(separator + 3).starts_with("cgroup2 "))
        return {};
    const auto words = split_words(line.substr(0, separator));
    if (words.size() < 6)
        return {};
    return CgroupMount{unescape(words[3]), unescape(words[4])};
}

}  // namespace

std::string CgroupMount::dir_of(std::string_view cgroup) const {
    if (root != "/" && cgroup.starts_with(root) && (cgroup.size() == root.size() || cgroup[root.size()] == '/'))
        cgroup.remove_prefix(root.size());
    return cgroup == "/" ? point : point + std::string(cgroup);
}

Result<CgroupMount> parse_mountinfo(std::string_view text) {
    std::optional<CgroupMount> found;
    while (!text.empty()) {
        const auto end = text.find('\n');
        if (auto mount = parse_cgroup2_line(text.substr(0, end)); mount && (!found || (found->root != "/" && mount->root == "/")))
            found = std::move(mount);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (!found)
        return Error(
            ENOENT,
            "cgroup v2 is not mounted: start the system with systemd.unified_cgroup_hierarchy=1 (or cgroup_no_v1=all) on the "
            "kernel's command line, or mount it with 'mount -t cgroup2 none /sys/fs/cgroup'");
    return *found;
}

Result<CgroupMount> find_cgroup_mount(const RootDir& root) {
    auto text = root.read_file("proc/self/mountinfo");
    if (!text)
        return std::move(text).error();
    return parse_mountinfo(*text);
}

}  // namespace tmm
