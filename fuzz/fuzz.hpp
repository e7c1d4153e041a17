// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The common part of all fuzz targets: the entry point that libFuzzer and corpus_driver.cpp call, and a check for failures other
// than crashes.
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

// Aborts unless holds, a property that every input must have. what: its text, for the message.
inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "fuzz: this does not hold: %s\n", what);
    std::abort();
}

}  // namespace tmm::fuzz

#define TMM_REQUIRE(condition) ::tmm::fuzz::require(condition, #condition)
