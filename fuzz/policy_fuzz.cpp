// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes Policy with random steps: epochs and polls, clocks that go back, memory that comes and goes, other parameters, restored
// states, new sources, and counters without sense. Whatever comes, limits add up and stay within their bounds. Counters without
// sense count as none: a second policy gets 0 in their place, and must decide the same.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace {

using namespace tmm;
using core::Pages;
using core::Seconds;
using fuzz::Input;

constexpr std::size_t max_steps = 400;
constexpr Pages installed(1 << 16);

core::PolicyParameters parameters_of(Input& input) {
    core::PolicyParameters parameters;
    parameters.objective = input.one_in(2) ? core::Objective::paper : core::Objective::reuse;
    parameters.ageing.period = Seconds(20);
    parameters.rule.beta = 1 + 9 * input.share();
    parameters.keep.break_even = Seconds(60.0 + static_cast<double>(input.number(25)));
    parameters.min_opaque = 0.01 + 0.99 * input.share();
    parameters.margin = 0.5 * input.share();
    return parameters;
}

bool makes_sense(Seconds time) {
    return std::isfinite(time.count()) && time.count() >= 0 && time.count() <= 1e9;
}

core::EpochSample without_nonsense(core::EpochSample sample) {
    for (Seconds* time : {&sample.idle_before, &sample.attended, &sample.active})
        *time = makes_sense(*time) ? *time : Seconds(0);
    if (sample.left && !makes_sense(*sample.left))
        sample.left.reset();
    sample.anonymous_refaults = std::isnan(sample.anonymous_refaults) ? 1 : std::clamp(sample.anonymous_refaults, 0.0, 1.0);
    for (core::StoreReads& reads : sample.reads) {
        const double time = reads.time.count();
        if (!std::isfinite(time) || time < 0 || !std::isfinite(reads.reads) || reads.reads <= 0)
            reads = {};
    }
    return sample;
}

bool are_equal(const core::Decision& one, const core::Decision& other) {
    return one.kind == other.kind && one.ageing == other.ageing && one.busy == other.busy && one.footprint == other.footprint &&
           one.opaque_limit == other.opaque_limit && one.transparent_limit == other.transparent_limit &&
           one.opaque_wanted == other.opaque_wanted && one.refaults_per_s == other.refaults_per_s &&
           one.expected_misses_per_s == other.expected_misses_per_s && one.expected_slowdown == other.expected_slowdown &&
           one.reason == other.reason;
}

class Machine {
public:
    explicit Machine(Input& input)
        : parameters_(parameters_of(input)), policy_(parameters_, installed), twin_(parameters_, installed) {}

    void step(Input& input) {
        change_something(input);
        now_ += std::chrono::milliseconds(static_cast<std::int64_t>(input.number(input.one_in(8) ? 40 : 16)) -
                                          (input.one_in(16) ? 100'000 : 0));
        const core::EpochSample sample = sample_of(input);
        const core::MemoryUsage usage = usage_of(input);
        (void)policy_.outgrown(usage, Pages(input.number(32)));
        const core::Decision decision = policy_.step(sample, usage, now_);
        check(decision, usage.total);
        TMM_REQUIRE(are_equal(decision, twin_.step(without_nonsense(sample), usage, now_)));
        TMM_REQUIRE(policy_.known_samples() == pages_.size());
        check_cgroups();
    }

    void check_saved_state() const {
        const std::string state = policy_.save_state();
        TMM_REQUIRE(state == twin_.save_state());
        core::Policy again(parameters_, installed);
        TMM_REQUIRE(again.restore_state(state).has_value());
    }

private:
    void change_something(Input& input) {
        switch (input.below(40)) {
            case 0:
                parameters_ = parameters_of(input);
                policy_.set_parameters(parameters_);
                twin_.set_parameters(parameters_);
                break;
            case 1:
                policy_.restart_sampling();
                twin_.restart_sampling();
                pages_.clear();
                break;
            case 2: {
                check_saved_state();
                const std::string state = policy_.save_state();
                TMM_REQUIRE(policy_.restore_state(state).has_value() && twin_.restore_state(state).has_value());
                break;
            }
            case 3:
                total_ = Pages(input.number(36));
                break;
            default:
                break;
        }
    }

    core::EpochSample sample_of(Input& input) {
        core::EpochSample sample;
        sample.scanned = !input.one_in(3);
        sample.attended = Seconds(input.one_in(3) ? 0 : input.counter(30));
        const std::uint8_t what = input.byte();
        if ((what & 1) != 0)
            sample.idle_before = Seconds(input.counter(200));
        if ((what & 2) != 0)
            sample.evicted = Pages(input.number(what >= 192 ? 63 : 10));
        if ((what & 4) != 0)
            sample.active = Seconds(input.counter(30));
        if ((what & 24) == 24)
            sample.left = Seconds(input.counter(400));
        for (std::uint64_t n = (what & 32) != 0 ? 1 + input.below(3) : 0; n > 0; --n) {
            const Pages from(input.number(input.one_in(8) ? 63 : 16));
            sample.refaults.push_back({from, from + Pages(input.byte()), Pages(input.number(input.one_in(8) ? 63 : 8))});
        }
        if ((what & 48) == 48)
            sample.anonymous_refaults = input.counter(1);
        if ((what & 64) != 0)
            sample.reads[input.below(core::nr_stores)] = {input.counter(100), Seconds(input.counter(1))};
        if (sample.scanned)
            scan(input, sample);
        return sample;
    }

    void scan(Input& input, core::EpochSample& sample) {
        for (std::uint64_t n = input.one_in(2) ? 0 : input.below(8); n > 0; --n) {
            const core::PageKey key = input.below(64);
            if (pages_.erase(key) > 0)
                sample.gone.push_back(key);
        }
        core::PageKey key = input.below(64);
        for (std::uint64_t n = input.below(32); n > 0; --n, key = (key + 1) % 64) {
            const std::uint8_t how = input.byte();
            pages_.insert(key);
            sample.referenced.push_back({key, how >= 250 ? 1U << 25 : 1U + how % 16 * 64,
                                         (how & 64) != 0 ? core::Backing::file : core::Backing::anonymous, how % 5U});
        }
    }

    // Read one after the other, the numbers need not fit together.
    core::MemoryUsage usage_of(Input& input) const {
        const Pages opaque(input.one_in(8) ? input.number(40) : total_.count() / 256 * input.byte());
        return {.total = total_, .opaque = opaque, .transparent = Pages(input.number(32))};
    }

    void check(const core::Decision& decision, Pages total) const {
        TMM_REQUIRE(decision.opaque_limit <= total);
        TMM_REQUIRE(decision.opaque_limit + decision.transparent_limit == total);
        TMM_REQUIRE(decision.opaque_limit >= part_of(total, parameters_.min_opaque));
        TMM_REQUIRE(decision.transparent_limit == Pages(0) || decision.kind != core::DecisionKind::learning);
        TMM_REQUIRE(std::isfinite(decision.refaults_per_s) && decision.refaults_per_s >= 0);
        const double misses = decision.expected_misses_per_s.value_or(0);
        TMM_REQUIRE(std::isfinite(misses) && misses >= 0);
        const double slowdown = decision.expected_slowdown.value_or(0);
        TMM_REQUIRE(slowdown >= 0 && slowdown <= 1);
        TMM_REQUIRE(decision.reason.need <= total);
        for (const double latency : policy_.latency().usual())
            TMM_REQUIRE(std::isfinite(latency) && latency >= 0);
    }

    void check_cgroups() const {
        const std::vector<core::CgroupKeeps> kept = policy_.kept_by_cgroup();
        TMM_REQUIRE(kept == twin_.kept_by_cgroup());
        const std::vector<core::CgroupKeeps> protection = policy_.protected_by_cgroup();
        TMM_REQUIRE(kept.size() == protection.size());
        for (std::size_t i = 0; i < kept.size(); ++i)
            TMM_REQUIRE(protection[i].cgroup == kept[i].cgroup && protection[i].pages >= kept[i].pages);
    }

    core::PolicyParameters parameters_;
    core::Policy policy_;
    core::Policy twin_;  // sees no counters without sense
    core::AwakeTime now_{};
    std::set<core::PageKey> pages_;
    Pages total_ = installed;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    Machine machine(input);
    for (std::size_t step = 0; step < max_steps && !input.empty(); ++step)
        machine.step(input);
    machine.check_saved_state();
    return 0;
}
