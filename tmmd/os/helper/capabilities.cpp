// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/capabilities.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace tmm::os {

namespace {

// Each has 32 capabilities.
using Halves = std::array<__user_cap_data_struct, 2>;

Result<Halves> read_capabilities() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    Halves halves{};
    if (::syscall(SYS_capget, &header, halves.data()) != 0)
        return Error::from_errno(errno, "capget");
    return halves;
}

}  // namespace

Result<Capabilities> own_capabilities() {
    const auto halves = read_capabilities();
    if (!halves)
        return halves.error();
    return (Capabilities{(*halves)[1].effective} << 32) | (*halves)[0].effective;
}

Result<void> keep_capabilities(Capabilities kept) {
    const auto now = read_capabilities();
    if (!now)
        return now.error();
    Capabilities others = 0;
    Halves wanted{};  // the same in two sets; nothing is inheritable
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const __user_cap_data_struct& half = (*now)[i];
        const auto kept_here = static_cast<std::uint32_t>(kept >> (32 * i));
        others |= (half.permitted | half.effective | half.inheritable) & ~kept_here;
        wanted[i].effective = half.effective & kept_here;
        wanted[i].permitted = half.permitted & kept_here;
    }
    if (others == 0)
        return {};
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    if (::syscall(SYS_capset, &header, wanted.data()) != 0)
        return Error::from_errno(errno, "capset");
    return {};
}

}  // namespace tmm::os
