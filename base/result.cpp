// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/result.hpp"

#include <system_error>

namespace tmm {

Error Error::from_errno(int errno_code, const std::string& context) {
    // generic_category().message() is the thread-safe strerror().
    return {errno_code, context + ": " + std::generic_category().message(errno_code)};
}

}  // namespace tmm
