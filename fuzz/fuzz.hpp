// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What all fuzz targets share: the entry point that libFuzzer and corpus_driver.cpp call, and how a target says that something is
// wrong besides a crash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tmm::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// A property that every input must have.
inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "fuzz: it does not hold that %s\n", what);
    std::abort();
}

}  // namespace tmm::fuzz

#define TMM_REQUIRE(condition) ::tmm::fuzz::require(condition, #condition)
