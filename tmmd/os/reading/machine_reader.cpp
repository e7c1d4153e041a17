// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/machine_reader.hpp"

#include <utility>

#include "tmmd/os/limits/contributed_memory.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/reading/counters/memory_info.hpp"
#include "tmmd/os/reading/presence/power_supply.hpp"

namespace tmm::os {

namespace {

// Bounds how often a battery's state is read, because a read may take long.
constexpr core::Seconds min_mains_interval{10};

constexpr core::Seconds kept_interval{60};

// Of counters read for an alarm. The kernel may raise several in a second.
constexpr core::Seconds max_presence_age{1};

core::StoreReads store_reads(const ReadStats& stats) {
    return {static_cast<double>(stats.reads), stats.time};
}

}  // namespace

MachineReader::MachineReader(const RootDir& root, std::function<core::Seconds()> own_cpu_time)
    : root_(root),
      own_cpu_time_(std::move(own_cpu_time)),
      cpu_(root),
      faults_(root),
      refaults_(root),
      latency_(root),
      pressure_(root),
      alarm_(root),
      swap_(root),
      presence_(root) {}

void MachineReader::source_opened() {
    last_scan_.reset();
    preparing_ = false;
    rate_changed_ = false;
}

template <typename T>
bool MachineReader::take(Part part, const Result<T>& result) {
    problems_[static_cast<std::size_t>(part)] = result ? "" : result.error().message();
    return result.has_value();
}

core::Reading MachineReader::read(const Surroundings& surroundings, LimitSink* sink) {
    const core::Moment& now = surroundings.now;
    core::Reading reading;
    reading.now = now;
    reading.page_bytes = page_bytes();
    reading.contributions = surroundings.contributions;
    reading.uncounted = surroundings.uncounted;
    reading.evicting = surroundings.evicting;
    // Whoever comes back and waits at once is to be seen at once.
    reading.idle_for = surroundings.alarm ? presence_.idle_for(now.elapsed, max_presence_age) : presence_.idle_for(now.elapsed);
    if (surroundings.asks.mains && (!mains_read_ || now.elapsed - *mains_read_ >= min_mains_interval)) {
        on_mains_ = read_on_mains(root_);
        mains_read_ = now.elapsed;
    }
    reading.on_mains = on_mains_;
    reading.stall = pressure_.share(surroundings.transparent_cgroups, now.awake);
    reading.signs.alarm = surroundings.alarm;
    reading.signs.opaque_only = alarm_.opaque_only();
    // The machine's alarm needs the count of the reading before, to tell whose it is.
    const bool ambiguous = !alarm_.files().empty() && !reading.signs.opaque_only;
    if (surroundings.alarm || ambiguous || surroundings.asks.waited)
        reading.signs.waited = alarm_.waited(surroundings.transparent_cgroups);
    if (sink != nullptr) {
        if (const auto usage = sink->usage(surroundings.transparent_cgroups))
            reading.usage = *usage;
    }
    // Long where there are many processors, and seldom changes.
    if (!kept_read_ || now.awake - *kept_read_ >= kept_interval) {
        const auto kept = read_kept_pages(root_);
        kept_ = kept ? *kept : core::Pages(0);
        kept_read_ = now.awake;
    }
    reading.kept = kept_;
    // A contribution can fill memory faster than an epoch ends. Unreadable counters count as no swap, and as no lack of memory:
    // the limits still hold, and the stall is still measured.
    if (surroundings.contributions && reading.usage)
        read_swap(reading, surroundings.transparent_cgroups);
    return reading;
}

void MachineReader::read_swap(core::Reading& reading, const std::vector<std::string>& transparent_cgroups) {
    const auto swap = swap_.read();
    if (!swap || swap->taken == core::Pages(0))
        return;
    reading.swap = *swap;
    const auto files = read_file_pages(root_);
    reading.files = files ? *files : core::Pages(0);
    reading.swap.contributed = read_contributed_swap(root_, transparent_cgroups);
}

Result<core::Reading> MachineReader::read_second(const Surroundings& surroundings, bool scan, SampleSource& source,
                                                 LimitSink& sink) {
    core::SecondRead second;
    second.own_cpu = own_cpu_time_();
    const auto used = cpu_.read_delta(surroundings.transparent_cgroups);
    if (!used)
        return used.error();
    second.active = *used;
    second.rate_changed = std::exchange(rate_changed_, false);
    core::Reading reading = read(surroundings, &sink);
    if (!reading.usage)
        return sink.usage(surroundings.transparent_cgroups).error();
    auto sample = read_source(source, scan, surroundings.now.awake, second.preparing);
    if (!sample)
        return std::move(sample).error();
    second.sample = *std::move(sample);
    if (second.sample.scanned || !second.sample.refaults.empty())
        add_counts(second, surroundings.transparent_cgroups);
    const SourceTraits traits = source.traits();
    second.source = traits.id;
    second.can_learn = traits.can_learn;
    reading.second = std::move(second);
    return reading;
}

// Once a scan is being prepared, it is taken.
Result<core::EpochSample> MachineReader::read_source(SampleSource& source, bool scan, core::AwakeTime now, bool& preparing) {
    if (scan && !preparing_)
        preparing_ = !last_scan_ || source.due(now - *last_scan_);
    if (source.has_failed() || (preparing_ && source.prepare())) {
        preparing_ = false;
        last_scan_ = now;
        return source.sample();
    }
    preparing = preparing_;
    if (last_scan_)
        return source.poll_refaults();
    core::EpochSample nothing;
    nothing.scanned = false;
    return nothing;
}

void MachineReader::add_counts(core::SecondRead& second, const std::vector<std::string>& transparent_cgroups) {
    const auto kinds = refaults_.read_delta(transparent_cgroups);
    if (take(Part::refaults, kinds)) {
        // Without refaults, the kinds do not matter.
        const auto refaults = static_cast<double>(kinds->anonymous + kinds->file);
        if (refaults > 0)
            second.sample.anonymous_refaults = static_cast<double>(kinds->anonymous) / refaults;
    }
    const auto reads = latency_.read_delta();
    if (take(Part::latency, reads)) {
        second.sample.reads[static_cast<std::size_t>(core::Store::swap_disk)] = store_reads(reads->anonymous_disk);
        second.sample.reads[static_cast<std::size_t>(core::Store::swap_zram)] = store_reads(reads->anonymous_zram);
        second.sample.reads[static_cast<std::size_t>(core::Store::file)] = store_reads(reads->file);
    }
    const auto faults = faults_.read_delta(transparent_cgroups);
    if (take(Part::faults, faults))
        second.opaque_faults = *faults;
}

}  // namespace tmm::os
