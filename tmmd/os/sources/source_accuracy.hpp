// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The differential test of a source: the policy's decisions from its samples beside those from exact reference bits of epochs of
// 2 s. The owner has two cgroups, user.slice and system.slice. For tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "base/temp_tree.hpp"
#include "tmmd/core/histogram/resident_set.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

inline constexpr core::Pages accuracy_installed(16384);  // so a sample stands for two pages
inline constexpr int accuracy_seconds = 3600;
// Of the policy, in place of 20 hours. With these an hour would tell nothing: all that was ever used would be kept.
inline constexpr core::Seconds accuracy_break_even{600};

// The pages that the owner uses in each second.
using Workload = std::function<void(int second, const std::function<void(std::size_t)>& use)>;

// Uses so many pages in turn, once in so many seconds.
inline Workload loop(std::size_t pages, int period) {
    return [=](int second, const auto& use) {
        const auto phase = static_cast<std::size_t>(second % period);
        for (std::size_t page = phase * pages / static_cast<std::size_t>(period);
             page < (phase + 1) * pages / static_cast<std::size_t>(period); ++page)
            use(page);
    };
}

// Uses 400 pages a second out of 10,000, by rank to the power of -exponent.
inline Workload by_rank(double exponent) {
    std::vector<double> sums;
    double sum = 0;
    for (int rank = 1; rank <= 10000; ++rank)
        sums.push_back(sum += std::pow(rank, -exponent));
    return [=, state = std::uint64_t{1}](int, const auto& use) mutable {
        for (int i = 0; i < 400; ++i) {
            state = state * 6364136223846793005 + 1442695040888963407;
            const double draw = static_cast<double>(state >> 11) / static_cast<double>(1ULL << 53) * sum;
            use(static_cast<std::size_t>(std::lower_bound(sums.begin(), sums.end(), draw) - sums.begin()));
        }
    };
}

// A source with a simulated kernel, and a function that uses a page in it.
struct MeasuredSource {
    std::unique_ptr<SampleSource> source;
    std::function<void(std::size_t)> use;
};

// The shares of memory that a policy decides on.
struct Outcome {
    double limit = 0;   // opaque
    double user = 0;    // kept for user.slice
    double system = 0;  // and for system.slice
};

inline Outcome outcome_of(const core::Policy& policy, const core::Decision& decision, const RootDir& root) {
    Outcome outcome{ratio(decision.opaque_limit, accuracy_installed), 0, 0};
    for (const core::CgroupKeeps& one : policy.kept_by_cgroup()) {
        outcome.user += one.cgroup == cgroup_id_of(root, "/user.slice") ? ratio(one.pages, accuracy_installed) : 0;
        outcome.system += one.cgroup == cgroup_id_of(root, "/system.slice") ? ratio(one.pages, accuracy_installed) : 0;
    }
    return outcome;
}

// Returns the outcomes after an hour, from exact bits and from the source. All pages are used at first. nr_system: the last
// pages, which belong to system.slice.
inline std::pair<Outcome, Outcome> compare_with_exact(const Workload& workload, std::size_t pages, std::size_t nr_system,
                                                      const std::function<MeasuredSource(const RootDir&)>& make) {
    TempTree tree;
    tree.dir("sys/fs/cgroup/user.slice").dir("sys/fs/cgroup/system.slice");
    tree.file("proc/vmstat", "pgsteal_kswapd 0\npgsteal_direct 0\nworkingset_refault_anon 0\nworkingset_refault_file 0\n");
    const RootDir root = tree.root();
    const core::CgroupId user = cgroup_id_of(root, "/user.slice");
    const core::CgroupId system = cgroup_id_of(root, "/system.slice");
    MeasuredSource measured = make(root);
    core::ResidentSet resident;
    std::vector<char> used(pages, 0);
    core::PolicyParameters parameters;
    parameters.keep.break_even = accuracy_break_even;
    core::Policy exact(parameters, accuracy_installed);
    core::Policy estimate(parameters, accuracy_installed);
    const core::MemoryUsage usage{accuracy_installed, core::Pages(pages), core::Pages(0)};
    std::pair<Outcome, Outcome> found;
    int epoch = 0;
    for (int second = 0; second <= accuracy_seconds; ++second) {
        const core::AwakeTime now(std::chrono::seconds(second + 1));
        if (second % 2 == 0) {
            std::vector<core::ScannedPage> scan;
            scan.reserve(pages);
            for (std::size_t page = 0; page < pages; ++page)
                scan.push_back({page, 1, std::exchange(used[page], 0) != 0, core::Backing::anonymous});
            core::EpochSample sample = resident.update(std::move(scan));
            for (core::SampledPage& page : sample.referenced)
                page.cgroup = page.key < pages - nr_system ? user : system;
            sample.active = core::Seconds(1);
            sample.attended = core::Seconds(2);
            const core::Decision decision = exact.step(sample, usage, now);
            found.first = outcome_of(exact, decision, root);
        }
        if (second == 0 || measured.source->due(core::Seconds(second - epoch))) {
            auto sample = measured.source->sample();
            EXPECT_TRUE(sample);
            sample->active = core::Seconds(1);
            sample->attended = core::Seconds(second - epoch);
            const core::Decision decision = estimate.step(*sample, usage, now);
            found.second = outcome_of(estimate, decision, root);
            epoch = second;
        }
        workload(second, [&](std::size_t page) {
            measured.use(page);
            used[page] = 1;
        });
    }
    // For the table of docs/policy.md.
    std::cout << measured.source->traits().id << ": limit " << found.first.limit << " exact, " << found.second.limit
              << "; user.slice " << found.first.user << ", " << found.second.user << "; system.slice " << found.first.system
              << ", " << found.second.system << "\n";
    return found;
}

}  // namespace tmm::os
