// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One read in many is a sample: it counts for the reads since the last sample, and a test may lose its object or validate it.
// Every other read pays one decrement of a variable of its thread.
#pragma once

#include <cstdint>

#include "softlib/detail/language.hpp"

namespace soft::detail {

/// Reads of this thread until the next sample, less one.
///
/// initial-exec: at a fixed distance from the thread's own pointer. Otherwise each read in a shared library calls __tls_get_addr.
/// A library that is loaded by dlopen() may use it, too: libsoftlib's variables of a thread are a few hundred bytes, and the C
/// library leaves room for more.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local std::int32_t reads_until_sample;

inline bool wants_sample() noexcept {
    return --reads_until_sample < 0;
}

/// Begins the next interval. Returns the number of reads that the present sample stands for.
std::uint32_t begin_interval() noexcept;

}  // namespace soft::detail
