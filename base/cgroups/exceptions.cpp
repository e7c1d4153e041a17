// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cgroups/exceptions.hpp"

#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

namespace tmm {

namespace {

constexpr std::string_view never = "never";

const char* attribute_of(Exception exception) {
    return exception == Exception::never_count ? "user.tmm.count" : "user.tmm.freeze";
}

}  // namespace

bool has_exception(const RootDir& cgroup, Exception exception) {
    // The buffer has one byte more than the value, so that a longer value differs.
    std::array<char, never.size() + 1> value{};
    const ssize_t size = ::fgetxattr(cgroup.fd(), attribute_of(exception), value.data(), value.size());
    return size > 0 && std::string_view(value.data(), static_cast<std::size_t>(size)) == never;
}

Result<void> set_exception(const RootDir& cgroup, Exception exception, bool on) {
    const char* const attribute = attribute_of(exception);
    const int code =
        on ? ::fsetxattr(cgroup.fd(), attribute, never.data(), never.size(), 0) : ::fremovexattr(cgroup.fd(), attribute);
    if (code == 0 || (!on && errno == ENODATA))
        return {};
    return Error::from_errno(errno, "cannot change the attribute " + std::string(attribute) + " of " + cgroup.name_of(""));
}

}  // namespace tmm
