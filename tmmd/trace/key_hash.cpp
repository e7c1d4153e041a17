// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/key_hash.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>

namespace tmm::trace {

Result<KeyHash> KeyHash::random() {
    std::array<std::uint64_t, 2> secret{};
    if (::getrandom(secret.data(), sizeof secret, 0) != static_cast<ssize_t>(sizeof secret))
        return Error::from_errno(errno, "getrandom");
    return KeyHash(secret[0], secret[1]);
}

}  // namespace tmm::trace
