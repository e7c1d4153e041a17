// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/machine_reader.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

using core::Seconds;
using std::chrono::minutes;
using std::chrono::seconds;

// A source whose scans a test permits.
class ScriptedSource : public SampleSource {
public:
    Result<core::EpochSample> sample() override {
        ++samples;
        return core::EpochSample();
    }
    Result<core::EpochSample> poll_refaults() override {
        ++polls;
        core::EpochSample sample;
        sample.scanned = false;
        if (refaults)
            sample.refaults.push_back({core::Pages(1), core::Pages(1), core::Pages(1)});
        return sample;
    }
    [[nodiscard]] bool due(Seconds epoch) override { return epoch >= min_epoch; }
    [[nodiscard]] bool prepare() override {
        ++preparations;
        return ready;
    }
    [[nodiscard]] bool has_failed() const override { return failed; }
    bool change_rate(int) override { return true; }
    [[nodiscard]] SourceTraits traits() const override { return {"scripted"}; }
    [[nodiscard]] std::string description() const override { return "a test"; }

    Seconds min_epoch{0};
    bool ready = true;
    bool failed = false;
    bool refaults = false;
    int samples = 0;
    int polls = 0;
    int preparations = 0;
};

class ScriptedSink : public LimitSink {
public:
    Result<core::MemoryUsage> usage(const std::vector<std::string>&) override {
        return broken ? Result<core::MemoryUsage>(Error(EIO, "the sink broke"))
                      : core::MemoryUsage{core::Pages(100), core::Pages(60), core::Pages(30)};
    }
    Result<void> apply(const core::Wanted&, const std::vector<std::string>&) override { return {}; }
    bool broken = false;
};

class MachineReaderTest : public testing::Test {
protected:
    MachineReaderTest() {
        set(0, 0, 0, 0);
        reader_.emplace(root_, [] { return Seconds(7); });
    }

    void set(int cpu_us, int faults, int anonymous_refaults, int file_refaults) {
        tree_.file("proc/vmstat", "pgmajfault " + std::to_string(faults) + "\nworkingset_refault_anon " +
                                      std::to_string(anonymous_refaults) + "\nworkingset_refault_file " +
                                      std::to_string(file_refaults) + "\n");
        tree_.file("proc/diskstats", "").file("sys/fs/cgroup/cpu.stat", "usage_usec " + std::to_string(cpu_us) + "\n");
    }
    void set_waited(int us) {
        tree_.file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + std::to_string(us) + "\n");
    }
    void pass(std::chrono::nanoseconds time) {
        surroundings_.now.awake += time;
        surroundings_.now.elapsed += time;
    }
    Result<core::Reading> next(bool scan = true) {
        pass(seconds(1));
        return reader_->read_second(surroundings_, scan, source_, sink_);
    }
    core::Reading between() { return reader_->read(surroundings_, &sink_); }

    TempTree tree_;
    RootDir root_ = tree_.root();
    ScriptedSource source_;
    ScriptedSink sink_;
    Surroundings surroundings_{
        .now = {.awake = core::AwakeTime(minutes(10)), .elapsed = core::ElapsedTime(minutes(10)), .wall = {}, .local_minute = 0},
        .transparent_cgroups = {},
        .contributions = false,
        .evicting = false,
        .alarm = false,
        .asks = {}};
    std::optional<MachineReader> reader_;  // it looks which files there are
};

TEST_F(MachineReaderTest, ReadsTheSecondThatHasPassed) {
    ASSERT_TRUE(next());
    set(500'000, 7, 30, 10);
    const auto reading = next();
    ASSERT_TRUE(reading && reading->second);
    const core::SecondRead& second = *reading->second;
    EXPECT_EQ(reading->usage->opaque, core::Pages(60));
    EXPECT_EQ(reading->page_bytes, page_bytes());
    EXPECT_DOUBLE_EQ(second.active.count(), 0.5);
    EXPECT_DOUBLE_EQ(second.sample.anonymous_refaults, 0.75);
    EXPECT_EQ(second.opaque_faults, 7U);
    EXPECT_EQ(second.own_cpu, Seconds(7));
    EXPECT_EQ(second.source, "scripted");
    EXPECT_TRUE(second.sample.scanned);
}

TEST_F(MachineReaderTest, CountsAreReadOnlyWithASampleThatNeedsThem) {
    ASSERT_TRUE(next());
    set(0, 7, 30, 10);
    EXPECT_EQ(next(false)->second->opaque_faults, std::nullopt);
    source_.refaults = true;
    EXPECT_EQ(next(false)->second->opaque_faults, 7U) << "nothing is lost";
}

TEST_F(MachineReaderTest, TheFirstPollComesAfterTheFirstScan) {
    source_.ready = false;
    ASSERT_TRUE(next());
    EXPECT_EQ(source_.polls, 0);
    source_.ready = true;
    ASSERT_TRUE(next());
    ASSERT_TRUE(next(false));
    EXPECT_EQ(source_.samples, 1);
    EXPECT_EQ(source_.polls, 1);
    reader_->source_opened();
    ASSERT_TRUE(next(false));
    EXPECT_EQ(source_.polls, 1);
}

TEST_F(MachineReaderTest, AScanComesWhenTheSourceIsDueAndReady) {
    ASSERT_TRUE(next());
    source_.min_epoch = Seconds(3);
    source_.ready = false;
    ASSERT_TRUE(next());
    ASSERT_TRUE(next());
    EXPECT_EQ(source_.preparations, 1) << "of the first scan";
    EXPECT_TRUE(next()->second->preparing);
    EXPECT_TRUE(next(false)->second->preparing) << "what has begun is ended";
    EXPECT_EQ(source_.preparations, 3);
    source_.ready = true;
    EXPECT_TRUE(next(false)->second->sample.scanned);
    EXPECT_FALSE(next(false)->second->preparing);
}

TEST_F(MachineReaderTest, AFailedSourceIsScannedAtOnceSoThatAnotherTakesItsPlace) {
    ASSERT_TRUE(next());
    source_.ready = false;
    source_.failed = true;
    EXPECT_TRUE(next(false)->second->sample.scanned);
}

TEST_F(MachineReaderTest, TellsOfAnotherRateOnce) {
    reader_->rate_changed();
    EXPECT_TRUE(next()->second->rate_changed);
    EXPECT_FALSE(next()->second->rate_changed);
}

TEST_F(MachineReaderTest, OnlyProcessorTimeAndUsageAreNeeded) {
    using Part = MachineReader::Part;
    for (const auto& [missing, part] : {std::pair("proc/diskstats", Part::latency), std::pair("proc/vmstat", Part::faults)}) {
        set(0, 0, 0, 0);
        std::filesystem::remove(tree_.path() / missing);
        const auto reading = next();
        ASSERT_TRUE(reading) << missing;
        EXPECT_EQ(reading->second->opaque_faults.has_value(), part != Part::faults) << "nobody knows the faults";
        EXPECT_FALSE(reader_->problem(part).empty());
    }
    set(0, 0, 0, 0);
    ASSERT_TRUE(next());
    EXPECT_TRUE(reader_->problem(Part::latency).empty() && reader_->problem(Part::faults).empty());
    sink_.broken = true;
    EXPECT_EQ(next().error().message(), "the sink broke");
    EXPECT_EQ(between().usage, std::nullopt) << "between two seconds it is enough that nobody knows";
    sink_.broken = false;
    std::filesystem::remove(tree_.path() / "sys/fs/cgroup/cpu.stat");
    EXPECT_FALSE(next()) << "nobody would know when the owner works";
}

TEST_F(MachineReaderTest, TheBatteryIsReadIfACallerAsks) {
    tree_.file("sys/class/power_supply/BAT0/type", "Battery\n").file("sys/class/power_supply/BAT0/status", "Discharging\n");
    EXPECT_EQ(between().on_mains, std::nullopt);
    surroundings_.asks.mains = true;
    EXPECT_EQ(between().on_mains, false);
    tree_.file("sys/class/power_supply/BAT0/status", "Charging\n");
    EXPECT_EQ(between().on_mains, false) << "not within ten seconds";
    pass(seconds(10));
    EXPECT_EQ(between().on_mains, true);
}

TEST_F(MachineReaderTest, KnowsWhenSomebodyTouchedTheMachine) {
    tree_.file("proc/interrupts", "1: 5 IO-APIC 1-edge i8042\n");
    EXPECT_EQ(between().idle_for, std::nullopt) << "the keyboard may be nobody's";
    tree_.file("proc/interrupts", "1: 6 IO-APIC 1-edge i8042\n");
    pass(seconds(5));
    EXPECT_EQ(between().idle_for, Seconds(0));
    tree_.file("proc/interrupts", "1: 7 IO-APIC 1-edge i8042\n");
    pass(seconds(2));
    EXPECT_EQ(between().idle_for, Seconds(2)) << "counters are read every five seconds";
    surroundings_.alarm = true;
    EXPECT_EQ(between().idle_for, Seconds(0)) << "unless somebody waits";
}

TEST_F(MachineReaderTest, DesktopsTellOfPeople) {
    reader_->see_sessions({{"1", {.idle = true}}}, surroundings_.now.elapsed);
    pass(minutes(5));
    EXPECT_EQ(between().idle_for, Seconds(300));
    reader_->see_sessions({{"1", {}}}, surroundings_.now.elapsed);
    EXPECT_EQ(between().idle_for, Seconds(0));
}

TEST_F(MachineReaderTest, ReadsTheStallAndWhatAnAlarmNeeds) {
    set_waited(0);
    EXPECT_EQ(between().stall, std::nullopt);
    EXPECT_EQ(between().signs.waited, std::nullopt) << "it is costly";
    surroundings_.asks.waited = true;
    EXPECT_EQ(between().signs.waited, Seconds(0));
    set_waited(1'000'000);
    pass(seconds(10));
    EXPECT_EQ(between().stall, 0.1);
    EXPECT_EQ(between().signs.waited, Seconds(1));
    surroundings_.asks.waited = false;
    surroundings_.alarm = true;
    EXPECT_TRUE(between().signs.alarm);
    EXPECT_EQ(between().signs.waited, Seconds(1));
}

TEST_F(MachineReaderTest, SwapInMemoryIsReadBesideContributions) {
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/zram0 partition 1000 0 100\n");
    const auto bytes = [](int pages) { return std::to_string(pages * page_bytes().count()); };
    tree_.file("sys/block/zram0/mm_stat", bytes(40) + " " + bytes(10) + " " + bytes(12) + " 0 0 0 0 0 0\n");
    EXPECT_EQ(between().swap.taken, core::Pages(0)) << "nobody can freeze anything";
    surroundings_.contributions = true;
    EXPECT_EQ(between().swap.taken, core::Pages(12));
    EXPECT_EQ(between().swap.stored, core::Pages(40));
}

}  // namespace
}  // namespace tmm::os
