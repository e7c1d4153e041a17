// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochObserver: what an epoch shows besides the sample of pages: how busy opaque applications were, what they missed, and how
// long the stores took. Called from one thread.
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

    // Processor time of opaque applications since the last call: cheap. transparent_cgroups: as in os::MissCounter::count.
    Result<core::Seconds> read_cpu_delta(const std::vector<std::string>& transparent_cgroups);

    // Completes a sample with all that happened since the last call. Returns the opaque major faults.
    Result<std::uint64_t> complete(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups);

private:
    os::MissCounter misses_;
    os::OpaqueRefaults refaults_;
    os::OpaqueCpu cpu_;
    os::BackingLatency latency_;
    core::Seconds cpu_taken_{0};  // since complete()
};

}  // namespace tmm::app
