// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes sequences of readings and commands that core::Tick steps through: limits stay within memory, nothing becomes NaN, and
// nobody stays held once every reason for it is gone.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"
#include "tmmd/core/tick/tick.hpp"

namespace {

using namespace tmm;
using namespace tmm::core;

constexpr std::uint64_t total_pages = 10'000;
// A hold for pressure lasts this long at most, so that the end of a sequence is short.
constexpr Seconds max_hold{120};

class Input : public fuzz::Input {
public:
    using fuzz::Input::Input;
    bool flag() { return (byte() & 1) != 0; }
    // Any number that a kernel could claim.
    std::uint64_t number() {
        constexpr std::array<std::uint64_t, 6> odd{0, 1, total_pages, 1ULL << 40, 1ULL << 62, UINT64_MAX};
        const std::uint8_t which = byte();
        return which < odd.size() ? odd[which] : which * (total_pages / 200);
    }
    double real() {
        constexpr std::array<double, 6> odd{0,
                                            -1,
                                            1e300,
                                            std::numeric_limits<double>::infinity(),
                                            -std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::quiet_NaN()};
        const std::uint8_t which = byte();
        return which < odd.size() ? odd[which] : which / 255.0;
    }
};

TickParameters parameters(Input& input) {
    TickParameters parameters;
    parameters.epochs.policy.objective = input.flag() ? Objective::paper : Objective::reuse;
    parameters.epochs.scan_always = input.flag();
    parameters.giving.pressure.max_hold = max_hold;
    return parameters;
}

MemoryUsage usage(Input& input) {
    const std::uint64_t opaque = std::min(input.number(), total_pages);
    return {Pages(total_pages), Pages(opaque), Pages(std::min(input.number(), total_pages - opaque))};
}

class Machine {
public:
    explicit Machine(Input& input) : input_(input), tick_(parameters(input), Pages(total_pages)) {}

    void pass(std::chrono::nanoseconds time) {
        now_.awake += time;
        now_.elapsed += time;
        now_.wall += std::chrono::duration_cast<std::chrono::microseconds>(time);
        now_.local_minute = static_cast<unsigned>(
            std::chrono::duration_cast<std::chrono::minutes>(now_.elapsed.time_since_epoch()).count() % minutes_per_day);
    }

    Reading reading() {
        Reading reading;
        reading.now = now_;
        if (input_.byte() % 8 != 0)
            reading.usage = usage(input_);
        reading.contributions = input_.byte() % 4 != 0;
        reading.uncounted = {
            1 + static_cast<CgroupId>(std::chrono::floor<std::chrono::minutes>(now_.awake).time_since_epoch().count()) % 4};
        reading.evicting = input_.byte() % 4 == 0;
        if (input_.flag())
            reading.idle_for = Seconds(input_.byte() * 4);
        if (input_.flag())
            reading.stall = input_.real();
        if (input_.flag())
            reading.on_mains = input_.flag();
        reading.signs = {.alarm = input_.flag(), .opaque_only = input_.flag(), .waited = {}};
        if (input_.flag())
            reading.signs.waited = Seconds(input_.byte());
        if (input_.byte() % 4 == 0) {
            reading.swap = {.taken = Pages(input_.number()),
                            .stored = Pages(input_.number()),
                            .contributed = Pages(input_.number()),
                            .is_all = input_.flag()};
            reading.files = Pages(input_.number());
        }
        return reading;
    }

    SecondRead second() {
        SecondRead second;
        second.active = Seconds(input_.real());
        second.own_cpu = own_cpu_ += Seconds(input_.byte() / 1000.0);
        second.source = input_.byte() % 16 == 0 ? "other" : "one";
        second.can_learn = input_.byte() % 16 != 0;
        second.rate_changed = input_.byte() % 16 == 0;
        second.opaque_faults = input_.number();
        EpochSample& sample = second.sample;
        sample.scanned = tick_.wanted().scan && input_.byte() % 4 != 0;
        second.preparing = tick_.wanted().scan && !sample.scanned;
        for (int i = input_.byte() % 3; i > 0; --i) {
            const std::uint64_t from = input_.number();
            sample.refaults.push_back({Pages(from), Pages(std::max(from, input_.number())), Pages(input_.number())});
        }
        if (input_.flag())
            sample.evicted = Pages(input_.number());
        sample.anonymous_refaults = input_.real();
        for (StoreReads& reads : sample.reads)
            reads = {input_.real(), Seconds(input_.real())};
        if (!sample.scanned)
            return second;
        const PageKey first = input_.byte() * 10;
        const int used = input_.byte();
        for (int i = 0; i < used; ++i)
            sample.referenced.push_back({.key = first + static_cast<PageKey>(i),
                                         .weight = 4,
                                         .backing = i % 3 == 0 ? Backing::file : Backing::anonymous,
                                         .cgroup = static_cast<CgroupId>(i % 5)});
        for (int i = input_.byte() % 16; i > 0; --i)
            sample.gone.push_back(5'000 + input_.byte());
        return second;
    }

    void command() {
        switch (input_.byte() % 5) {
            case 0:
                return tick_.apply(
                    Pause{input_.flag() ? std::optional<std::chrono::nanoseconds>(std::chrono::seconds(input_.byte()))
                                        : std::nullopt},
                    now_);
            case 1:
                return tick_.apply(Resume{}, now_);
            case 2:
                return tick_.apply(Switch{input_.flag()}, now_);
            case 3: {
                CapsChange change;
                change.max_percent = std::clamp(input_.byte() / 2.0, 0.0, 100.0);
                change.only_on_mains = input_.flag();
                change.only_when_idle = input_.flag();
                return tick_.apply(ChangeCaps{change}, now_);
            }
            default:
                return tick_.restart();
        }
    }

    void step(const Reading& reading) { check(tick_.step(reading), reading); }

    // Nothing holds contributions any more: everybody is well, and the owner forbids nothing.
    void calm() {
        tick_.apply(Resume{}, now_);
        tick_.apply(Switch{true}, now_);
        CapsChange change;
        change.only_on_mains = change.only_when_idle = false;
        tick_.apply(ChangeCaps{change}, now_);
        for (Seconds calm{0}; calm < max_hold + Seconds(90); calm += Seconds(1)) {
            pass(std::chrono::seconds(1));
            Reading reading;
            reading.now = now_;
            reading.usage = MemoryUsage{Pages(total_pages), Pages(6'000), Pages(2'000)};
            reading.contributions = true;
            reading.idle_for = Seconds(0);
            reading.stall = 0;
            reading.signs.waited = Seconds(255);
            step(reading);
        }
        TMM_REQUIRE(tick_.wanted().given.hold == Hold::none);
    }

private:
    static void check(const Wanted& wanted, const Reading& reading) {
        const GivingDecision& given = wanted.given;
        TMM_REQUIRE(given.opaque_limit <= Pages(total_pages) && given.transparent_limit <= Pages(total_pages));
        TMM_REQUIRE(given.opaque_limit + given.transparent_limit <= Pages(total_pages));
        TMM_REQUIRE(given.evict == Pages(0) || (reading.usage && given.evict <= reading.usage->transparent));
        TMM_REQUIRE(given.hold == Hold::none || given.kind != GivingKind::giving);
        TMM_REQUIRE(given.evict == Pages(0) || given.hold != Hold::none);
        TMM_REQUIRE(given.hold != Hold::evict || given.kind == GivingKind::paused || given.kind == GivingKind::off);
        TMM_REQUIRE(!std::isnan(given.reason.stall));
        if (!wanted.step)
            return;
        const Decision& decision = wanted.step->decision;
        TMM_REQUIRE(decision.opaque_limit + decision.transparent_limit == Pages(total_pages));
        TMM_REQUIRE(decision.opaque_limit >= Pages(total_pages / 10));
        for (const auto& value :
             {decision.expected_misses_per_s, decision.expected_slowdown, std::optional(decision.refaults_per_s)})
            TMM_REQUIRE(!value || std::isfinite(*value));
        for (const double latency : wanted.step->miss_latency)
            TMM_REQUIRE(std::isfinite(latency) && latency > 0);
        for (const CgroupKeeps& one : wanted.scanned ? wanted.scanned->kept : std::vector<CgroupKeeps>())
            TMM_REQUIRE(!std::ranges::binary_search(reading.uncounted, one.cgroup));
        Pages kept{0};
        for (const CgroupKeeps& one : wanted.keeps ? wanted.keeps->by_cgroup : std::vector<CgroupKeeps>())
            kept += one.pages;
        TMM_REQUIRE(kept <= Pages(4 * total_pages));
    }

    Input& input_;
    Moment now_{.awake = AwakeTime(std::chrono::hours(1)),
                .elapsed = ElapsedTime(std::chrono::hours(1)),
                .wall = WallTime(std::chrono::hours(480'000)),
                .local_minute = 60};
    Seconds own_cpu_{0};
    Tick tick_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, std::min<std::size_t>(size, 2048));
    Machine machine(input);
    while (!input.empty()) {
        switch (input.byte() % 8) {
            case 0:
                machine.command();
                break;
            case 1:  // between two seconds
                machine.pass(std::chrono::milliseconds(input.byte()));
                machine.step(machine.reading());
                break;
            default: {
                machine.pass(std::chrono::milliseconds(1 + input.byte() * (input.flag() ? 1'000 : 10)));
                core::Reading reading = machine.reading();
                if (reading.usage)
                    reading.second = machine.second();
                machine.step(reading);
            }
        }
    }
    machine.calm();
    return 0;
}
