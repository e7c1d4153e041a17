// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Helpers: the process tmmd-footprints, which tmmd starts before anything else where a source other than "tmm" and "none" may be
// chosen. It alone keeps CAP_SYS_PTRACE, so once it has ended it is missed until tmmd starts again.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/kernel/sources.hpp"
#include "tmmd/os/sources/counts/helped_footprints.hpp"

namespace tmm::app {

// Error: why there is no such helper.
struct Helpers {
    Result<std::shared_ptr<os::FootprintHelper>> footprints;
};

// Starts the helper if it is wanted, then gives up CAP_SYS_PTRACE. Call it once, while the process has one thread. Error: this
// process cannot give up capabilities.
Result<Helpers> start_helpers(const RootDir& root, bool wanted);

// Returns the tools of sources that use the helper. Their processor time is that of this process and of footprints.
SourceTools source_tools(const Helpers& helpers);

}  // namespace tmm::app
