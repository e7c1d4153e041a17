// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/epoch_observer.hpp"

namespace tmm::app {

namespace {

core::StoreReads store_reads(const os::ReadStats& stats) {
    return {static_cast<double>(stats.reads), stats.time};
}

// Returns the error's message; empty without one.
template <typename T>
std::string problem_of(const Result<T>& result) {
    return result ? "" : result.error().message();
}

}  // namespace

Result<core::Seconds> EpochObserver::read_cpu_delta(const std::vector<std::string>& transparent_cgroups) {
    const auto used = cpu_.read_delta(transparent_cgroups);
    if (!used)
        return used.error();
    const core::Seconds seconds(*used);
    cpu_taken_ += seconds;
    return seconds;
}

Result<std::optional<std::uint64_t>> EpochObserver::complete(core::EpochSample& sample,
                                                             const std::vector<std::string>& transparent_cgroups) {
    const auto used = read_cpu_delta(transparent_cgroups);
    if (!used)
        return used.error();
    sample.active = cpu_taken_;
    cpu_taken_ = core::Seconds(0);
    add_refaults(sample, transparent_cgroups);
    add_latency(sample);
    const auto faults = misses_.read_delta(transparent_cgroups);
    no_misses_.warn(problem_of(faults), "; faults after a return are not counted");
    return faults ? std::optional(*faults) : std::nullopt;
}

void EpochObserver::add_refaults(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups) {
    const auto kinds = refaults_.read_delta(transparent_cgroups);
    no_refaults_.warn(problem_of(kinds), "; refaults count as anonymous");
    if (!kinds)
        return;
    // Without refaults, the kinds do not matter.
    const auto refaults = static_cast<double>(kinds->anonymous + kinds->file);
    if (refaults > 0)
        sample.anonymous_refaults = static_cast<double>(kinds->anonymous) / refaults;
}

void EpochObserver::add_latency(core::EpochSample& sample) {
    const auto reads = latency_.read_delta();
    no_latency_.warn(problem_of(reads), "; the latency of misses stays as it was");
    if (!reads)
        return;
    sample.reads[static_cast<std::size_t>(core::Store::swap_disk)] = store_reads(reads->anonymous_disk);
    sample.reads[static_cast<std::size_t>(core::Store::swap_zram)] = store_reads(reads->anonymous_zram);
    sample.reads[static_cast<std::size_t>(core::Store::file)] = store_reads(reads->file);
}

}  // namespace tmm::app
