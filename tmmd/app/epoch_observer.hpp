// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochObserver: adds to an epoch's sample of pages how busy opaque programs were, their misses, and the latency of the backing
// stores. Called from one thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/counters/backing_latency.hpp"
#include "tmmd/os/counters/miss_counter.hpp"
#include "tmmd/os/counters/opaque_activity.hpp"

namespace tmm::app {

class EpochObserver {
public:
    // root must outlive it.
    explicit EpochObserver(const RootDir& root) : misses_(root), refaults_(root), cpu_(root), latency_(root) {}

    // Returns the processor time of opaque programs since the last call, at low cost. transparent_cgroups: as for
    // os::MissCounter::read_delta. Error: as of os::OpaqueCpu::read_delta.
    Result<core::Seconds> read_cpu_delta(const std::vector<std::string>& transparent_cgroups);

    // Adds all counts since the last call to the sample. Returns the opaque major faults since then. Error: a counter cannot be
    // read.
    Result<std::uint64_t> complete(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups);

private:
    os::MissCounter misses_;
    os::OpaqueRefaults refaults_;
    os::OpaqueCpu cpu_;
    os::BackingLatency latency_;
    core::Seconds cpu_taken_{0};  // since complete()
};

}  // namespace tmm::app
