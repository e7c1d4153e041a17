// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Adapters: the interfaces to the kernel that the daemon opens, and opens anew after an error.
#pragma once

#include <functional>
#include <memory>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/os/cgroup/evictor.hpp"
#include "tmmd/os/limit_sink.hpp"
#include "tmmd/os/sample_source.hpp"

namespace tmm::app {

struct Adapters {
    std::unique_ptr<os::SampleSource> source;
    std::unique_ptr<os::LimitSink> sink;
};

// Opens the adapters; tests hand in fakes.
struct AdapterFactory {
    std::function<Result<std::unique_ptr<os::SampleSource>>(const config::Config&)> open_source;
    std::function<Result<std::unique_ptr<os::LimitSink>>()> open_sink;
    std::function<std::unique_ptr<os::Evictor>()> make_evictor;
    std::function<core::Seconds()> own_cpu_time;  // processor time that this process has used so far

    // Error: of the first adapter that cannot be opened.
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

// The adapters of the patched kernel, below root, which must outlive the factory.
AdapterFactory kernel_adapters(const RootDir& root);

}  // namespace tmm::app
