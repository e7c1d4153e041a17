// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// An hour of the simulation, replayed by tmmd on files that show the same machine: tmmd wants the same in each second. So the
// simulated weeks are those of the daemon that people run.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_tree.hpp"
#include "fixtures.hpp"
#include "simulation.hpp"
#include "tmm_system.hpp"
#include "tmmd/app/daemon.hpp"
#include "tmmd/os/cgroup/fake_evictor.hpp"
#include "tmmd/os/limits/kernel_limits.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::days {
namespace {

struct Step {
    core::Reading reading;
    core::Wanted wanted;
};

// Works, is away for a quarter of an hour, and works on something else, for which there is too little memory.
std::vector<Step> simulated_hour() {
    constexpr std::uint32_t hour = 3600;
    constexpr std::uint32_t leaves = 1200;
    constexpr std::uint32_t returns = 2100;
    Trace trace;
    trace.unit_bytes = std::uint64_t{1} << 20;
    trace.seconds = hour;
    trace.is_file.assign(400, 0);
    trace.attended.assign(hour, 1);
    trace.activity.assign(hour, 0.3F);
    for (std::uint32_t second = 0; second < hour; ++second) {
        const bool away = second >= leaves && second < returns;
        trace.attended[second] = away ? 0 : 1;
        trace.activity[second] = away ? 0.01F : 0.3F;
        const std::uint32_t first = second < returns ? 0 : 100;
        const std::uint32_t size = second < returns ? 120 : 270;
        for (std::uint32_t i = 0; i < 12 && !away; ++i)
            trace.events.push_back({.second = second, .unit = first + (12 * second + i) % size, .frees = 0, .waits = 1});
    }
    std::vector<Step> steps;
    const Machine machine = machine_for(trace, 256);
    const auto system = make_tmm(TmmObjective::reuse, People::seen, machine, [&](const auto& reading, const auto& wanted) {
        steps.push_back({reading, wanted});
    });
    simulate(trace, machine, *system);
    return steps;
}

// Gives tmmd the samples of the simulation.
class RecordedSource : public os::SampleSource {
public:
    explicit RecordedSource(const core::Reading*& now) : now_(now) {}
    Result<core::EpochSample> sample() override {
        EXPECT_TRUE(now_->second->sample.scanned) << "at " << now_->now.awake.time_since_epoch().count() / 1'000'000'000;
        return own_part();
    }
    Result<core::EpochSample> poll_refaults() override {
        EXPECT_FALSE(now_->second->sample.scanned) << "at " << now_->now.awake.time_since_epoch().count() / 1'000'000'000;
        return own_part();
    }
    bool change_rate(int) override { return false; }
    [[nodiscard]] os::SourceTraits traits() const override { return {"simulated"}; }
    [[nodiscard]] std::string description() const override { return "a simulation"; }

private:
    // All that files have to show is missing.
    [[nodiscard]] core::EpochSample own_part() const {
        core::EpochSample sample = now_->second->sample;
        sample.reads = {};
        sample.anonymous_refaults = 1;
        return sample;
    }
    const core::Reading*& now_;
};

class SameTickTest : public testing::Test {
protected:
    SameTickTest() {
        tree_.file("sys/fs/cgroup/cgroup.controllers", "memory\n").dir("sys/kernel/mm/tmm").dir("dev");
        tree_.file("sys/fs/cgroup/transparent.slice/task.scope/cgroup.events", "populated 1\nfrozen 0\n");
        tree_.file("sys/kernel/mm/tmm/version", "1\n");
        tree_.file("sys/kernel/mm/tmm/opaque_limit", "0\n").file("sys/kernel/mm/tmm/transparent_limit", "0\n");
        tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1000000 0 -2\n");
    }

    static std::string bytes(core::Pages pages) { return std::to_string(core::to_bytes(pages, os::page_bytes()).count()) + "\n"; }

    void write(const std::string& file, const std::string& text) {
        if (std::exchange(shown_[file], text) != text)
            tree_.file(file, text);
    }

    // Shows the machine of this reading.
    void show(const core::Reading& reading, bool attended) {
        const core::SecondRead& second = *reading.second;
        active_ += std::chrono::round<std::chrono::microseconds>(second.active);
        faults_ += second.opaque_faults.value_or(0);
        const core::StoreReads& swap = second.sample.reads[static_cast<std::size_t>(core::Store::swap_disk)];
        swap_reads_ += static_cast<std::uint64_t>(swap.reads);
        swap_time_ += std::chrono::round<std::chrono::milliseconds>(swap.time);
        inputs_ += attended ? 1 : 0;
        write("sys/fs/cgroup/cpu.stat", "usage_usec " + std::to_string(active_.count()) + "\n");
        write("proc/vmstat", "pgmajfault " + std::to_string(faults_) + "\nworkingset_refault_anon " + std::to_string(faults_) +
                                 "\nworkingset_refault_file 0\n");
        write("proc/diskstats",
              "8 2 sda2 " + std::to_string(swap_reads_) + " 0 0 " + std::to_string(swap_time_.count()) + " 0 0 0 0 0 0 0\n");
        write("proc/interrupts", "1: " + std::to_string(inputs_) + " IO-APIC 1-edge i8042\n");
        write("sys/kernel/mm/tmm/total", bytes(reading.usage->total));
        write("sys/kernel/mm/tmm/opaque_usage", bytes(reading.usage->opaque));
        write("sys/kernel/mm/tmm/transparent_usage", bytes(reading.usage->transparent));
    }

    app::AdapterFactory factory() {
        app::AdapterFactory factory;
        factory.open_source = [this](const config::Config&) -> Result<std::unique_ptr<os::SampleSource>> {
            return std::unique_ptr<os::SampleSource>(std::make_unique<RecordedSource>(now_));
        };
        factory.open_sink = [this]() -> Result<std::unique_ptr<os::LimitSink>> {
            auto limits = os::KernelLimits::open_classes(root_);
            if (!limits)
                return std::move(limits).error();
            return std::unique_ptr<os::LimitSink>(std::make_unique<os::KernelLimits>(*std::move(limits)));
        };
        factory.make_evictor = [this] { return std::make_unique<os::FakeEvictor>(asked_to_evict_); };
        factory.own_cpu_time = [this] { return now_->second->own_cpu; };
        return factory;
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    const core::Reading* now_ = nullptr;
    std::vector<std::string> asked_to_evict_;
    std::map<std::string, std::string> shown_;  // text by file
    std::chrono::microseconds active_{0};
    std::chrono::milliseconds swap_time_{0};
    std::uint64_t swap_reads_ = 0;
    std::uint64_t faults_ = 0;
    std::uint64_t inputs_ = 0;
};

TEST_F(SameTickTest, TmmdWantsInEachSecondWhatTheSimulationWants) {
    const std::vector<Step> steps = simulated_hour();
    ASSERT_EQ(steps.size(), 3600U);
    now_ = &steps[0].reading;
    show(steps[0].reading, true);
    app::Daemon daemon(config::Config(), root_, log_, factory(), steps[0].reading.usage->total, false, {});
    ASSERT_TRUE(daemon.start(steps[0].reading.now));
    std::uint64_t refaults = 0;
    int limits = 0;
    for (std::size_t second = 0; second < steps.size(); ++second) {
        const Step& step = steps[second];
        now_ = &step.reading;
        if (second > 0)
            show(step.reading, second < 1200 || second >= 2100);
        daemon.tick(step.reading.now);
        ASSERT_TRUE(daemon.decided().wanted() == step.wanted)
            << "in second " << second << ": a limit of " << daemon.decided().wanted().given.opaque_limit.count() << " for "
            << step.wanted.given.opaque_limit.count() << ", a scan " << daemon.decided().wanted().scan << " for "
            << step.wanted.scan << ", a decision " << daemon.decided().wanted().step.has_value() << " for "
            << step.wanted.step.has_value();
        refaults += step.reading.second->opaque_faults.value_or(0);
        limits += second > 0 && step.wanted.given.opaque_limit != steps[second - 1].wanted.given.opaque_limit ? 1 : 0;
        ASSERT_EQ(tree_.text("sys/kernel/mm/tmm/opaque_limit")
                      .find(std::to_string(core::to_bytes(step.wanted.given.opaque_limit, os::page_bytes()).count())),
                  0U);
    }
    EXPECT_GT(refaults, 0U) << "the hour has all that matters";
    EXPECT_GT(limits, 5);
    EXPECT_TRUE(steps.back().wanted.keeps);
}

}  // namespace
}  // namespace tmm::days
