// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmm_system.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tmmd/core/policy/epoch_pace.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/core/protection/protection.hpp"

namespace tmm::days {

namespace {

// Processor time of tmmd on a usual core, which lengthens epochs: experiments/01-coffee-break, "What tmmd costs".
constexpr core::Seconds scan_cost{0.007};
constexpr core::Seconds poll_cost{20e-6};  // a poll a second

// Seconds between two looks at what each cgroup needs: needs_period of tmmd/app/daemon.cpp.
constexpr std::uint32_t needs_period = 10;

// After so long without the owner nobody counts as there: IdleAfter of tmmd.conf.
constexpr std::uint32_t idle_after = 300;

constexpr std::uint32_t never = UINT32_MAX;

core::PolicyParameters parameters_for(TmmObjective objective) {
    core::PolicyParameters parameters;
    parameters.objective = objective == TmmObjective::paper ? core::Objective::paper : core::Objective::reuse;
    return parameters;
}

core::AwakeTime time_of(std::uint32_t second) {
    return core::AwakeTime(std::chrono::seconds(second));
}

class Tmm : public System {
public:
    Tmm(TmmObjective objective, const Machine& machine)
        : machine_(machine),
          unit_pages_(machine.unit_bytes / page_bytes),
          policy_(parameters_for(objective), pages(machine.capacity)),
          pace_(core::PaceParameters{}),
          listed_(machine.is_file->size(), never) {}

    void touched(std::uint32_t unit, const LruMemory::Touch& touch) override {
        if (listed_[unit] != epoch_) {
            listed_[unit] = epoch_;
            touched_.push_back(unit);
        }
        if (touch.outcome == LruMemory::Outcome::hit)
            return;
        const bool file = (*machine_.is_file)[unit] != 0;
        if (file || touch.outcome == LruMemory::Outcome::refault) {
            const core::Store store = file                            ? core::Store::file
                                      : machine_.store.compressed > 0 ? core::Store::swap_zram
                                                                      : core::Store::swap_disk;
            core::StoreReads& reads = reads_[static_cast<std::size_t>(store)];
            const auto count = static_cast<double>(unit_pages_);
            reads.reads += count;
            reads.time += core::Seconds(count * (file ? machine_.store.file_s : machine_.store.anonymous_s));
        }
        if (touch.outcome == LruMemory::Outcome::refault) {
            refaults_.push_back(
                {.distance_from = pages(touch.distance), .distance_to = pages(touch.distance), .pages = pages(1)});
            (file ? file_refaults_ : anonymous_refaults_) += 1;
        }
    }

    void freed(std::uint32_t unit) override { gone_.push_back(unit); }

    void tick(const Second& second, LruMemory& memory) override {
        gone_.insert(gone_.end(), second.evicted.begin(), second.evicted.end());
        active_ += core::Seconds(second.activity);
        follow_presence(second);
        evicted_ += second.evicted.size();
        const core::AwakeTime now = time_of(second.second);

        core::EpochSample sample;
        sample.scanned = false;
        bool epoch_over = !epoch_start_;
        if (epoch_start_) {
            take_refaults(pages(memory.capacity()), sample.refaults);
            // A task that waits for missed pages uses no processor, and is not idle all the same.
            core::Pages refaulted;
            for (const core::Refault& refault : sample.refaults)
                refaulted += refault.pages;
            const bool misses = refaulted.as_double() > core::AgeingParameters{}.noise_rate_per_s;
            epoch_over = pace_.due(now - *epoch_start_, misses ? std::max(second.activity, 1.0) : second.activity);
            if (epoch_over && pace_.woken())
                sample.idle_before = time_of(second.second - 1) - *epoch_start_;
        }
        const core::MemoryUsage usage = usage_of(memory);
        const bool decides = epoch_over || !sample.refaults.empty() || policy_.outgrown(usage, pages(evicted_));
        if (epoch_over)
            scan(memory, sample);
        if (decides)
            decide(sample, now, memory);
        // Needs come before the limits that follow from them, as in tmmd/app/daemon.
        tell_needs(second.second, memory);
        if (decides)
            write_limit(memory);
    }

    [[nodiscard]] Rule rule() const override { return rule_; }

private:
    [[nodiscard]] core::Pages pages(std::uint64_t units) const { return core::Pages(units * unit_pages_); }

    // The owner's last input is in the last attended second.
    void follow_presence(const Second& second) {
        if (second.attended)
            last_input_ = second.second;
        const bool attended = last_input_ && second.second - *last_input_ < idle_after;
        attended_ += core::Seconds(attended ? 1 : 0);
        if (last_input_ && second.second - *last_input_ == idle_after)
            left_at_ = *last_input_;
    }

    [[nodiscard]] core::MemoryUsage usage_of(const LruMemory& memory) const {
        return {.total = pages(memory.total()),
                .opaque = pages(memory.resident()),
                .transparent = pages(memory.total() - memory.resident())};
    }

    // Once a second the daemon asks for those within memory only; deeper ones come with the next scan.
    void take_refaults(core::Pages max_distance, std::vector<core::Refault>& refaults) {
        std::vector<core::Refault> deeper;
        for (const core::Refault& refault : refaults_)
            (refault.distance_from < max_distance ? refaults : deeper).push_back(refault);
        refaults_.swap(deeper);
    }

    // What the kernel's scanner lists: resident pages used since the last scan. A page that was evicted and came back is a new
    // one.
    void scan(const LruMemory& memory, core::EpochSample& sample) {
        sample.scanned = true;
        sample.refaults.insert(sample.refaults.end(), refaults_.begin(), refaults_.end());
        refaults_.clear();
        const auto weight = static_cast<std::uint32_t>(unit_pages_);
        for (const std::uint32_t unit : touched_) {
            if (memory.is_resident(unit)) {
                const bool file = (*machine_.is_file)[unit] != 0;
                sample.referenced.push_back({.key = unit,
                                             .weight = weight,
                                             .backing = file ? core::Backing::file : core::Backing::anonymous,
                                             .cgroup = cgroup_of(unit) + core::CgroupId{1}});
            }
        }
        sample.gone.assign(gone_.begin(), gone_.end());
        touched_.clear();
        gone_.clear();
        ++epoch_;
    }

    void decide(core::EpochSample& sample, core::AwakeTime now, const LruMemory& memory) {
        sample.active = active_;
        active_ = core::Seconds(0);
        sample.attended = attended_;
        attended_ = core::Seconds(0);
        if (left_at_)
            sample.left = core::Seconds(now - time_of(*std::exchange(left_at_, std::nullopt)));
        sample.evicted = pages(evicted_);
        evicted_ = 0;
        sample.reads = reads_;
        reads_ = {};
        if (anonymous_refaults_ + file_refaults_ > 0)
            sample.anonymous_refaults = anonymous_refaults_ / (anonymous_refaults_ + file_refaults_);
        anonymous_refaults_ = file_refaults_ = 0;

        const core::MemoryUsage usage = usage_of(memory);
        const core::Decision decision = policy_.step(sample, usage, now);
        note_rule(decision, usage.total);
        if (sample.scanned) {
            const core::Seconds length = epoch_start_ ? core::Seconds(now - *epoch_start_) : core::Seconds(0);
            epoch_start_ = now;
            pace_.epoch_ended({.length = length,
                               .footprint = decision.footprint,
                               .opaque_limit = decision.opaque_limit,
                               .busy = decision.busy,
                               .learning = decision.kind == core::DecisionKind::learning,
                               .cost = scan_cost,
                               .poll_cost = poll_cost * length.count(),
                               .samples = policy_.known_samples()});
        }
        opaque_limit_ = decision.opaque_limit;
        scanned_ |= sample.scanned;
    }

    void write_limit(LruMemory& memory) {
        protect(memory);
        memory.set_limit(static_cast<std::uint32_t>(opaque_limit_.count() / unit_pages_));
    }

    [[nodiscard]] std::size_t cgroup_of(std::uint32_t unit) const {
        return machine_.cgroup_of != nullptr ? (*machine_.cgroup_of)[unit] : 0;
    }
    static std::string path_of(std::size_t cgroup) { return "pattern" + std::to_string(cgroup); }

    // As tmmd/app/daemon does, which always has contributions here.
    void tell_needs(std::uint32_t second, LruMemory& memory) {
        if (!scanned_ || second < told_needs_ + needs_period)
            return;
        const std::vector<core::CgroupKeeps> kept = policy_.kept_by_cgroup();
        scanned_ = false;
        told_needs_ = second;
        needs_.clear();
        memory.protect({});
        if (kept.empty())
            return;
        for (std::size_t cgroup = 0; cgroup < memory.nr_cgroups(); ++cgroup)
            needs_[path_of(cgroup)] = {.pages = core::Pages(0), .usage = pages(memory.resident_of(cgroup))};
        for (const core::CgroupKeeps& one : kept)
            needs_[path_of(one.cgroup - 1)].pages = one.pages;
        protect(memory);
    }

    // As tmmd/os/protection/cgroup_protector does.
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
    std::uint64_t unit_pages_;
    core::Policy policy_;
    core::EpochPace pace_;
    Rule rule_ = Rule::learning;
    std::optional<core::AwakeTime> epoch_start_;

    // Since the last scan.
    std::uint32_t epoch_ = 0;
    std::vector<std::uint32_t> listed_;  // epoch in which the unit was put into touched_, by unit
    std::vector<std::uint32_t> touched_;
    std::vector<core::PageKey> gone_;
    // Since the last decision; refaults deeper than memory since the last scan.
    std::vector<core::Refault> refaults_;
    double anonymous_refaults_ = 0;
    double file_refaults_ = 0;
    std::array<core::StoreReads, core::nr_stores> reads_{};
    core::Seconds active_{0};
    core::Seconds attended_{0};
    std::optional<std::uint32_t> last_input_;  // in that second
    std::optional<std::uint32_t> left_at_;     // as the next decision is to know
    std::uint64_t evicted_ = 0;

    core::Pages opaque_limit_;
    bool scanned_ = false;          // since the needs were told
    std::uint32_t told_needs_ = 0;  // in that second
    core::CgroupNeeds needs_;
};

}  // namespace

std::unique_ptr<System> make_tmm(TmmObjective objective, const Machine& machine) {
    return std::make_unique<Tmm>(objective, machine);
}

}  // namespace tmm::days
