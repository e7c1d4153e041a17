// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// For people who test a program that uses soft memory. What a program must be ready for happens seldom by itself.
#pragma once

namespace soft {

/// From now on each read of an object finds it lost with this probability, in [0, 1]; what is beyond counts as the limit. 0, as
/// it is at first: only what is lost is lost. The environment's SOFTLIB_LOSE=P does the same from the start of the process.
///
/// Which reads is repeatable for a thread that does the same reads. Other threads notice at the latest after 128 reads.
/// Thread-safe, allocates nothing, does not fail.
void lose_reads(double probability) noexcept;

/// From now on each read that finds its object, of a pool with a reconstructor, calls that all the same with this probability, in
/// [0, 1], and compares: by operator== if there is one, otherwise by bytes; objects with padding and without operator== are left
/// out. Where the reconstructor makes something else it does not make what the program relies on: pool_statistics counts it,
/// and the first one of a pool is told on stderr. The reader gets what was there, and exceptions of the reconstructor stay
/// unseen. The environment's SOFTLIB_VALIDATE=P does the same from the start of the process.
///
/// Thread-safe, allocates nothing, does not fail. Other threads notice as above.
void validate_reads(double probability) noexcept;

}  // namespace soft
