// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/epoch_observer.hpp"

namespace tmm::app {

namespace {

core::StoreReads store_reads(const os::ReadStats& stats) {
    return {static_cast<double>(stats.reads), stats.time};
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

Result<std::uint64_t> EpochObserver::complete(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups) {
    const auto used = read_cpu_delta(transparent_cgroups);
    if (!used)
        return used.error();
    sample.active = cpu_taken_;
    cpu_taken_ = core::Seconds(0);

    const auto kinds = refaults_.read_delta(transparent_cgroups);
    if (!kinds)
        return kinds.error();
    // Without refaults, the kinds do not matter.
    const auto refaults = static_cast<double>(kinds->anonymous + kinds->file);
    if (refaults > 0)
        sample.anonymous_refaults = static_cast<double>(kinds->anonymous) / refaults;

    const auto reads = latency_.read_delta();
    if (!reads)
        return reads.error();
    sample.reads[static_cast<std::size_t>(core::Store::swap_disk)] = store_reads(reads->anonymous_disk);
    sample.reads[static_cast<std::size_t>(core::Store::swap_zram)] = store_reads(reads->anonymous_zram);
    sample.reads[static_cast<std::size_t>(core::Store::file)] = store_reads(reads->file);
    return misses_.read_delta(transparent_cgroups);
}

}  // namespace tmm::app
