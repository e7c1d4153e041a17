// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the answers of the kernel's scanner, words of frames and counts of refaults, and their way through core/. The first
// eight bytes choose the shift and the number of words that are refault counts.
#include <cmath>
#include <cstring>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "tmmd/core/histogram/resident_set.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/os/sources/frames/frame_sample_source.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    constexpr core::Pages memory(1 << 20);
    std::vector<std::uint64_t> words(size / sizeof(std::uint64_t));
    if (words.empty())
        return 0;
    std::memcpy(words.data(), data, words.size() * sizeof(std::uint64_t));
    const std::uint64_t choice = words[0];
    words.erase(words.begin());
    const auto shift = static_cast<std::uint32_t>(choice % 13);
    const std::size_t nr_counts = words.empty() ? 0 : choice / 16 % words.size();
    const os::RefaultCounts counts{core::Pages(choice >> 32),
                                   {words.begin(), words.begin() + static_cast<std::ptrdiff_t>(nr_counts)}};
    const std::vector<core::ScannedPage> pages = os::opaque_pages({words.data() + nr_counts, words.size() - nr_counts}, shift);
    for (const core::ScannedPage& page : pages)
        TMM_REQUIRE(page.weight >= 1U << shift);

    core::ResidentSet resident;
    core::PolicyParameters parameters;
    parameters.objective = (choice & 8) != 0 ? core::Objective::paper : core::Objective::reuse;
    parameters.ageing.period = core::Seconds(20);
    core::Policy policy(parameters, memory);
    core::AwakeTime now{};
    // Scans half of the pages, all, none and all: pages come and go.
    const auto middle = pages.begin() + std::ssize(pages) / 2;
    for (const auto& scan : {std::vector(pages.begin(), middle), pages, std::vector<core::ScannedPage>(), pages}) {
        core::EpochSample sample = resident.update(scan);
        sample.refaults = os::refaults_of(counts);
        sample.attended = core::Seconds(10);
        now += std::chrono::seconds(20);
        const core::Decision decision =
            policy.step(sample, {.total = memory, .opaque = memory / 2, .transparent = memory / 4}, now);
        TMM_REQUIRE(decision.opaque_limit <= memory);
        TMM_REQUIRE(decision.opaque_limit + decision.transparent_limit == memory);
        TMM_REQUIRE(std::isfinite(decision.expected_misses_per_s.value_or(0)));
    }
    return 0;
}
