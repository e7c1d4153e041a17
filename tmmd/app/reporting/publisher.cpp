// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/publisher.hpp"

#include "tmmd/os/page_size.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {

void Publisher::publish(const TimelineRow& row) {
    const core::DecisionKind kind = row.step.decision.kind;
    // A change from corrected back to measured is not worth a line in the log.
    const bool news = kind != last_kind_ && (last_kind_ == core::DecisionKind::learning || kind == core::DecisionKind::corrected);
    const std::string reason = words::sentence(row.given.reason, os::page_bytes());
    if (news)
        log_.info(reason);
    else
        log_.debug(reason);
    last_kind_ = kind;
    if (!timeline_)
        return;
    const auto appended = timeline_->append(row);
    if (!appended) {
        log_.error("timeline: " + appended.error().message() + "; it ends here");
        timeline_.reset();
    }
}

void Publisher::record(const core::EpochSample& sample, core::AwakeTime now) {
    if (!recorder_)
        return;
    const auto appended = recorder_->append(sample, now);
    if (!appended) {
        log_.error("recording: " + appended.error().message() + "; it ends here");
        recorder_.reset();
    }
}

void Publisher::forget_pages() {
    if (recorder_)
        recorder_->forget_pages();
}

}  // namespace tmm::app
