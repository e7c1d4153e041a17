// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Publisher: writes decisions to the log and the timeline, and samples to the recording. When a file can no longer be written, it
// logs one error and closes the file; the daemon goes on. Called from one thread.
#pragma once

#include <optional>

#include "base/log/log.hpp"
#include "tmmd/app/reporting/recorder.hpp"
#include "tmmd/app/reporting/timeline.hpp"

namespace tmm::app {

class Publisher {
public:
    // log must outlive it. Without a timeline and a recorder it only writes the log.
    Publisher(const Log& log, std::optional<Timeline> timeline, std::optional<Recorder> recorder)
        : log_(log), timeline_(std::move(timeline)), recorder_(std::move(recorder)) {}

    void publish(const TimelineRow& row);

    // Records the pages of an epoch that is over.
    void record(const core::EpochSample& sample, core::AwakeTime now);
    // Call it when the source's keys mean other pages from now on.
    void forget_pages();

private:
    const Log& log_;
    std::optional<Timeline> timeline_;
    std::optional<Recorder> recorder_;
    core::DecisionKind last_kind_ = core::DecisionKind::learning;
};

}  // namespace tmm::app
