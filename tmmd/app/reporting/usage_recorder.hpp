// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UsageRecorder: keeps the record for the owner: the history of usage in a file, the latest decisions.
// It logs each problem once. Called from one thread.
#pragma once

#include <limits>
#include <optional>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/history/decision_log.hpp"
#include "tmmd/core/history/usage_history.hpp"
#include "tmmd/storage/background_save.hpp"

namespace tmm::app {

class UsageRecorder {
public:
    // file: keeps the history; none: it ends with the daemon. log must outlive it. dry_run: save nothing.
    UsageRecorder(const Log& log, std::optional<storage::BackgroundSave> file, bool dry_run)
        : log_(log), file_(std::move(file)), dry_run_(dry_run), problem_(log) {}

    // Loads the history. Sets a file aside that cannot be used.
    void restore();
    // Waits until the history is on disk. tick() saves it every hour, too, without waiting.
    void save();

    // Adds the time since the last tick to the history with the usage of that time. Without a usage it adds nothing. stall: as of
    // core::Reading.
    void tick(const std::optional<core::Usage>& usage, const std::optional<double>& stall, const core::Moment& now);
    // Adds a decision to the list.
    void decided(const core::GivingDecision& decision, const core::Moment& now);
    // Adds major faults of opaque tasks in the first minute after a break. first: the first faults of this return.
    void returned(std::uint64_t faults, bool first);

    [[nodiscard]] const core::UsageHistory& history() const { return history_; }
    [[nodiscard]] const core::DecisionLog& decisions() const { return decisions_; }
    [[nodiscard]] double stall() const { return stall_; }
    [[nodiscard]] std::uint64_t last_return_faults() const { return last_return_faults_; }

private:
    void save_hourly(core::AwakeTime now);
    void report(const Result<void>& saved);

    const Log& log_;
    std::optional<storage::BackgroundSave> file_;
    bool dry_run_;
    core::UsageHistory history_;
    core::DecisionLog decisions_;
    double stall_ = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t faults_after_returns_ = 0;  // not in the history yet
    std::uint64_t last_return_faults_ = 0;
    std::optional<core::AwakeTime> last_tick_;
    std::optional<core::AwakeTime> last_save_;
    ProblemLog problem_;
};

}  // namespace tmm::app
