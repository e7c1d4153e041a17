// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/learned_state.hpp"

#include "tmmd/storage/set_aside.hpp"

namespace tmm::app {

void LearnedState::restore(EpochStepper& stepper) const {
    if (!file_)
        return;
    const auto text = file_->load();
    if (text && !*text)
        return;  // the first run
    auto restored = text ? stepper.restore_state(**text) : Result<void>(text.error());
    if (restored) {
        log_.info("restored the learned histogram");
        return;
    }
    const Error why = text ? std::move(restored).error().with_context("the learned histogram") : text.error();
    storage::set_aside(*file_, log_, why, "learning starts afresh", dry_run_);
}

void LearnedState::save(const EpochStepper& stepper) const {
    if (!file_ || dry_run_)
        return;
    const auto saved = file_->save(stepper.save_state());
    if (!saved)
        log_.error(saved.error().message() + "; the learned histogram will be lost when tmmd ends");
}

void LearnedState::save_if_due(const EpochStepper& stepper, core::AwakeTime now, core::Seconds period) {
    if (last_save_ && now - *last_save_ < period)
        return;
    save(stepper);
    last_save_ = now;
}

}  // namespace tmm::app
