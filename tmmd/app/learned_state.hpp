// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LearnedState: keeps what the policy learned in a file, so that it outlives the daemon. Problems are logged. Called from one
// thread.
#pragma once

#include <optional>

#include "base/log/log.hpp"
#include "tmmd/core/tick/tick.hpp"
#include "tmmd/storage/background_save.hpp"

namespace tmm::app {

class LearnedState {
public:
    // file: keeps the state; none: nothing is kept. log must outlive this object. dry_run: write nothing.
    LearnedState(const Log& log, std::optional<storage::BackgroundSave> file, bool dry_run)
        : log_(log), file_(std::move(file)), dry_run_(dry_run) {}

    // Sets a file aside that cannot be used; learning then starts afresh.
    void restore(core::Tick& tick) const;

    // Waits until the state is on disk.
    void save(const core::Tick& tick);
    // Begins to save, at most once in a period, without waiting for the disk. period: above 0.
    void save_if_due(const core::Tick& tick, core::AwakeTime now, core::Seconds period);
    // Logs the error of a save that has ended.
    void take_result();

private:
    void report(const Result<void>& saved) const;

    const Log& log_;
    std::optional<storage::BackgroundSave> file_;
    bool dry_run_;
    std::optional<core::AwakeTime> last_save_;
};

}  // namespace tmm::app
