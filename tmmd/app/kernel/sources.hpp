// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: the sample sources that tmmd knows, their costs and accuracy, and the choice among them. Called from one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/sources/counts/footprints.hpp"
#include "tmmd/os/sources/files/open_files.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::app {

// The words that --source takes, best first.
std::vector<std::string_view> source_ids();

// Returns whether the running kernel lacks the patches of TMM.
bool is_stock(const RootDir& root);

// SourceTools: the parts of tmmd that sources use. Tests hand in fakes.
struct SourceTools {
    std::function<core::Seconds()> own_cpu_time;  // as in AdapterFactory
    std::function<Result<std::unique_ptr<os::Footprints>>()> open_footprints;
    std::function<std::unique_ptr<os::OpenFiles>(os::FileKinds)> open_files;
};

// Returns whether tmmd may choose a source that has the helper look at footprints or open files. wanted: as below.
bool may_need_helper(const RootDir& root, std::string_view wanted);

// Opens the best source that the kernel offers, which changes to another when it fails; or only that with the id wanted, unless
// that is empty. With the patches there is no other than "tmm": the limits belong to its open device. root must outlive it.
Result<std::unique_ptr<os::SampleSource>> open_best_source(const RootDir& root, const config::Config& config,
                                                           std::string_view wanted, const SourceTools& tools);

// Returns the text of --print-sources: whether each source is available, or why not, its cost and accuracy, and the choice. It
// opens each source for a moment. wanted: as above.
std::string describe_sources(const RootDir& root, const config::Config& config, std::string_view wanted,
                             const SourceTools& tools);

}  // namespace tmm::app
