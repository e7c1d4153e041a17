// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/kernel/helpers.hpp"

#include <time.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::app {

namespace {

core::Seconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

Result<std::shared_ptr<os::FootprintHelper>> unwanted() {
    return Error(ENODEV, "tmmd starts this helper process only where it is needed");
}

}  // namespace

Result<Helpers> start_helpers(const RootDir& root, bool wanted) {
    Helpers helpers{wanted ? os::FootprintHelper::start(root) : unwanted()};
    if (auto kept = os::keep_capabilities(~os::capability(CAP_SYS_PTRACE)); !kept)
        return std::move(kept).error().with_context("tmmd cannot give up CAP_SYS_PTRACE");
    return helpers;
}

SourceTools source_tools(const Helpers& helpers) {
    const auto& helper = helpers.footprints;
    return {.own_cpu_time =
                [footprints = helper ? *helper : nullptr] {
                    return own_cpu_time() + (footprints ? footprints->cpu_time() : core::Seconds(0));
                },
            .open_footprints = [helper]() -> Result<std::unique_ptr<os::Footprints>> {
                if (!helper)
                    return helper.error();
                auto opened = os::HelpedFootprints::open(*helper);
                if (!opened)
                    return std::move(opened).error();
                return std::unique_ptr<os::Footprints>(std::make_unique<os::HelpedFootprints>(*std::move(opened)));
            },
            .open_files = [helper](os::FileKinds kinds) -> std::unique_ptr<os::OpenFiles> {
                if (!helper)
                    return std::make_unique<os::NoOpenFiles>(helper.error());
                return std::make_unique<os::HelpedOpenFiles>(*helper, kinds);
            }};
}

}  // namespace tmm::app
