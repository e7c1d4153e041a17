// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-division [--traces=DIR] [--liar] [SCENARIO]: prints how each way to divide soft memory does in each scenario, beside the
// best static division. DIR: what experiments/traces/fetch prints. With --liar it prints how the other programs do with the
// coordinator while the first one claims a thousand times what a miss costs, and while it is honest.
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "division.hpp"
#include "trace_files.hpp"

namespace {

using namespace tmm::soft_memory;

void print_liars(std::vector<Scenario> scenarios, tmm::Bytes total) {
    std::printf("scenario,others beside an honest one,beside a liar,share\n");
    for (Scenario& scenario : scenarios) {
        const double honest = run(scenario, *coordinator(), total, 1).mean_but_first();
        scenario.lie = 1000;
        const double lying = run(scenario, *coordinator(), total, 1).mean_but_first();
        std::printf("%s,%.3f,%.3f,%.3f\n", scenario.name.c_str(), honest, lying, lying / honest);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    constexpr std::string_view traces_option = "--traces=";
    std::optional<TraceFiles> traces;
    std::string_view wanted;
    bool has_liar = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with(traces_option))
            traces.emplace(std::string(argument.substr(traces_option.size())));
        else if (argument == "--liar")
            has_liar = true;
        else
            wanted = argument;
    }
    std::vector<Scenario> all = scenarios();
    if (traces)
        all.push_back(real_traces(traces->twitter, traces->cloud_physics));
    const tmm::Bytes total(std::uint64_t{4} << 30);
    std::erase_if(all, [&](const Scenario& scenario) { return !wanted.empty() && scenario.name != wanted; });
    if (has_liar) {
        print_liars(all, total);
        return 0;
    }
    std::printf("scenario,static");
    for (const std::string_view name : divider_names())
        std::printf(",%s", name.data());
    std::printf("\n");
    for (const Scenario& scenario : all) {
        const double best = run(scenario, *fixed_parts(best_static_parts(scenario, total, 1)), total, 1).mean();
        std::printf("%s,%.3f", scenario.name.c_str(), best);
        for (const std::string_view name : divider_names())
            std::printf(",%.3f", run(scenario, *divider_named(name), total, 1).mean() / best);
        std::printf("\n");
        std::fflush(stdout);
    }
}
