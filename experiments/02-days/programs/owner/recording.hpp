// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes an owner's days from a recording of a real machine, tmm-replay(1).
#pragma once

#include <cstdint>

#include "pattern.hpp"
#include "tmmd/trace/trace_reader.hpp"
#include "trace.hpp"

namespace tmm::days {

// A recorded page takes as many units of owner.recorded_unit_bytes as it stands for, at least one. A page that was evicted from
// the recorded machine goes for good: a recording does not tell it from one that was freed. All memory is anonymous and in one
// cgroup, and the owner waits for all of it. Reads no further than owner.length. Error: that of the reader, or more units or
// touches than fit.
Result<Trace> read_recording(trace::TraceReader& reader, const Owner& owner, std::uint64_t seed);

}  // namespace tmm::days
