// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Adapters: hold the interfaces to the kernel, which the daemon opens, and opens again after an error. Called from one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/kernel/helpers.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/os/cgroup/evictor.hpp"
#include "tmmd/os/limits/limit_sink.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::app {

struct Adapters {
    std::unique_ptr<os::SampleSource> source;
    std::unique_ptr<os::LimitSink> sink;
};

// AdapterFactory: opens the adapters. Tests hand in fakes.
struct AdapterFactory {
    std::function<Result<std::unique_ptr<os::SampleSource>>(const config::Config&)> open_source;
    std::function<Result<std::unique_ptr<os::LimitSink>>()> open_sink;
    std::function<std::unique_ptr<os::Evictor>()> make_evictor;
    // Processor time that tmmd has used so far, with that of footprints.
    std::function<core::Seconds()> own_cpu_time;

    // Opens the sink and the source. Error: of the first adapter that cannot be opened.
    [[nodiscard]] Result<Adapters> open(const config::Config& config) const {
        auto sink = open_sink();
        if (!sink)
            return std::move(sink).error();
        auto source = open_source(config);
        if (!source)
            return std::move(source).error();
        return Adapters{*std::move(source), *std::move(sink)};
    }
};

// Returns a factory for the adapters that the running kernel allows. wanted_source: the id of the only source to use; empty: the
// best. helpers: those of start_helpers(). root must outlive the factory.
AdapterFactory kernel_adapters(const RootDir& root, const std::string& wanted_source, const Helpers& helpers);

}  // namespace tmm::app
