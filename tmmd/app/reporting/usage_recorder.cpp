// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/usage_recorder.hpp"

#include "tmmd/storage/set_aside.hpp"

namespace tmm::app {

namespace {

// Saving more often would wake a sleeping disk.
constexpr core::Seconds save_period{3600};

}  // namespace

void UsageRecorder::restore() {
    if (!file_)
        return;
    const auto text = file_->file().load();
    if (text && !*text)
        return;  // the first run
    auto restored = text ? history_.restore_state(**text) : Result<void>(text.error());
    if (restored)
        return;
    const Error why = text ? std::move(restored).error().with_context("the history of usage") : text.error();
    storage::set_aside(file_->file(), log_, why, "the history starts afresh", dry_run_);
}

void UsageRecorder::save() {
    if (file_ && !dry_run_)
        report(file_->finish(history_.save_state()));
}

void UsageRecorder::report(const Result<void>& saved) {
    problem_.error(saved ? "" : saved.error().message(), "; the history of usage will have a gap");
}

void UsageRecorder::save_hourly(core::AwakeTime now) {
    if (!file_ || dry_run_)
        return;
    if (const auto saved = file_->take_result())
        report(*saved);
    if (!last_save_)
        last_save_ = now;
    if (core::Seconds(now - *last_save_) >= save_period) {
        file_->begin(history_.save_state());
        last_save_ = now;
    }
}

void UsageRecorder::tick(const std::optional<core::Usage>& usage, const std::optional<double>& stall, const core::Moment& now) {
    stall_ = stall.value_or(std::numeric_limits<double>::quiet_NaN());
    if (usage && last_tick_) {
        history_.add(*usage, stall_, faults_after_returns_, core::Seconds(now.awake - *last_tick_), now.wall);
        faults_after_returns_ = 0;
    }
    last_tick_ = now.awake;
    save_hourly(now.awake);
}

void UsageRecorder::decided(const core::GivingDecision& decision, const core::Moment& now) {
    decisions_.add(now.wall, core::name_of(decision.kind), decision.reason);
}

void UsageRecorder::returned(std::uint64_t faults, bool first) {
    faults_after_returns_ += faults;
    last_return_faults_ = first ? faults : last_return_faults_ + faults;
}

}  // namespace tmm::app
