// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Daemon: what happens at each tick: is the epoch over? Then sample, decide. What does the owner want? Enforce that, tell. It
// owns the adapters' lives: when one fails, memory is left to the kernel's safe defaults and the adapters are opened anew at the
// next tick; the owner's will goes on to count. Knows no clock and no event loop: main() calls it. Not thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/contributions/contributions.hpp"
#include "tmmd/app/contributions/transparent_marker.hpp"
#include "tmmd/app/epoch_observer.hpp"
#include "tmmd/app/owner/owner_settings.hpp"
#include "tmmd/app/reporting/notices.hpp"
#include "tmmd/app/reporting/recorder.hpp"
#include "tmmd/app/reporting/snapshot.hpp"
#include "tmmd/app/reporting/timeline.hpp"
#include "tmmd/app/reporting/usage_recorder.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/policy/epoch_pace.hpp"
#include "tmmd/os/cgroup/evictor.hpp"
#include "tmmd/os/counters/swap_memory.hpp"
#include "tmmd/os/limit_sink.hpp"
#include "tmmd/os/sample_source.hpp"
#include "tmmd/storage/state_file.hpp"

namespace tmm::app {

// Opens the adapters; tests hand in fakes.
struct AdapterFactory {
    std::function<Result<std::unique_ptr<os::SampleSource>>(const config::Config&)> open_source;
    std::function<Result<std::unique_ptr<os::LimitSink>>()> open_sink;
    std::function<std::unique_ptr<os::Evictor>()> make_evictor;
    std::function<core::Seconds()> own_cpu_time;  // that this process has used so far
};

// The adapters of the patched kernel, below root, which must outlive the factory.
AdapterFactory kernel_adapters(const RootDir& root);

// Where what was decided goes besides the kernel; each may be missing.
struct Outputs {
    std::optional<Timeline> timeline;
    std::optional<storage::StateFile> state;
    std::optional<Recorder> recorder;
    std::optional<storage::AtomicFile> settings;  // what the owner said
    std::optional<storage::StateFile> history;    // of usage
};

class Daemon {
public:
    // root and log must outlive the daemon. dry_run: write no limit, mark no cgroup, save nothing.
    Daemon(const config::Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
           bool dry_run, Outputs outputs);

    // Opens the adapters and restores what was learned in an earlier run. An error here means that tmmd cannot work on this
    // machine; a state that cannot be used is no error.
    Result<void> start(const core::Moment& now);

    // Called every config.tick(). Problems are logged once each time they begin and once when they end. Returns the policy's
    // decision, or nothing while an adapter is broken, or when there was none to take.
    std::optional<core::Decision> tick(const core::Moment& now);

    // Saves what was learned. The daemon can go on.
    void save_state();

    // Lets go of the contributions that are held, for a daemon that ends.
    void release_all() { contributions_.release_all(); }

    void set_config(const config::Config& config);

    // The owner's words. They take effect before the call returns. Error: they count, but could not be saved.
    Result<void> pause(std::optional<std::chrono::nanoseconds> length, const core::Moment& now);  // none: until resumed
    Result<void> resume(const core::Moment& now);
    Result<void> set_on(bool on, const core::Moment& now);
    Result<void> set_caps(const core::Caps& caps, const core::Moment& now);

    [[nodiscard]] Snapshot snapshot(const core::Moment& now) const;
    [[nodiscard]] Condition condition() const;
    [[nodiscard]] const core::UsageHistory& history() const { return usage_recorder_.history(); }
    [[nodiscard]] const core::DecisionLog& decisions() const { return usage_recorder_.decisions(); }

    // As of the last epoch; discover_contributions() looks now, and costs as much as there are cgroups.
    [[nodiscard]] Contributions& contributions() { return contributions_; }
    void discover_contributions();

private:
    // What the policy decided last, and of what memory.
    struct Latest {
        core::Decision decision;
        core::MemoryUsage usage;
    };
    // What a return from a break would cost if it began now, with this opaque limit.
    struct ExpectedReturn {
        core::Pages limit;
        double misses;
        core::Seconds stall;
    };
    struct Adapters {
        std::unique_ptr<os::SampleSource> source;
        std::unique_ptr<os::LimitSink> sink;
    };

    Result<Adapters> open_adapters() const;
    void restore_state();
    Result<std::optional<TimelineRow>> step(core::TimePoint now);
    Result<TimelineRow> sample_and_decide(core::TimePoint now, core::EpochSample seen, bool epoch_over);
    void adapt_pace(const TimelineRow& row, core::Seconds cpu_before);
    void follow_will(const core::Moment& now);
    void read_swap(core::GivingInputs& inputs);
    Result<void> spoken(Result<void> saved, const core::Moment& now);
    Result<void> enforce();
    void fail(const Error& error);
    void expect_return();
    [[nodiscard]] std::optional<core::Usage> usage_in_force() const;
    void record(const core::EpochSample& sample, core::TimePoint now);
    void restart_sampling();
    void publish(const TimelineRow& row);

    config::Config config_;
    const RootDir& root_;
    const Log& log_;
    AdapterFactory factory_;
    bool dry_run_;
    Outputs outputs_;
    core::Policy policy_;
    core::EpochPace pace_;
    TransparentMarker marker_;
    EpochObserver observer_;
    os::SwapMemory swap_memory_;
    OwnerSettings owner_;
    UsageRecorder usage_recorder_;
    std::unique_ptr<os::Evictor> evictor_;
    Contributions contributions_;
    std::optional<Latest> latest_;
    core::GivingDecision given_;  // what the owner's will makes of it
    std::optional<ExpectedReturn> expected_return_;
    std::optional<core::TimePoint> last_held_discovery_;
    std::optional<Adapters> adapters_;
    std::optional<os::Limits> written_;
    std::optional<core::TimePoint> first_epoch_;
    std::optional<core::TimePoint> epoch_start_;
    std::optional<core::TimePoint> last_tick_;
    std::optional<core::TimePoint> last_decision_;
    std::optional<core::TimePoint> last_save_;
    std::optional<core::Seconds> last_scan_cpu_;  // that this process had used when the last epoch had been decided
    std::string last_problem_;
    core::DecisionKind last_kind_ = core::DecisionKind::learning;
};

}  // namespace tmm::app
