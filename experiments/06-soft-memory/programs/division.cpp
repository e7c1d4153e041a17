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
constexpr Work scan(double rebuild_ms) {
    return {Kind::scan, 0, 0, rebuild_ms};
}

class Fixed : public Divider {
public:
    explicit Fixed(std::vector<Bytes> parts) : parts_(std::move(parts)) {}
    std::vector<Bytes> divide(Bytes total, const std::vector<core::SoftHeap>& reports,
                              const std::vector<std::unique_ptr<Program>>&) override {
        return parts_.empty() ? std::vector<Bytes>(reports.size(), total / reports.size()) : parts_;
    }

private:
    std::vector<Bytes> parts_;
};

class Coordinator : public Divider {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<core::SoftHeap>& reports,
                              const std::vector<std::unique_ptr<Program>>&) override {
        std::vector<Bytes> parts;
        for (const core::SoftGrant& grant : division_.divide(total, reports))
            parts.push_back(grant.bytes);
        return parts;
    }

private:
    core::SoftDivision division_;
};

// Moves of a hundredth of all memory.
constexpr int parts_of_a_move = 100;

class HillClimbing : public Divider {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<core::SoftHeap>& reports,
                              const std::vector<std::unique_ptr<Program>>& programs) override {
        if (parts_.empty())
            parts_.assign(reports.size(), total / reports.size());
        gains_.resize(reports.size());
        const Bytes more = total / parts_of_a_move;
        const auto rebuilds = [&](std::size_t i) { return programs[i]->counts().rebuild_s; };
        if (seconds_ == 0) {
            before_ = rebuilds(probed_);
        } else if (seconds_ == probe_s) {
            without_ = rebuilds(probed_) - before_;
            before_ = rebuilds(probed_);
        } else if (seconds_ == 2 * probe_s) {
            gains_[probed_] = without_ - (rebuilds(probed_) - before_);
            seconds_ = 0;
            before_ = 0;
            probed_ = (probed_ + 1) % reports.size();
            if (probed_ == 0)
                move(more);
            before_ = rebuilds(probed_);
        }
        ++seconds_;
        std::vector<Bytes> parts = parts_;
        if (seconds_ > probe_s)
            parts[probed_] += more;
        return parts;
    }

private:
    static constexpr int probe_s = 2;

    void move(Bytes more) {
        const auto most = std::max_element(gains_.begin(), gains_.end()) - gains_.begin();
        std::size_t least = parts_.size();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (parts_[i] > more && static_cast<std::ptrdiff_t>(i) != most &&
                (least == parts_.size() || gains_[i] < gains_[least]))
                least = i;
        }
        if (least == parts_.size())
            return;
        parts_[least] -= more;
        parts_[static_cast<std::size_t>(most)] += more;
    }

    std::vector<Bytes> parts_;
    std::vector<double> gains_;
    std::size_t probed_ = 0;
    int seconds_ = 0;
    double before_ = 0;
    double without_ = 0;
};

class MarginalHits : public Divider {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<core::SoftHeap>& reports,
                              const std::vector<std::unique_ptr<Program>>&) override {
        if (parts_.empty())
            parts_.assign(reports.size(), total / reports.size());
        hits_.resize(reports.size());
        const Bytes more = total / parts_of_a_move;
        for (std::size_t i = 0; i < reports.size(); ++i) {
            const double now = reports[i].misses_per_s(saturating_sub(parts_[i], more)) - reports[i].misses_per_s(parts_[i]);
            hits_[i] = (1 - weight) * hits_[i] + weight * now;
        }
        const auto most = static_cast<std::size_t>(std::max_element(hits_.begin(), hits_.end()) - hits_.begin());
        std::size_t least = parts_.size();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (parts_[i] > more && i != most && (least == parts_.size() || hits_[i] < hits_[least]))
                least = i;
        }
        if (least != parts_.size()) {
            parts_[least] -= more;
            parts_[most] += more;
        }
        return parts_;
    }

private:
    static constexpr double weight = 0.3;  // of the newest

    std::vector<Bytes> parts_;
    std::vector<double> hits_;
};

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

std::unique_ptr<Divider> equal_parts() {
    return std::make_unique<Fixed>(std::vector<Bytes>());
}
std::unique_ptr<Divider> fixed_parts(std::vector<Bytes> parts) {
    return std::make_unique<Fixed>(std::move(parts));
}
std::unique_ptr<Divider> coordinator() {
    return std::make_unique<Coordinator>();
}
std::unique_ptr<Divider> hill_climbing() {
    return std::make_unique<HillClimbing>();
}
std::unique_ptr<Divider> marginal_hits() {
    return std::make_unique<MarginalHits>();
}

double Outcome::mean() const {
    return std::accumulate(progress.begin(), progress.end(), 0.0) / static_cast<double>(progress.size());
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
        std::vector<core::SoftHeap> reports;
        for (std::size_t i = 0; i < programs.size(); ++i)
            reports.push_back(programs[i]->report((i == 0 ? scenario.lie : 1) * std::pow(scenario.noise, exponent(random))));
        const std::vector<Bytes> parts = divider.divide(total, reports, programs);
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
