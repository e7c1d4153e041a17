// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <time.h>

#include "tmmd/app/adapters.hpp"
#include "tmmd/app/sources.hpp"
#include "tmmd/os/protection/protected_classes.hpp"
#include "tmmd/os/read_back/swap_reader.hpp"
#include "tmmd/os/stock/cgroup_limits.hpp"

namespace tmm::app {

namespace {

core::Seconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

AdapterFactory kernel_adapters(const RootDir& root, const std::string& wanted_source) {
    AdapterFactory factory;
    factory.open_source = [&root, wanted_source](const config::Config& config) {
        return open_best_source(root, config, wanted_source, own_cpu_time);
    };
    factory.open_sink = [&root, wanted_source]() -> Result<std::unique_ptr<os::LimitSink>> {
        // The patched kernel enforces its limits only while /dev/tmm is open, which "tmm" keeps.
        if (is_stock(root) || !(wanted_source.empty() || wanted_source == "tmm")) {
            auto limits = os::CgroupLimits::open(root);
            if (!limits)
                return is_stock(root) ? std::move(limits).error().with_context("the running kernel has no TMM")
                                      : std::move(limits).error();
            return std::unique_ptr<os::LimitSink>(std::make_unique<os::CgroupLimits>(*std::move(limits)));
        }
        auto limits = os::ProtectedClasses::open(root);
        if (!limits)
            return std::move(limits).error();
        return std::unique_ptr<os::LimitSink>(std::make_unique<os::ProtectedClasses>(*std::move(limits)));
    };
    factory.make_evictor = [&root] { return std::make_unique<os::ReclaimingEvictor>(root); };
    factory.make_swap_reader = [&root]() -> Result<std::unique_ptr<os::SwapReader>> {
        auto reader = os::HelpedSwapReader::start(root);
        auto kept = os::keep_capabilities(~(os::capability(CAP_SYS_PTRACE) | os::capability(CAP_SYS_NICE)));
        if (!reader || !kept)
            return reader ? std::move(kept).error() : std::move(reader).error();
        return std::unique_ptr<os::SwapReader>(*std::move(reader));
    };
    factory.own_cpu_time = own_cpu_time;
    return factory;
}

}  // namespace tmm::app
