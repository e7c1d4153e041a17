// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/learned_state.hpp"

#include "tmmd/storage/set_aside.hpp"

namespace tmm::app {

void LearnedState::restore(core::Tick& tick) const {
    if (!file_)
        return;
    const auto text = file_->file().load();
    if (text && !*text)
        return;  // the first run
    auto restored = text ? tick.restore_state(**text) : Result<void>(text.error());
    if (restored) {
        log_.info("restored the learned histogram");
        return;
    }
    const Error why = text ? std::move(restored).error().with_context("the learned histogram") : text.error();
    storage::set_aside(file_->file(), log_, why, "learning starts afresh", dry_run_);
}

void LearnedState::save(const core::Tick& tick) {
    if (file_ && !dry_run_)
        report(file_->finish(tick.save_state()));
}

void LearnedState::save_if_due(const core::Tick& tick, core::AwakeTime now, core::Seconds period) {
    if (last_save_ && now - *last_save_ < period)
        return;
    if (file_ && !dry_run_)
        file_->begin(tick.save_state());
    last_save_ = now;
}

void LearnedState::take_result() {
    if (!file_)
        return;
    if (const auto saved = file_->take_result())
        report(*saved);
}

void LearnedState::report(const Result<void>& saved) const {
    if (!saved)
        log_.error(saved.error().message() + "; the learned histogram will be lost when tmmd ends");
}

}  // namespace tmm::app
