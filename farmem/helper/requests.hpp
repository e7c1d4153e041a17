// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a pager without rights asks tmm-far-helper for: one word a message. The answer is "ok", or "error: " with the reason.
#pragma once

#include <string_view>

namespace tmm::far::helper {

inline constexpr std::string_view default_socket = "/run/tmm-far/helper";

inline constexpr std::string_view open_device = "open";       // the answer has /dev/userfaultfd
inline constexpr std::string_view begin_userfault = "begin";  // has a userfaultfd, which is to report forks
inline constexpr std::string_view ok = "ok";
inline constexpr std::string_view error_prefix = "error: ";

}  // namespace tmm::far::helper
