// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Measures the cost of tmmd beside the kernel's scan: a daemon on this machine's own /proc and /sys, with a simulated scanner and
// simulated limits. It assumes no mixture of a day: it lists an idle second, an idle minute and a second of use separately.
// Asserts nothing.
#include <linux/tmm.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>

#include "tmmd/app/daemon.hpp"
#include "tmmd/os/sources/frames/frame_sample_source.hpp"

namespace {

using namespace tmm;
using Clock = std::chrono::steady_clock;

// Simulates memory full of opaque pages of one frame, some of them touched in each epoch.
class SimulatedScanner : public os::FrameScanner {
public:
    SimulatedScanner(std::uint64_t frames, const double& touched_share) : frames_(frames), touched_share_(touched_share) {}

    Result<std::vector<std::uint64_t>> scan(std::uint32_t shift, std::uint64_t) override {
        std::bernoulli_distribution touched(touched_share_);
        std::vector<std::uint64_t> words;
        for (std::uint64_t frame = 0; frame < frames_; frame += 1ULL << shift)
            words.push_back(frame | (touched(random_) ? TMM_FRAME_REF : 0));
        return words;
    }
    Result<os::RefaultCounts> poll_refaults(std::size_t nr_units) override {
        return os::RefaultCounts{core::Pages(64), std::span(no_refaults_).first(nr_units)};
    }
    [[nodiscard]] std::string_view id() const override { return "test"; }
    [[nodiscard]] std::string_view name() const override { return "a test"; }
    [[nodiscard]] std::string_view reason() const override { return "this is one"; }

private:
    std::uint64_t frames_;
    const double& touched_share_;
    std::vector<std::uint64_t> no_refaults_ = std::vector<std::uint64_t>(TMM_REFAULT_BUCKETS);
    std::mt19937_64 random_{1};
};

class SimulatedLimits : public os::LimitSink {
public:
    explicit SimulatedLimits(core::Pages total) : total_(total) {}
    Result<void> apply(const core::Wanted&, const std::vector<std::string>&) override { return {}; }
    Result<core::MemoryUsage> usage(const std::vector<std::string>&) override {
        return core::MemoryUsage{total_, total_ / 2, total_ / 4};
    }

private:
    core::Pages total_;
};

std::string status_line(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name + ":"))
            return line.substr(line.find_first_not_of(" \t", name.size() + 1));
    }
    return "unknown";
}

// Times of the ticks that ended an epoch and of those that did not.
struct Cost {
    std::vector<double> epochs_ms;
    std::vector<double> polls_us;
};

double median(std::vector<double>& values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Cost run(app::Daemon& daemon, core::Moment& now, int seconds) {
    Cost cost;
    for (int second = 0; second < seconds; ++second) {
        const auto start = Clock::now();
        now.awake += std::chrono::seconds(1);
        now.elapsed += std::chrono::seconds(1);
        now.wall += std::chrono::seconds(1);
        const bool decided = daemon.tick(now).has_value();
        const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        if (decided)
            cost.epochs_ms.push_back(us / 1000);
        else
            cost.polls_us.push_back(us);
    }
    return cost;
}

int benchmark(std::uint64_t gib) {
    const core::Pages installed(gib << 18);
    double touched = 0.01;
    auto root = RootDir::open("/");
    if (!root) {
        std::fprintf(stderr, "daemon_benchmark: %s\n", root.error().message().c_str());
        return 1;
    }
    const Log log("daemon_benchmark", static_cast<LogLevel>(0), false);
    const std::uint32_t shift = os::sample_shift_for(installed);
    app::AdapterFactory factory;
    factory.open_source = [&](const config::Config&) -> Result<std::unique_ptr<os::SampleSource>> {
        return std::unique_ptr<os::SampleSource>(
            std::make_unique<os::FrameSampleSource>(std::make_unique<SimulatedScanner>(installed.count(), touched), shift, 1));
    };
    factory.open_sink = [&]() -> Result<std::unique_ptr<os::LimitSink>> {
        return std::unique_ptr<os::LimitSink>(std::make_unique<SimulatedLimits>(installed));
    };
    factory.make_evictor = [&] { return std::make_unique<os::ReclaimingEvictor>(*root); };
    factory.own_cpu_time = [] { return core::Seconds(0); };
    app::Daemon daemon(config::Config{}, *root, log, factory, installed, true, {});
    core::Moment now;
    const auto started = daemon.start(now);
    if (!started) {
        std::fprintf(stderr, "daemon_benchmark: %s\n", started.error().message().c_str());
        return 1;
    }
    Cost use = run(daemon, now, 1200);
    touched = 0;
    run(daemon, now, 600);
    Cost idle = run(daemon, now, 3600);
    std::printf(
        "%3llu GiB, one page in %u: in use %zu epochs in 1200 s of %.2f ms; idle %zu epochs in 3600 s of %.2f ms, a poll %.0f "
        "us; "
        "peak %s\n",
        static_cast<unsigned long long>(gib), 1U << shift, use.epochs_ms.size(), median(use.epochs_ms), idle.epochs_ms.size(),
        median(idle.epochs_ms), median(idle.polls_us), status_line("VmHWM").c_str());
    return 0;
}

}  // namespace

int main() {
    std::puts(
        "medians; the simulated scan is part of an epoch's time, the kernel's own is not; memory is this program's, all sizes so "
        "far");
    for (const std::uint64_t gib : {4U, 16U, 64U}) {
        if (const int code = benchmark(gib); code != 0)
            return code;
    }
}
