// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/helpers.hpp"

#include <time.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::app {

namespace {

constexpr os::Capabilities given_up = os::capability(CAP_SYS_PTRACE) | os::capability(CAP_SYS_NICE);

core::Seconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Starts a helper as the base of its class, or with another kind of pointer.
template <typename Pointer, typename Helper>
Result<Pointer> start(const RootDir& root, bool is_wanted) {
    if (!is_wanted)
        return Error(ENODEV, "tmmd starts this helper process only where it is needed");
    auto helper = Helper::start(root);
    if (!helper)
        return std::move(helper).error();
    return Pointer(*std::move(helper));
}

}  // namespace

Result<Helpers> start_helpers(const RootDir& root, WantedHelpers wanted) {
    Helpers helpers{start<std::unique_ptr<os::SwapReader>, os::HelpedSwapReader>(root, wanted.read_back),
                    start<std::shared_ptr<os::FootprintHelper>, os::FootprintHelper>(root, wanted.footprints)};
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
            }};
}

}  // namespace tmm::app
