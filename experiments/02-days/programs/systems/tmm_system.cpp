// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmm_system.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tmmd/core/protection/protection.hpp"
#include "tmmd/core/tick/tick.hpp"

namespace tmm::days {

namespace {

// Processor time of tmmd on a usual core, which lengthens epochs.
constexpr core::Seconds poll_cost{20e-6};  // a poll a second

core::TickParameters parameters_for(TmmObjective objective, std::optional<std::chrono::nanoseconds> break_even) {
    core::TickParameters parameters;
    parameters.epochs.policy.objective = objective == TmmObjective::paper ? core::Objective::paper : core::Objective::reuse;
    if (break_even)
        parameters.epochs.policy.keep.break_even = *break_even;
    return parameters;
}

class Tmm : public System {
public:
    Tmm(TmmObjective objective, People people, const Machine& machine, WatchSteps watch, SourceKind source,
        std::optional<std::chrono::nanoseconds> break_even)
        : machine_(machine),
          people_(people),
          watch_(std::move(watch)),
          unit_pages_(machine.unit_bytes / page_bytes),
          tick_(parameters_for(objective, break_even), pages(machine.capacity)),
          samples_(make_samples(source, machine)) {}

    void touched(std::uint32_t unit, const LruMemory::Touch& touch) override {
        samples_->touched(unit);
        if (touch.outcome == LruMemory::Outcome::hit)
            return;
        const bool file = (*machine_.is_file)[unit] != 0;
        if (file || touch.outcome == LruMemory::Outcome::refault) {
            const core::Store store = file                            ? core::Store::file
                                      : machine_.store.compressed > 0 ? core::Store::swap_zram
                                                                      : core::Store::swap_disk;
            // As the kernel counts them.
            const core::Seconds each(file ? machine_.store.file_s : machine_.store.anonymous_s);
            Reads& reads = reads_[static_cast<std::size_t>(store)];
            reads.reads += unit_pages_;
            reads.time += unit_pages_ * std::chrono::round<std::chrono::nanoseconds>(each);
        }
        if (touch.outcome == LruMemory::Outcome::refault) {
            refaults_.push_back(
                {.distance_from = pages(touch.distance), .distance_to = pages(touch.distance), .pages = pages(1)});
            (file ? file_refaults_ : anonymous_refaults_) += 1;
        }
    }

    void freed(std::uint32_t unit) override { samples_->gone(unit); }

    void tick(const Second& second, LruMemory& memory) override {
        for (const std::uint32_t unit : second.evicted) {
            samples_->gone(unit);
            // It came back within the second.
            if (memory.is_resident(unit))
                samples_->touched(unit);
        }
        samples_->reclaimed(second.evicted.size(), memory.resident());
        evictions_ += second.evicted.size();
        away_ += second.evicted.size();
        evicted_ += pages(second.evicted.size());
        const core::Reading reading = read(second, memory);
        const core::Wanted& wanted = tick_.step(reading);
        if (watch_)
            watch_(reading, wanted);
        if (wanted.step)
            note_rule(wanted.step->decision, reading.usage->total);
        apply(wanted, memory);
    }

    [[nodiscard]] Rule rule() const override { return rule_; }

private:
    struct Reads {
        std::uint64_t reads = 0;
        std::chrono::nanoseconds time{0};
    };

    [[nodiscard]] core::Pages pages(std::uint64_t units) const { return core::Pages(units * unit_pages_); }

    core::Reading read(const Second& second, const LruMemory& memory) {
        const std::chrono::seconds now(second.second);
        core::Reading reading;
        reading.now = {
            .awake = core::AwakeTime(now), .elapsed = core::ElapsedTime(now), .wall = core::WallTime(now), .local_minute = 0};
        reading.usage = usage_of(memory);
        reading.contributions = machine_.contributions;
        reading.idle_for = idle_for(second);
        core::SecondRead read;
        read.active = std::chrono::round<std::chrono::microseconds>(core::Seconds(second.activity));
        read.own_cpu = own_cpu_;
        read.source = "simulated";
        own_cpu_ += poll_cost;
        core::EpochSample& sample = read.sample;
        // As tmmd/os/reading/machine_reader.
        const core::Seconds length(second.second - last_scan_.value_or(second.second));
        sample.scanned = tick_.wanted().scan && (!last_scan_ || samples_->due(length));
        if (sample.scanned) {
            last_scan_ = second.second;
            samples_->sample(memory, length, std::exchange(evicted_, core::Pages(0)), sample);
            own_cpu_ += samples_->cost();
        }
        take_refaults(memory, sample);
        sample.evicted = pages(std::exchange(evictions_, 0));
        if (sample.scanned || !sample.refaults.empty()) {
            for (std::size_t store = 0; store < reads_.size(); ++store)
                sample.reads[store] = {static_cast<double>(reads_[store].reads), reads_[store].time};
            reads_ = {};
            if (anonymous_refaults_ + file_refaults_ > 0)
                sample.anonymous_refaults = anonymous_refaults_ / (anonymous_refaults_ + file_refaults_);
            read.opaque_faults =
                static_cast<std::uint64_t>((anonymous_refaults_ + file_refaults_) * static_cast<double>(unit_pages_));
            anonymous_refaults_ = file_refaults_ = 0;
        }
        reading.second = std::move(read);
        return reading;
    }

    // As tmmd/os/reading/presence, which reads counters of input every five seconds. There is input in each attended second.
    std::optional<core::Seconds> idle_for(const Second& second) {
        constexpr std::uint32_t max_age = 5;
        has_input_ |= second.attended;
        if (second.second % max_age == 0 && std::exchange(has_input_, false) && second.second > 0)
            last_input_ = second.second;
        if (people_ == People::unseen || !last_input_)
            return std::nullopt;
        return core::Seconds(second.second - *last_input_);
    }

    [[nodiscard]] core::MemoryUsage usage_of(const LruMemory& memory) const {
        return {.total = pages(memory.total()),
                .opaque = pages(memory.resident()),
                .transparent = pages(memory.total() - memory.resident())};
    }

    // Between scans the daemon asks for those within memory only; deeper ones come with the next scan. A stock kernel does not
    // tell how long a page was gone (tmmd/os/sources/frames/refault_counters).
    void take_refaults(const LruMemory& memory, core::EpochSample& sample) {
        if (!samples_->knows_distances()) {
            if (!refaults_.empty())
                sample.refaults.push_back({core::Pages(0), pages(away_), pages(refaults_.size())});
            away_ -= std::min<std::uint64_t>(refaults_.size(), away_);
            refaults_.clear();
            return;
        }
        std::vector<core::Refault> deeper;
        for (const core::Refault& refault : refaults_)
            (sample.scanned || refault.distance_from < pages(memory.capacity()) ? sample.refaults : deeper).push_back(refault);
        refaults_.swap(deeper);
    }

    static std::string path_of(std::size_t cgroup) { return "pattern" + std::to_string(cgroup); }

    // As tmmd/os/limits/kernel_limits does on a kernel with TMM, at a change.
    void apply(const core::Wanted& wanted, LruMemory& memory) {
        const bool new_needs = wanted.keeps && wanted.keeps->since != keeps_since_;
        const bool new_limit = wanted.given.opaque_limit != opaque_limit_;
        if (new_needs)
            learn_needs(*wanted.keeps, memory);
        if (new_needs || new_limit)
            protect(memory);
        if (!new_limit)
            return;
        opaque_limit_ = wanted.given.opaque_limit;
        memory.set_limit(static_cast<std::uint32_t>(opaque_limit_.count() / unit_pages_));
    }

    void learn_needs(const core::Keeps& keeps, LruMemory& memory) {
        keeps_since_ = keeps.since;
        needs_.clear();
        memory.protect({});
        if (keeps.by_cgroup.empty())
            return;
        for (std::size_t cgroup = 0; cgroup < memory.nr_cgroups(); ++cgroup)
            needs_[path_of(cgroup)] = {.pages = core::Pages(0), .usage = pages(memory.resident_of(cgroup))};
        for (const core::CgroupKeeps& one : keeps.by_cgroup)
            needs_[path_of(one.cgroup - 1)].pages = one.pages;
    }

    // As tmmd/os/limits/cgroup_protector does.
    void protect(LruMemory& memory) {
        if (needs_.empty())
            return;
        std::vector<core::CgroupUsage> usages;
        for (std::size_t cgroup = 0; cgroup < memory.nr_cgroups(); ++cgroup)
            usages.push_back(
                {.path = path_of(cgroup), .usage = pages(memory.resident_of(cgroup)), .transparent = false, .children = {}});
        const core::MemoryUsage usage = usage_of(memory);
        // Contributions' memory can always be taken.
        const core::Pages reclaimable =
            core::reclaimable_opaque(usage, usage.total, {{.path = "transparent.slice", .file = usage.transparent}}, {});
        const std::vector<core::CgroupProtection> protections =
            core::protections(usages, reclaimable, core::Cover::needs, needs_);
        std::vector<std::uint32_t> units(memory.nr_cgroups(), 0);
        for (std::size_t cgroup = 0; cgroup < units.size(); ++cgroup)
            units[cgroup] = static_cast<std::uint32_t>(protections[cgroup].pages.count() / unit_pages_);
        memory.protect(units);
    }

    void note_rule(const core::Decision& decision, core::Pages total) {
        if (decision.kind == core::DecisionKind::learning)
            rule_ = Rule::learning;
        else if (decision.kind == core::DecisionKind::corrected)
            rule_ = Rule::corrected;
        else if (decision.opaque_wanted < decision.opaque_limit && decision.opaque_limit < total)
            rule_ = Rule::minimum;
        else
            rule_ = Rule::need;
    }

    Machine machine_;
    People people_;
    WatchSteps watch_;
    std::uint64_t unit_pages_;
    core::Tick tick_;
    Rule rule_ = Rule::learning;

    std::unique_ptr<Samples> samples_;
    std::optional<std::uint32_t> last_scan_;
    core::Pages evicted_{0};  // since the last scan
    std::uint64_t away_ = 0;  // units evicted and not back, as tmmd counts them on a stock kernel
    // Since the last reading that had them; refaults deeper than memory since the last scan.
    std::vector<core::Refault> refaults_;
    double anonymous_refaults_ = 0;
    double file_refaults_ = 0;
    std::array<Reads, core::nr_stores> reads_{};
    std::uint64_t evictions_ = 0;

    core::Seconds own_cpu_{0};
    bool has_input_ = false;                   // since the counters were read
    std::optional<std::uint32_t> last_input_;  // seen in that second
    core::Pages opaque_limit_;
    std::optional<core::AwakeTime> keeps_since_;
    core::CgroupNeeds needs_;
};

}  // namespace

std::unique_ptr<System> make_tmm(TmmObjective objective, People people, const Machine& machine, WatchSteps watch,
                                 SourceKind source, std::optional<std::chrono::nanoseconds> break_even) {
    return std::make_unique<Tmm>(objective, people, machine, std::move(watch), source, break_even);
}

}  // namespace tmm::days
