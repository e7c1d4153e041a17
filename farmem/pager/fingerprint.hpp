// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// fingerprint(): the content of a page as 128 bits, by which the pager knows it again. Pure. seed: a secret, so that nobody makes
// two pages alike on purpose.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "farmem/core/page.hpp"

namespace tmm::far {

inline Content fingerprint(const char* page, std::uint64_t seed) {
    // Compared with itself, one byte on.
    if (page[0] == 0 && std::memcmp(page, page + 1, page_bytes - 1) == 0)
        return {.is_zero = true, .hash = {}};
    const XXH128_hash_t hash = XXH3_128bits_withSeed(page, page_bytes, seed);
    return {.is_zero = false, .hash = {hash.low64, hash.high64}};
}

}  // namespace tmm::far
