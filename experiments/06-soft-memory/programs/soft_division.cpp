// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-division: prints how each way to divide soft memory does in each scenario, beside the best static division.
#include <cstdio>
#include <string_view>

#include "division.hpp"

int main(int argc, char** argv) {
    using namespace tmm::soft_memory;
    const tmm::Bytes total(std::uint64_t{4} << 30);
    std::printf("scenario,static,equal,hill climbing,marginal hits,coordinator\n");
    for (const Scenario& scenario : scenarios()) {
        if (argc > 1 && scenario.name != std::string_view(argv[1]))
            continue;
        const double best = run(scenario, *fixed_parts(best_static_parts(scenario, total, 1)), total, 1).mean();
        std::printf("%s,%.3f", scenario.name.c_str(), best);
        for (const auto& make : {equal_parts, hill_climbing, marginal_hits, coordinator})
            std::printf(",%.3f", run(scenario, *make(), total, 1).mean() / best);
        std::printf("\n");
        std::fflush(stdout);
    }
}
