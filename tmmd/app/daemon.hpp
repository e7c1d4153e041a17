// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Daemon: what happens once an epoch: sample, decide, enforce, tell. It owns the adapters' lives: when one fails, memory is left
// to the kernel's safe defaults and the adapters are opened anew at the next epoch. Knows no clock and no event loop: main()
// calls it. Not thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/config.hpp"
#include "tmmd/app/timeline.hpp"
#include "tmmd/os/limit_sink.hpp"
#include "tmmd/os/miss_counter.hpp"
#include "tmmd/os/sample_source.hpp"

namespace tmm::app {

// Opens the adapters; tests hand in fakes.
struct AdapterFactory {
    std::function<Result<std::unique_ptr<os::SampleSource>>(const Config&)> open_source;
    std::function<Result<std::unique_ptr<os::LimitSink>>()> open_sink;
};

// The adapters of the patched kernel, below root, which must outlive the factory.
AdapterFactory kernel_adapters(const RootDir& root);

class Daemon {
public:
    // root and log must outlive the daemon. timeline: none if not wanted. dry_run: write no limit, mark no cgroup.
    Daemon(const Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
           bool dry_run, std::optional<Timeline> timeline);

    // Opens the adapters. An error here means that tmmd cannot work on this machine.
    Result<void> start();

    // One epoch, ending now. Problems are logged once each time they begin and once when they end.
    // Returns the decision, or nothing while an adapter is broken.
    std::optional<core::Decision> run_epoch(core::TimePoint now);

    void set_config(const Config& config);

private:
    struct Adapters {
        std::unique_ptr<os::SampleSource> source;
        std::unique_ptr<os::LimitSink> sink;
    };

    Result<Adapters> open_adapters() const;
    Result<TimelineRow> sample_and_decide(core::TimePoint now);
    Result<void> enforce(const core::Decision& decision);
    std::vector<std::string> mark_transparent_cgroups();
    void tell(const TimelineRow& row);

    Config config_;
    const RootDir& root_;
    const Log& log_;
    AdapterFactory factory_;
    bool dry_run_;
    std::optional<Timeline> timeline_;
    core::Policy policy_;
    os::MissCounter misses_;
    std::optional<Adapters> adapters_;
    std::optional<os::Limits> written_;
    std::optional<core::TimePoint> first_epoch_;
    std::optional<core::TimePoint> last_epoch_;
    std::string last_problem_;
    std::string last_marking_problem_;
    core::DecisionKind last_kind_ = core::DecisionKind::learning;
};

}  // namespace tmm::app
