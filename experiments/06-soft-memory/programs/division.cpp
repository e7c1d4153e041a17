// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "division.hpp"

#include <algorithm>
#include <numeric>

#include "tmmd/core/soft/division.hpp"

namespace tmm::soft_memory {

namespace {

constexpr double second = 1;
constexpr int warm_s = 60;
constexpr int phase_s = 30;
constexpr int from_s = 60;
constexpr int to_s = 120;

constexpr Work zipf(double mib, double skew, double rebuild_ms) {
    return {Kind::zipf, mib, skew, rebuild_ms};
}
constexpr Work loop(double mib, double rebuild_ms) {
    return {Kind::loop, mib, 0, rebuild_ms};
}
Work replay(const Trace& trace, double rebuild_ms, double use_ms) {
    return {Kind::trace, 0, 0, rebuild_ms, use_ms, &trace};
}
constexpr Work scan(double rebuild_ms) {
    return {Kind::scan, 0, 0, rebuild_ms};
}

}  // namespace

std::vector<Scenario> scenarios() {
    const std::vector<Work> four{zipf(1500, 0.7, 5), zipf(2500, 0.9, 1), zipf(3000, 1.0, 0.3), zipf(800, 0.8, 0.5)};
    const std::vector<Work> cliffs{loop(1200, 1), loop(1700, 1), zipf(1500, 0.9, 1), loop(2500, 1)};
    const std::vector<Work> scans{zipf(2200, 0.8, 1), scan(1), zipf(1500, 0.9, 2), scan(2)};
    std::vector<Work> fourteen;
    fourteen.reserve(14);
    for (int i = 0; i < 12; ++i)
        fourteen.push_back(zipf(150 + 60 * i, 0.6 + 0.05 * (i % 8), 0.2 * (1 << (i % 5))));
    fourteen.push_back(loop(600, 1));
    fourteen.push_back(scan(0.5));
    const std::vector<Work> other{zipf(1500, 0.7, 0.3), zipf(2500, 0.9, 5), loop(1000, 1), zipf(800, 0.8, 0.5)};
    return {{.name = "four", .before = four, .after = four},
            {.name = "cliffs", .before = cliffs, .after = cliffs},
            {.name = "scans", .before = scans, .after = scans},
            {.name = "fourteen", .before = fourteen, .after = fourteen},
            {.name = "noisy costs", .before = four, .after = four, .noise = 2},
            {.name = "phase change", .before = four, .after = other},
            {.name = "cold start", .before = four, .after = four, .cold = true}};
}

Scenario real_traces(const Trace& requests, const Trace& blocks) {
    const std::vector<Work> works{replay(requests, 1, 0.1), replay(blocks, 5, 1), zipf(1500, 0.9, 1), loop(1200, 1)};
    return {.name = "real traces", .before = works, .after = works};
}

double Outcome::mean() const {
    return std::accumulate(progress.begin(), progress.end(), 0.0) / static_cast<double>(progress.size());
}

double Outcome::mean_but_first() const {
    return std::accumulate(progress.begin() + 1, progress.end(), 0.0) / static_cast<double>(progress.size() - 1);
}

Outcome run(const Scenario& scenario, Divider& divider, Bytes total, std::uint64_t seed) {
    std::vector<std::unique_ptr<Program>> programs;
    for (std::size_t i = 0; i < scenario.before.size(); ++i) {
        programs.push_back(std::make_unique<Program>(i + 1, scenario.before[i], seed + i));
        programs.back()->resize(total / scenario.before.size());
        if (!scenario.cold)
            programs.back()->run(warm_s);
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exponent(-1, 1);
    std::vector<double> means;
    Outcome outcome;
    for (int now = 0; now < to_s; ++now) {
        for (std::size_t i = 0; now == phase_s && i < programs.size(); ++i) {
            if (scenario.before[i].kind != scenario.after[i].kind ||
                scenario.before[i].rebuild_ms != scenario.after[i].rebuild_ms)
                programs[i]->change(scenario.after[i], seed + 100 + i);
        }
        std::vector<Seen> seen;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const double claim = (i == 0 ? scenario.lie : 1) * std::pow(scenario.noise, exponent(random));
            seen.push_back({programs[i]->report(claim), programs[i]->counts().rebuild_s});
            seen.back().report.known_s = now;
        }
        const std::vector<Bytes> parts = divider.divide(total, seen);
        for (const auto& program : programs) {
            if (now == from_s)
                program->take_progress();
        }
        for (std::size_t i = 0; i < programs.size(); ++i)
            programs[i]->resize(parts[i]);
        for (const auto& program : programs)
            program->run(second);
    }
    for (const auto& program : programs)
        outcome.progress.push_back(program->take_progress());
    return outcome;
}

std::vector<Bytes> best_static_parts(const Scenario& scenario, Bytes total, std::uint64_t seed) {
    std::vector<core::SoftHeap> heaps;
    for (std::size_t i = 0; i < scenario.after.size(); ++i)
        heaps.push_back(exact_heap(scenario.after[i], i + 1, seed + 200 + i, 400'000));
    core::SoftDivision division;
    std::vector<Bytes> parts;
    for (const core::SoftGrant& grant : division.divide(total, heaps))
        parts.push_back(grant.bytes);
    return parts;
}

}  // namespace tmm::soft_memory
