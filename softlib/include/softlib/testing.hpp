// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// For tests of programs that use soft memory: losses seldom happen by themselves.
#pragma once

#include "softlib/detail/language.hpp"

namespace soft {

/// From now on each read of an object finds it lost with this probability.
///
/// `probability`: in [0, 1]; values beyond are clamped. 0, the initial value: only what the kernel or a heap takes is lost.
/// SOFTLIB_LOSE=P in the environment does the same from the start of the process.
///
/// A thread that does the same reads loses the same ones. Other threads follow after at most 1,024 of their own reads.
///
/// Thread-safe, allocates nothing, does not fail.
void lose_reads(double probability) noexcept;

/// From now on each read that finds its object also calls the reconstructor with this probability, and compares.
///
/// `probability`: in [0, 1]; values beyond are clamped. SOFTLIB_VALIDATE=P in the environment does the same from the start of the
/// process.
///
/// The comparison is operator== if there is one, otherwise by bytes. Objects with padding and without operator== are left out. A
/// mismatch means that the program cannot rely on the reconstructor: pool_statistics counts it, and the first one of a pool is
/// printed on stderr. The reader gets the object that was there, and never sees what the reconstructor throws.
///
/// Thread-safe, allocates nothing, does not fail. Other threads follow as with lose_reads().
void validate_reads(double probability) noexcept;

}  // namespace soft
