// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DaemonFixture: gives tests a Daemon on a fake tree, with fake adapters and a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_tree.hpp"
#include "tmmd/app/daemon.hpp"
#include "tmmd/os/cgroup/fake_evictor.hpp"

namespace tmm::app {

// State that the fakes share with the test: the daemon destroys the fakes and makes new ones.
struct FakeMachine {
    std::vector<os::Limits> written;
    std::function<void()> on_write = [] {};
    std::vector<std::string> asked_to_evict;
    bool evictor_hangs = false;
    int sources_open = 0;
    int opened = 0;
    int samples = 0;
    int polls = 0;
    int rate_changes = 0;
    bool has_rate = true;
    bool due = true;       // the source lets an epoch end
    bool prepared = true;  // ... and needs no more time for that
    int preparations = 0;
    bool can_learn = true;
    std::string source_id = "test";
    std::string source_problem;
    std::vector<std::string> source_follows;
    bool owner_works = true;
    std::vector<core::SampledPage> appeared;  // by the next scan
    core::Pages refaults_per_poll{0};
    core::Seconds cost_of_a_sample{0};
    core::Seconds cost_of_preparing{0};
    core::Seconds poll_cost{0};
    core::Seconds cpu_time{0};
    bool scanner_broken = false;
    bool source_failed = false;  // and tells so
    bool no_kernel = false;      // the adapters cannot be opened
    bool sink_broken = false;
    core::PageKey next = 0;
    std::vector<core::Keeps> kept;  // each that the sink was told
    int told_to_keep = 0;           // calls of the source
    core::Pages total{10000};
    core::Pages opaque{4000};
    core::Pages transparent{5000};
};

class FakeSource : public os::SampleSource {
public:
    explicit FakeSource(FakeMachine& machine) : machine_(machine) {
        ++machine_.sources_open;
        ++machine_.opened;
    }
    FakeSource(const FakeSource&) = delete;
    FakeSource& operator=(const FakeSource&) = delete;
    ~FakeSource() override { --machine_.sources_open; }

    // Simulates an owner who loops over 3000 pages.
    Result<core::EpochSample> sample() override {
        if (machine_.scanner_broken)
            return Error(EIO, "scanner broke");
        ++machine_.samples;
        machine_.cpu_time += machine_.cost_of_a_sample;
        core::EpochSample sample;
        if (!std::exchange(begun_, true)) {
            for (core::PageKey key = 0; key < 3000; ++key)
                sample.referenced.push_back({.key = key, .cgroup = 7});  // the first scan lists all that is resident
            return sample;
        }
        for (int i = 0; i < 600 && machine_.owner_works; ++i, machine_.next = (machine_.next + 1) % 3000)
            sample.referenced.push_back({.key = machine_.next, .cgroup = 7});
        std::move(machine_.appeared.begin(), machine_.appeared.end(), std::back_inserter(sample.referenced));
        machine_.appeared.clear();
        return sample;
    }
    Result<core::EpochSample> poll_refaults() override {
        ++machine_.polls;
        machine_.cpu_time += machine_.poll_cost;
        core::EpochSample sample;
        sample.scanned = false;
        if (machine_.refaults_per_poll > core::Pages(0))
            sample.refaults.push_back({core::Pages(3000), core::Pages(3000), machine_.refaults_per_poll});
        return sample;
    }
    bool change_rate(int change) override {
        machine_.rate_changes += change;
        return machine_.has_rate;
    }
    [[nodiscard]] bool due(core::Seconds) override { return machine_.due; }
    [[nodiscard]] bool prepare() override {
        machine_.cpu_time += machine_.cost_of_preparing;
        ++machine_.preparations;
        return machine_.prepared;
    }
    [[nodiscard]] bool has_failed() const override { return machine_.source_failed; }
    void follow(const std::vector<std::string>& cgroups) override { machine_.source_follows = cgroups; }
    void keep(std::span<const core::CgroupKeeps>, core::Seconds) override { ++machine_.told_to_keep; }
    [[nodiscard]] std::string problem() const override { return machine_.source_problem; }
    [[nodiscard]] os::SourceTraits traits() const override { return {machine_.source_id, machine_.can_learn}; }
    [[nodiscard]] std::string description() const override { return "a test"; }

private:
    FakeMachine& machine_;
    bool begun_ = false;
};

class FakeSink : public os::LimitSink {
public:
    explicit FakeSink(FakeMachine& machine) : machine_(machine) {}
    Result<void> apply(const core::Wanted& wanted, const std::vector<std::string>&) override {
        if (machine_.sink_broken)
            return Error(EIO, "sysfs broke");
        if (wanted.keeps && (machine_.kept.empty() || machine_.kept.back() != *wanted.keeps))
            machine_.kept.push_back(*wanted.keeps);
        const os::Limits limits = os::limits_of(wanted.given);
        if (written_ == limits)
            return {};
        written_ = limits;
        machine_.written.push_back(limits);
        machine_.on_write();
        return {};
    }
    Result<core::MemoryUsage> usage(const std::vector<std::string>&) override {
        return core::MemoryUsage{machine_.total, machine_.opaque, machine_.transparent};
    }

private:
    FakeMachine& machine_;
    std::optional<os::Limits> written_;
};

class DaemonFixture : public testing::Test {
protected:
    DaemonFixture() {
        tree_.file("proc/vmstat", "pgmajfault 5\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
        tree_.file("proc/diskstats", "").file("sys/fs/cgroup/cgroup.controllers", "memory\n").dir("var/lib/tmm");
        set_cpu(core::Seconds(0));
        tree_.file("sys/fs/cgroup/transparent.slice/memory.transparent", "0\n").dir("sys/kernel/mm/tmm");
    }

    // Sets the processor time that opaque programs have used so far.
    void set_cpu(core::Seconds time) {
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
        tree_.file("sys/fs/cgroup/cpu.stat", "usage_usec " + std::to_string(us) + "\n");
    }

    Daemon make_daemon(bool dry_run = false, Outputs outputs = {}) {
        return make_daemon(every_second(), dry_run, std::move(outputs));
    }
    Daemon make_daemon(const Log& log) { return make_daemon(every_second(), false, {}, log); }

    Daemon make_daemon(const config::Config& config, bool dry_run = false, Outputs outputs = {}) {
        return make_daemon(config, dry_run, std::move(outputs), log_);
    }

    AdapterFactory fakes() {
        AdapterFactory factory;
        factory.open_source = [this](const config::Config&) -> Result<std::unique_ptr<os::SampleSource>> {
            return std::unique_ptr<os::SampleSource>(std::make_unique<FakeSource>(machine_));
        };
        factory.open_sink = [this]() -> Result<std::unique_ptr<os::LimitSink>> {
            if (machine_.no_kernel)
                return Error(ENODEV, "no TMM");
            return std::unique_ptr<os::LimitSink>(std::make_unique<FakeSink>(machine_));
        };
        factory.make_evictor = [this] {
            return std::make_unique<os::FakeEvictor>(machine_.asked_to_evict, machine_.evictor_hangs);
        };
        factory.own_cpu_time = [this] { return machine_.cpu_time; };
        return factory;
    }

    Daemon make_daemon(const config::Config& config, bool dry_run, Outputs outputs, const Log& log) {
        return {config, root_, log, fakes(), core::Pages(10240), dry_run, std::move(outputs)};
    }

    static config::Config every_second() {
        config::Config config;
        config.epoch = std::chrono::seconds(1);
        return config;
    }

    Outputs with_state() {
        Outputs outputs;
        outputs.state.emplace(storage::StateFile(root_, "var/lib/tmm/histogram"), std::launch::deferred);
        return outputs;
    }

    // Returns the decision of the last tick, if it made one.
    std::optional<core::Decision> run_for(Daemon& daemon, int ticks) {
        std::optional<core::Decision> decision;
        for (int tick = 0; tick < ticks; ++tick)
            decision = daemon.tick(later(std::chrono::seconds(1)));
        return decision;
    }

    // Moves all clocks, as on a machine that is awake.
    const core::Moment& later(std::chrono::nanoseconds time) {
        now_.awake += time;
        now_.elapsed += time;
        now_.wall += std::chrono::duration_cast<std::chrono::microseconds>(time);
        return now_;
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    FakeMachine machine_;
    core::Moment now_{.awake = core::AwakeTime(std::chrono::seconds(100)),
                      .elapsed = core::ElapsedTime(std::chrono::seconds(200)),
                      .wall = core::WallTime(std::chrono::seconds(1'800'000'000)),
                      .local_minute = 12 * 60};
};

}  // namespace tmm::app
