// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochObserver: adds to an epoch's sample of pages how busy opaque programs were, their misses, and the latency of the backing
// stores. Only the first is needed to protect the owner. Without one of the others it logs that once, and goes on. Called from
// one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/problem_log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/counters/backing_latency.hpp"
#include "tmmd/os/counters/miss_counter.hpp"
#include "tmmd/os/counters/opaque_activity.hpp"

namespace tmm::app {

class EpochObserver {
public:
    // root and log must outlive it.
    EpochObserver(const RootDir& root, const Log& log)
        : misses_(root), refaults_(root), cpu_(root), latency_(root), no_misses_(log), no_refaults_(log), no_latency_(log) {}

    // Returns the processor time of opaque programs since the last call, at low cost. transparent_cgroups: as for
    // os::MissCounter::read_delta. Error: as of os::OpaqueCpu::read_delta.
    Result<core::Seconds> read_cpu_delta(const std::vector<std::string>& transparent_cgroups);

    // Adds all counts since the last call to the sample. Returns the opaque major faults since then; nothing if they cannot be
    // read. Error: as of read_cpu_delta().
    Result<std::optional<std::uint64_t>> complete(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups);

private:
    void add_refaults(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups);
    void add_latency(core::EpochSample& sample);

    os::MissCounter misses_;
    os::OpaqueRefaults refaults_;
    os::OpaqueCpu cpu_;
    os::BackingLatency latency_;
    ProblemLog no_misses_;
    ProblemLog no_refaults_;
    ProblemLog no_latency_;
    core::Seconds cpu_taken_{0};  // since complete()
};

}  // namespace tmm::app
