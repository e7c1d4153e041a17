// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-division [--traces=DIR] [SCENARIO]: prints how each way to divide soft memory does in each scenario, beside the best
// static division. DIR: what experiments/traces/fetch prints.
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "division.hpp"
#include "trace_files.hpp"

int main(int argc, char** argv) {
    using namespace tmm::soft_memory;
    constexpr std::string_view traces_option = "--traces=";
    std::optional<TraceFiles> traces;
    std::string_view wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with(traces_option))
            traces.emplace(std::string(argument.substr(traces_option.size())));
        else
            wanted = argument;
    }
    std::vector<Scenario> all = scenarios();
    if (traces)
        all.push_back(real_traces(traces->twitter, traces->cloud_physics));
    const tmm::Bytes total(std::uint64_t{4} << 30);
    std::printf("scenario,static");
    for (const std::string_view name : divider_names())
        std::printf(",%s", name.data());
    std::printf("\n");
    for (const Scenario& scenario : all) {
        if (!wanted.empty() && scenario.name != wanted)
            continue;
        const double best = run(scenario, *fixed_parts(best_static_parts(scenario, total, 1)), total, 1).mean();
        std::printf("%s,%.3f", scenario.name.c_str(), best);
        for (const std::string_view name : divider_names())
            std::printf(",%.3f", run(scenario, *divider_named(name), total, 1).mean() / best);
        std::printf("\n");
        std::fflush(stdout);
    }
}
