// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Helpers: the processes that tmmd starts before anything else, with the capabilities that it gives up then.
//     tmmd-footprints    CAP_SYS_PTRACE, CAP_DAC_OVERRIDE       where a source other than "tmm" and "none" may be chosen
// A second, tmmd-helpers, has the same capabilities and starts it. One that ended is replaced when it is needed. It is missed once
// tmmd-helpers has ended, until tmmd starts again.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/sources.hpp"
#include "tmmd/os/stock/helped_footprints.hpp"

namespace tmm::app {

// Error: why there is no such helper.
struct Helpers {
    Result<std::shared_ptr<os::FootprintHelper>> footprints;
};

struct WantedHelpers {
    bool footprints = false;
};

// Starts them, then gives up CAP_SYS_PTRACE. Call it once, while the process has one thread. Error: this
// process cannot give up capabilities.
Result<Helpers> start_helpers(const RootDir& root, WantedHelpers wanted);

// Returns the tools of sources that use the helpers. Their processor time is that of this process and of footprints.
SourceTools source_tools(const Helpers& helpers);

}  // namespace tmm::app
