// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>

namespace soft {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

}  // namespace soft
