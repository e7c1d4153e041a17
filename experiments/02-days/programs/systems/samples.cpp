// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "samples.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "tmmd/core/generations/counted_samples.hpp"
#include "tmmd/core/generations/footprint_flow.hpp"
#include "tmmd/core/generations/generation_flow.hpp"
#include "tmmd/core/policy/epoch_pace.hpp"

namespace tmm::days {

namespace {

constexpr std::uint32_t not_yet = UINT32_MAX;

// Of the units of a machine.
class MachineUnits {
public:
    explicit MachineUnits(const Machine& machine) : machine_(machine), pages_each_(machine.unit_bytes / page_bytes) {}

    [[nodiscard]] std::size_t number() const { return machine_.is_file->size(); }
    [[nodiscard]] core::Pages pages(std::uint64_t units) const { return core::Pages(units * pages_each_); }
    [[nodiscard]] core::Backing backing_of(std::uint32_t unit) const {
        return (*machine_.is_file)[unit] != 0 ? core::Backing::file : core::Backing::anonymous;
    }
    [[nodiscard]] std::size_t cgroup_of(std::uint32_t unit) const {
        return machine_.cgroup_of != nullptr ? (*machine_.cgroup_of)[unit] : 0;
    }
    [[nodiscard]] static core::CgroupId id_of(std::size_t cgroup) { return cgroup + core::CgroupId{1}; }
    [[nodiscard]] core::Pages installed() const { return pages(machine_.capacity); }

private:
    Machine machine_;
    std::uint64_t pages_each_;
};

// What the kernel's scanner lists: resident pages used since the last scan. A page that was evicted and came back is a new one.
class ExactSamples : public Samples {
public:
    explicit ExactSamples(const Machine& machine) : units_(machine), listed_(units_.number(), not_yet) {}

    void touched(std::uint32_t unit) override {
        if (listed_[unit] != epoch_) {
            listed_[unit] = epoch_;
            touched_.push_back(unit);
        }
    }
    void gone(std::uint32_t unit) override { gone_.push_back(unit); }
    [[nodiscard]] bool knows_distances() const override { return true; }
    void sample(const LruMemory& memory, core::Seconds /*length*/, core::Pages /*evicted*/, core::EpochSample& to) override {
        for (const std::uint32_t unit : touched_) {
            if (memory.is_resident(unit))
                to.referenced.push_back({.key = unit,
                                         .weight = static_cast<std::uint32_t>(units_.pages(1).count()),
                                         .backing = units_.backing_of(unit),
                                         .cgroup = MachineUnits::id_of(units_.cgroup_of(unit))});
        }
        to.gone.assign(gone_.begin(), gone_.end());
        touched_.clear();
        gone_.clear();
        ++epoch_;
    }
    [[nodiscard]] core::Seconds cost() const override { return core::Seconds(0.007); }

protected:
    // Of the units used since the last scan, forgets those.
    template <typename Predicate>
    void forget_uses(Predicate of) {
        std::erase_if(touched_, [&](std::uint32_t unit) {
            if (!of(unit))
                return false;
            listed_[unit] = not_yet;
            return true;
        });
    }

private:
    MachineUnits units_;
    // Since the last scan.
    std::uint32_t epoch_ = 0;
    std::vector<std::uint32_t> listed_;  // epoch in which the unit was put into touched_, by unit
    std::vector<std::uint32_t> touched_;
    std::vector<core::PageKey> gone_;
};

// What tmmd reads from the idle page bitmap: the same of a stock kernel. When the multi-gen LRU has evicted a generation, it
// walks the page tables and takes the reference bits, which the bitmap does not have then (kernel/patches 1). New pages count as
// used all the same.
class IdleSamples : public ExactSamples {
public:
    explicit IdleSamples(const Machine& machine) : ExactSamples(machine), is_known_(machine.is_file->size(), 0) {}

    void gone(std::uint32_t unit) override {
        is_known_[unit] = 0;
        ExactSamples::gone(unit);
    }
    void reclaimed(std::size_t taken, std::size_t left) override {
        taken_ += taken;
        if (taken_ * core::max_generations < left)
            return;
        taken_ = 0;
        forget_uses([&](std::uint32_t unit) { return is_known_[unit] != 0; });
    }
    [[nodiscard]] bool knows_distances() const override { return false; }
    void sample(const LruMemory& memory, core::Seconds length, core::Pages evicted, core::EpochSample& to) override {
        ExactSamples::sample(memory, length, evicted, to);
        for (const core::SampledPage& page : to.referenced)
            is_known_[page.key] = 1;
    }
    // 2.4 times that of the kernel's scanner (docs/policy.md, "Accuracy").
    [[nodiscard]] core::Seconds cost() const override { return 2.4 * ExactSamples::cost(); }

private:
    std::vector<std::uint8_t> is_known_;  // listed since it came, by unit
    std::size_t taken_ = 0;               // since the last walk
};

// Counts of pages by cgroup, which core makes samples of.
class CountedUnits : public Samples {
public:
    [[nodiscard]] bool due(core::Seconds length) const override { return samples_.due(length); }
    void sample(const LruMemory& memory, core::Seconds length, core::Pages evicted, core::EpochSample& to) override {
        cost_ = seconds_per_page_ * units_.pages(memory.resident()).as_double();
        const core::EpochSample counted = samples_.end_epoch(end_epoch(memory, evicted), length, cost_, evicted);
        to.referenced = counted.referenced;
        to.gone = counted.gone;
    }
    [[nodiscard]] core::Seconds cost() const override { return cost_; }

protected:
    CountedUnits(const Machine& machine, core::Seconds per_gib) : units_(machine), seconds_per_page_(per_gib / pages_per_gib) {}
    [[nodiscard]] const MachineUnits& units() const { return units_; }
    virtual core::FlowByCgroup end_epoch(const LruMemory& memory, core::Pages evicted) = 0;

private:
    static constexpr double pages_per_gib = 262144;
    static core::AgeingPace pace() {
        const core::PaceParameters parameters;
        return {parameters.cpu_learning, parameters.cpu_active};
    }

    MachineUnits units_;
    core::Seconds seconds_per_page_;
    core::Seconds cost_{0};
    core::CountedSamples samples_{units_.installed(), pace()};
};

// Four generations of each cgroup. New pages are in the youngest; an ageing call moves what was used since the last one to what
// was the youngest until then, begins a new one, and merges the oldest two if there are five.
class GenerationSamples : public CountedUnits {
public:
    explicit GenerationSamples(const Machine& machine)
        : CountedUnits(machine, cost_per_gib), used_in_(units().number(), not_yet), generation_of_(units().number(), not_yet) {}

    void touched(std::uint32_t unit) override {
        used_in_[unit] = youngest_;
        if (generation_of_[unit] == not_yet)
            generation_of_[unit] = youngest_;
    }
    void gone(std::uint32_t unit) override { generation_of_[unit] = not_yet; }

private:
    // Page tables are walked once; a clear_refs of as much took 15 to 17 ms (decisions/stock-kernels.md).
    static constexpr core::Seconds cost_per_gib{0.016};

    core::FlowByCgroup end_epoch(const LruMemory& memory, core::Pages /*evicted*/) override {
        const std::vector<core::Generations> before = read(memory);
        for (std::uint32_t unit = 0; unit < generation_of_.size(); ++unit) {
            if (generation_of_[unit] != not_yet && used_in_[unit] == youngest_)
                generation_of_[unit] = youngest_;
        }
        ++youngest_;
        return tracker_.end_epoch(before, read(memory));
    }
    [[nodiscard]] std::vector<core::Generations> read(const LruMemory& memory) const {
        const std::uint32_t oldest = youngest_ + 1 - std::min<std::uint32_t>(youngest_ + 1, core::max_generations);
        std::vector<core::Generations> lists(memory.nr_cgroups());
        for (std::size_t cgroup = 0; cgroup < lists.size(); ++cgroup) {
            lists[cgroup] = {.memcg = cgroup,
                             .node = 0,
                             .cgroup = "/pattern" + std::to_string(cgroup),
                             .oldest = oldest,
                             .pages = std::vector<core::PagesByBacking>(youngest_ - oldest + 1),
                             .id = MachineUnits::id_of(cgroup)};
        }
        for (std::uint32_t unit = 0; unit < generation_of_.size(); ++unit) {
            if (generation_of_[unit] == not_yet)
                continue;
            const std::uint32_t generation = std::max(generation_of_[unit], oldest);
            lists[units().cgroup_of(unit)].pages[generation - oldest][static_cast<std::size_t>(units().backing_of(unit))] +=
                units().pages(1);
        }
        return lists;
    }

    std::uint32_t youngest_ = 1;
    std::vector<std::uint32_t> used_in_;        // the youngest generation at the last touch, by unit
    std::vector<std::uint32_t> generation_of_;  // by unit; not_yet: not resident
    core::GenerationTracker tracker_;
};

class FootprintSamples : public CountedUnits {
public:
    explicit FootprintSamples(const Machine& machine)
        : CountedUnits(machine, cost_per_gib), is_there_(units().number(), 0), used_in_(units().number(), not_yet) {}

    void touched(std::uint32_t unit) override {
        is_there_[unit] = 1;
        used_in_[unit] = window_;
    }
    void gone(std::uint32_t unit) override { is_there_[unit] = 0; }

private:
    // 19 to 20 ms for a reading and 15 to 17 ms for a clearing, which comes every other time (as above).
    static constexpr core::Seconds cost_per_gib{0.028};

    core::FlowByCgroup end_epoch(const LruMemory& memory, core::Pages evicted) override {
        std::map<core::CgroupId, core::Footprint> footprints;
        for (std::size_t cgroup = 0; cgroup < memory.nr_cgroups(); ++cgroup)
            footprints[MachineUnits::id_of(cgroup)];
        for (std::uint32_t unit = 0; unit < is_there_.size(); ++unit) {
            if (is_there_[unit] == 0)
                continue;
            core::Footprint& footprint = footprints[MachineUnits::id_of(units().cgroup_of(unit))];
            const auto backing = static_cast<std::size_t>(units().backing_of(unit));
            footprint.resident[backing] += units().pages(1);
            if (used_in_[unit] == window_)
                footprint.referenced[backing] += units().pages(1);
        }
        core::FlowByCgroup flows = tracker_.end_epoch(footprints);
        if (tracker_.window_ended(evicted)) {
            ++window_;
            tracker_.cleared();
        }
        return flows;
    }

    std::uint32_t window_ = 0;
    std::vector<std::uint8_t> is_there_;
    std::vector<std::uint32_t> used_in_;  // the window of the last touch, by unit
    core::FootprintTracker tracker_;
};

}  // namespace

std::unique_ptr<Samples> make_samples(SourceKind kind, const Machine& machine) {
    switch (kind) {
        case SourceKind::idle:
            return std::make_unique<IdleSamples>(machine);
        case SourceKind::mglru:
            return std::make_unique<GenerationSamples>(machine);
        case SourceKind::footprints:
            return std::make_unique<FootprintSamples>(machine);
        case SourceKind::exact:
            break;
    }
    return std::make_unique<ExactSamples>(machine);
}

}  // namespace tmm::days
