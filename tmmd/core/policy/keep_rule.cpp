// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/keep_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tmmd/core/policy/miss_latency.hpp"

namespace tmm::core {

namespace {

// The cost of a miss grows with its latency to this power. With 1, fast stores would give up so much that an owner who returns
// waits for many pages at once; experiments/02-days compares.
constexpr double latency_power = 0.25;

// The pages of a cgroup, added from the newest on, and the best number of them.
class NewestPages {
public:
    // value: of a page, by its kind.
    void add(const EpochPages::Share& share, const std::array<double, nr_page_kinds>& value, Seconds age) {
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
            pages_ += share.resident[kind];
            value_ += share.resident[kind] * value[kind];
            if (value[kind] > 0)
                missing_ += static_cast<double>(share.evicted[kind]);
        }
        if (value_ > best_) {
            best_ = value_;
            kept_ = pages_ + static_cast<std::uint64_t>(std::llround(missing_));
            age_ = age;
        }
    }

    [[nodiscard]] CgroupKeeps kept(CgroupId cgroup) const { return {cgroup, Pages(kept_), age_}; }

private:
    double value_ = 0;
    double best_ = 0;
    std::uint64_t pages_ = 0;
    double missing_ = 0;
    std::uint64_t kept_ = 0;
    Seconds age_{0};
};

}  // namespace

KeptPages without(const KeptPages& kept, std::span<const CgroupId> uncounted) {
    KeptPages counted;
    for (const CgroupKeeps& one : kept.by_cgroup) {
        if (std::binary_search(uncounted.begin(), uncounted.end(), one.cgroup))
            continue;
        counted.pages += one.pages;
        counted.by_cgroup.push_back(one);
    }
    return counted;
}

KeptPages KeepRule::opaque_need(const PageAges& ages, const ReuseTable& table, const ByBacking& latency) const {
    ReuseTable::ByKind value = table.worth(ages.present());
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        const double cost =
            std::pow(latency[backing_of(static_cast<PageKind>(kind))] / LatencyEstimate::unmeasured.count(), latency_power);
        for (double& of_age : value[kind])
            of_age = cost * of_age - 1 / break_even.count();
    }
    return best_to_keep(ages, value);
}

KeptPages KeepRule::best_to_keep(const PageAges& ages, const ReuseTable::ByKind& value) {
    std::map<CgroupId, NewestPages> cgroups;
    const auto epochs = ages.epochs();
    for (auto epoch = epochs.rbegin(); epoch != epochs.rend(); ++epoch) {
        if (epoch->shares.empty())
            continue;
        const ReuseTable::Times age = ages.ages_of(*epoch);
        const auto ranges = ReuseTable::ranges_of(age);
        std::array<double, nr_page_kinds> value_now{};
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind)
            value_now[kind] = value[kind][ranges[kind]];
        for (const EpochPages::Share& share : epoch->shares)
            cgroups[share.cgroup].add(share, value_now, age.attended);
    }
    KeptPages kept;
    for (const auto& [id, cgroup] : cgroups) {
        const CgroupKeeps keeps = cgroup.kept(id);
        if (keeps.pages == Pages(0))
            continue;
        kept.pages += keeps.pages;
        kept.by_cgroup.push_back(keeps);
    }
    return kept;
}

}  // namespace tmm::core
