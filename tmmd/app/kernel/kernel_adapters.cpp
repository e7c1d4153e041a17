// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <memory>
#include <utility>

#include "tmmd/app/kernel/adapters.hpp"
#include "tmmd/app/kernel/sources.hpp"
#include "tmmd/os/limits/kernel_limits.hpp"

namespace tmm::app {

AdapterFactory kernel_adapters(const RootDir& root, const std::string& wanted_source, const Helpers& helpers) {
    AdapterFactory factory;
    const SourceTools tools = source_tools(helpers);
    factory.open_source = [&root, wanted_source, tools](const config::Config& config) {
        return open_best_source(root, config, wanted_source, tools);
    };
    factory.open_sink = [&root, wanted_source]() -> Result<std::unique_ptr<os::LimitSink>> {
        // The patched kernel enforces its limits only while /dev/tmm is open, which "tmm" keeps.
        const bool by_cgroups = is_stock(root) || !(wanted_source.empty() || wanted_source == "tmm");
        auto limits = by_cgroups ? os::KernelLimits::open_cgroups(root) : os::KernelLimits::open_classes(root);
        if (!limits)
            return is_stock(root) ? std::move(limits).error().with_context("the running kernel has no TMM")
                                  : std::move(limits).error();
        return std::unique_ptr<os::LimitSink>(std::make_unique<os::KernelLimits>(*std::move(limits)));
    };
    factory.make_evictor = [&root] { return std::make_unique<os::ReclaimingEvictor>(root); };
    factory.own_cpu_time = tools.own_cpu_time;
    return factory;
}

}  // namespace tmm::app
