// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Outputs: the files that the daemon writes. Each may be missing.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/options.hpp"
#include "tmmd/app/reporting/recorder.hpp"
#include "tmmd/app/reporting/timeline.hpp"
#include "tmmd/storage/atomic_file.hpp"
#include "tmmd/storage/background_save.hpp"

namespace tmm::app {

struct Outputs {
    std::optional<Timeline> timeline;
    std::optional<Recorder> recorder;
    std::optional<storage::BackgroundSave> state;    // what the policy learned
    std::optional<storage::AtomicFile> settings;     // the owner's
    std::optional<storage::BackgroundSave> history;  // of usage
};

// Creates the timeline and the recording that the options ask for. Names the files of the saved state: the histogram's, and
// beside it the owner's settings and the history. state_root: the directory below which these three are; it must outlive the
// outputs. Error: the timeline or the recording cannot be created.
Result<Outputs> open_outputs(const Options& options, const RootDir& state_root);

}  // namespace tmm::app
