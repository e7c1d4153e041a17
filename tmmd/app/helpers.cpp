// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/helpers.hpp"

#include <time.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

#include "tmmd/os/helper/capabilities.hpp"
#include "tmmd/os/helper/helper_starter.hpp"
#include "tmmd/os/helper/kept_helper.hpp"

namespace tmm::app {

namespace {

constexpr os::Capabilities given_up = os::capability(CAP_SYS_PTRACE);

core::Seconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Returns what starts a helper for this work, the first and each that replaces it.
os::KeptHelper::Start start_of(const Result<std::shared_ptr<os::HelperStarter>>& starter, const std::string& work) {
    return [starter, work]() -> Result<std::unique_ptr<os::HelperProcess>> {
        if (!starter)
            return starter.error();
        return (*starter)->start_helper(work);
    };
}

Error unwanted() {
    return {ENODEV, "tmmd starts this helper process only where it is needed"};
}

Result<std::shared_ptr<os::FootprintHelper>> shared(Result<std::unique_ptr<os::FootprintHelper>> helper) {
    if (!helper)
        return std::move(helper).error();
    return std::shared_ptr<os::FootprintHelper>(*std::move(helper));
}

}  // namespace

Result<Helpers> start_helpers(const RootDir& root, WantedHelpers wanted) {
    const os::HelperProcess::Work footprints = os::FootprintHelper::work();
    Helpers helpers{unwanted()};
    if (wanted.footprints) {
        const auto starter = os::HelperStarter::start(root, {footprints});
        helpers.footprints = shared(os::FootprintHelper::begin(start_of(starter, footprints.name)));
    }
    if (auto kept = os::keep_capabilities(~given_up); !kept)
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
