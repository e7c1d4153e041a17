// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes EpochStack, PageAges and ReuseTable with random epochs. The model knows each page by its key. No page may be lost or
// counted twice, epochs may merge only with their neighbours, and positions are those of the formula in epoch_stack.hpp.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"
#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/policy/keep_rule.hpp"

namespace {

using namespace tmm;
using fuzz::Input;

constexpr std::size_t max_epochs_in_input = 400;
constexpr core::Pages bucket(64);
constexpr std::size_t nr_buckets = 256;

bool near(double one, double other) {
    return std::abs(one - other) <= 1e-5 * std::max({1.0, std::abs(one), std::abs(other)});
}

bool is_sound(const core::ReuseTable::ByKind& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](const auto& by_age) {
        return std::all_of(by_age.begin(), by_age.end(), [](double number) { return std::isfinite(number) && number >= 0; });
    });
}

double sum(const core::ReuseTable::ByKind& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0, [](double so_far, const auto& by_age) {
        return std::accumulate(by_age.begin(), by_age.end(), so_far);
    });
}

// What is counted of the resident pages.
using Counts = std::map<std::pair<core::CgroupId, core::Backing>, std::uint64_t>;

class Machine {
public:
    explicit Machine(Input& input) : stack_(3 + input.below(30)), max_shares_(8 + input.below(64)), ages_(max_shares_) {}

    void epoch(Input& input) {
        for (std::uint64_t steps = input.below(3); steps > 0; --steps)
            poll(input);
        pass_time(input);
        std::vector<core::PageKey> gone = choose_gone(input);
        std::vector<core::SampledPage> used = choose_used(input);
        core::BackedHistogram positions(bucket, nr_buckets);
        stack_.end_epoch(used, gone, positions, ages_, table_);
        const core::BackedHistogram expected = model_epoch(used, gone);
        check_positions(positions, expected);
        check_counts();
        check_evicted();
        check_ages();
        if (nr_epochs_++ % 4 == 0)  // takes most of the time
            check_table();
    }

private:
    struct Page {
        core::SampledPage page;
        core::Seconds used_at{0};  // the end of its epoch, of all time
    };

    void pass_time(Input& input) {
        const std::uint8_t how = input.byte();
        const core::Seconds time(how == 255 ? 0.0 : how % 4 == 0 ? 1 + static_cast<double>(input.byte()) : 10.0);
        ages_.pass(time, time * (input.one_in(3) ? 0.0 : 1.0));
    }

    void poll(Input& input) {
        switch (input.below(6)) {
            case 0:
                pass_time(input);
                break;
            case 1:
                stack_.left(core::Seconds(static_cast<double>(input.number(12))), ages_);
                break;
            case 2:
                ages_.add_evicted(core::Pages(input.number(63)));
                break;
            case 3:
                ages_.add_evicted(core::Pages(input.below(40)));
                break;
            default: {
                const core::Pages from(input.one_in(8) ? input.number(63) : input.below(200));
                const core::Pages pages(input.one_in(8) ? input.number(63) : input.below(100));
                ages_.add_refaults(std::vector<core::Refault>{{from, from + core::Pages(input.below(50)), pages}}, input.share());
                returned_ += pages.as_double();
            }
        }
    }

    std::vector<core::PageKey> choose_gone(Input& input) {
        std::vector<core::PageKey> gone;
        for (std::uint64_t n = input.one_in(2) ? 0 : input.below(12); n > 0; --n)
            gone.push_back(input.below(64));  // maybe unknown, or listed twice
        return gone;
    }

    static std::vector<core::SampledPage> choose_used(Input& input) {
        std::vector<core::SampledPage> used;
        std::set<core::PageKey> keys;
        core::PageKey key = input.below(64);
        for (std::uint64_t n = input.below(24); n > 0; --n, key = (key + 1) % 64) {
            const std::uint8_t how = input.byte();
            const auto weight = static_cast<std::uint32_t>(how >= 250 ? 1U << 25 : 1 + how % 16);
            if (keys.insert(key).second)
                used.push_back({key, weight, (how & 64) != 0 ? core::Backing::file : core::Backing::anonymous, how % 7U});
        }
        return used;
    }

    // Ends the epoch in the model. Returns the positions of its accesses.
    core::BackedHistogram model_epoch(const std::vector<core::SampledPage>& used, const std::vector<core::PageKey>& gone) {
        for (const core::PageKey key : gone) {
            const auto page = pages_.find(key);
            if (page == pages_.end())
                continue;
            gone_ += page->second.page.weight;
            pages_.erase(page);
        }
        // Of each epoch that is kept apart, but for the new one: pages, and those of them that are used again.
        const auto epochs = ages_.epochs();
        struct Group {
            double pages = 0;
            core::ByBacking used{};
            double samples = 0;
        };
        std::vector<Group> groups(epochs.size());
        const auto group_of = [&](const Page& page) -> Group& {
            const auto epoch =
                std::find_if(epochs.begin(), epochs.end() - 1, [&](const auto& one) { return one.end.any >= page.used_at; });
            return groups[static_cast<std::size_t>(epoch - epochs.begin())];
        };
        for (const auto& [key, page] : pages_)
            group_of(page).pages += page.page.weight;
        double used_before = 0;
        for (const core::SampledPage& page : used) {
            const auto known = pages_.find(page.key);
            if (known == pages_.end()) {
                used_before += page.weight;
                continue;
            }
            Group& group = group_of(known->second);
            group.used[static_cast<std::size_t>(page.backing)] += known->second.page.weight;
            ++group.samples;
        }
        const bool no_time_passed = epochs.size() > 1 && epochs.back().end.any == epochs[epochs.size() - 2].end.any;
        has_ties_ |= no_time_passed;
        for (const core::SampledPage& page : used)
            pages_[page.key] = {page, epochs.back().end.any};

        core::BackedHistogram positions(bucket, nr_buckets);
        double used_after = std::accumulate(groups.begin(), groups.end(), 0.0,
                                            [](double so_far, const Group& group) { return so_far + group.pages; });
        for (const Group& group : groups) {
            used_after -= group.pages;
            const double again = group.used[0] + group.used[1];
            if (group.samples == 0)
                continue;
            const double same = again - again / group.samples;
            positions.add(used_after + same / 2, used_after + group.pages - again + used_before + same, group.used);
            used_before += again;
        }
        return positions;
    }

    void check_positions(const core::BackedHistogram& positions, const core::BackedHistogram& expected) const {
        for (const core::Backing backing : {core::Backing::anonymous, core::Backing::file}) {
            TMM_REQUIRE(near(positions.of(backing).accesses(), expected.of(backing).accesses()));
            for (std::size_t i = 0; i <= nr_buckets && !has_ties_; ++i)
                TMM_REQUIRE(near(positions.of(backing).buckets()[i], expected.of(backing).buckets()[i]));
        }
    }

    void check_counts() const {
        Counts model;
        std::uint64_t all = 0;
        for (const auto& [key, page] : pages_) {
            model[{page.page.cgroup, page.page.backing}] += page.page.weight;
            all += page.page.weight;
        }
        Counts counted;
        std::size_t nr_shares = 0;
        std::size_t nr_resident = 0;
        for (const core::EpochPages& epoch : ages_.epochs()) {
            std::set<core::CgroupId> cgroups;
            for (const core::EpochPages::Share& share : epoch.shares) {
                TMM_REQUIRE(cgroups.insert(share.cgroup).second);
                ++nr_shares;
                nr_resident += share.has_resident() ? 1 : 0;
                for (std::size_t kind = 0; kind < core::nr_page_kinds; ++kind) {
                    const auto backing = static_cast<core::Backing>(core::backing_of(static_cast<core::PageKind>(kind)));
                    if (share.resident[kind] > 0)
                        counted[{share.cgroup, backing}] += share.resident[kind];
                    TMM_REQUIRE(std::isfinite(share.evicted[kind]) && share.evicted[kind] >= 0);
                }
            }
        }
        TMM_REQUIRE(counted == model);
        TMM_REQUIRE(stack_.known_pages() == core::Pages(all) && stack_.known_samples() == pages_.size());
        TMM_REQUIRE(ages_.nr_shares() == nr_shares);
        TMM_REQUIRE(nr_shares <= std::max(max_shares_, nr_resident + ages_.epochs().size()));
    }

    // Pages become evicted as they go, and leave the counts as they return.
    void check_evicted() {
        double evicted = 0;
        for (const core::EpochPages& epoch : ages_.epochs()) {
            for (const core::EpochPages::Share& share : epoch.shares)
                evicted = std::accumulate(share.evicted.begin(), share.evicted.end(), evicted);
        }
        TMM_REQUIRE(evicted <= evicted_ + gone_ || near(evicted, evicted_ + gone_));
        TMM_REQUIRE(evicted >= evicted_ - returned_ || near(evicted, evicted_ - returned_));
        evicted_ = evicted;
        gone_ = returned_ = 0;
    }

    // An epoch holds the pages that were used between the end of the epoch before and its own.
    void check_ages() const {
        const auto epochs = ages_.epochs();
        std::uint64_t resident = 0;
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            resident += epochs[i].resident();
            if (i + 1 < epochs.size())
                TMM_REQUIRE(epochs[i].end.any <= epochs[i + 1].end.any && epochs[i].end.attended <= epochs[i + 1].end.attended);
            std::uint64_t expected = 0;
            for (const auto& [key, page] : pages_)
                expected += page.used_at <= epochs[i].end.any ? page.page.weight : 0;
            TMM_REQUIRE(resident == expected || has_ties_);
        }
        TMM_REQUIRE(ages_.ages_of(epochs.back()) == core::ReuseTable::Times());
    }

    void check_table() const {
        TMM_REQUIRE(is_sound(table_.uses()) && is_sound(table_.exposure()));
        const core::ReuseTable::ByKind present = ages_.present();
        TMM_REQUIRE(is_sound(present) && is_sound(table_.hazards(present)) && is_sound(table_.worth(present)));
        double all = 0;
        for (const core::EpochPages& epoch : ages_.epochs()) {
            const auto pages = epoch.by_kind();
            all = std::accumulate(pages.begin(), pages.end(), all);
        }
        TMM_REQUIRE(near(sum(present), all));

        const core::KeptPages kept = core::KeepRule().opaque_need(ages_, table_, {0.0025, 0.0025});
        TMM_REQUIRE(kept.pages.as_double() <= all + 0.5 * static_cast<double>(kept.by_cgroup.size()) + 1e-5 * all);
        core::Pages sum_of_kept(0);
        for (std::size_t i = 0; i < kept.by_cgroup.size(); ++i) {
            TMM_REQUIRE(i == 0 || kept.by_cgroup[i - 1].cgroup < kept.by_cgroup[i].cgroup);
            TMM_REQUIRE(kept.by_cgroup[i].pages > core::Pages(0) && kept.by_cgroup[i].age >= core::Seconds(0));
            sum_of_kept += kept.by_cgroup[i].pages;
        }
        TMM_REQUIRE(sum_of_kept == kept.pages);
    }

    core::EpochStack stack_;
    std::size_t max_shares_;
    core::PageAges ages_;
    core::ReuseTable table_;
    std::map<core::PageKey, Page> pages_;
    double evicted_ = 0;   // of the last epoch
    double gone_ = 0;      // since then
    double returned_ = 0;  // the same
    std::size_t nr_epochs_ = 0;
    bool has_ties_ = false;  // two epochs ended at the same time: the model cannot tell them apart
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    Machine machine(input);
    for (std::size_t epoch = 0; epoch < max_epochs_in_input && !input.empty(); ++epoch)
        machine.epoch(input);
    return 0;
}
