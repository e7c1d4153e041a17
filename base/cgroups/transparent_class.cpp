// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cgroups/transparent_class.hpp"

#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <string>

namespace tmm {

namespace {

constexpr const char* attribute = "user.tmm.class";
constexpr std::string_view transparent = "transparent";

}  // namespace

bool is_whole_session(std::string_view name) {
    return name == "session.slice" || name == "app.slice" || (name.starts_with("user@") && name.ends_with(".service"));
}

bool has_transparent_attribute(const RootDir& cgroup) {
    // The buffer has one byte more than the value, so that a longer value differs.
    std::array<char, transparent.size() + 1> value{};
    const ssize_t size = ::fgetxattr(cgroup.fd(), attribute, value.data(), value.size());
    return size > 0 && std::string_view(value.data(), static_cast<std::size_t>(size)) == transparent;
}

Result<void> set_transparent_attribute(const RootDir& cgroup) {
    if (::fsetxattr(cgroup.fd(), attribute, transparent.data(), transparent.size(), 0) != 0)
        return Error::from_errno(errno, "cannot mark " + cgroup.name_of("") + " with the attribute " + attribute);
    return {};
}

}  // namespace tmm
