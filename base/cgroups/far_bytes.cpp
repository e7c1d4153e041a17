// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cgroups/far_bytes.hpp"

#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace tmm {

namespace {

constexpr const char* far_attribute = "user.tmm.far";
constexpr std::size_t max_digits = 20;

}  // namespace

std::uint64_t far_bytes(const RootDir& cgroup) {
    std::array<char, max_digits> value{};
    const ssize_t size = ::fgetxattr(cgroup.fd(), far_attribute, value.data(), value.size());
    const auto bytes = parse_uint(std::string_view(value.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))));
    return bytes ? *bytes : 0;
}

Result<void> set_far_bytes(const RootDir& cgroup, std::uint64_t bytes) {
    const std::string text = std::to_string(bytes);
    if (::fsetxattr(cgroup.fd(), far_attribute, text.data(), text.size(), 0) == 0)
        return {};
    return Error::from_errno(errno, "cannot change the attribute " + std::string(far_attribute) + " of " + cgroup.name_of(""));
}

}  // namespace tmm
