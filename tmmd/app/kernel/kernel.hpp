// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernel: holds the adapters to the kernel. After an error it closes them, so that the kernel returns to its safe defaults, and
// opens them again at the next tick. It logs each problem when it begins and when it ends. Called from one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/result.hpp"
#include "tmmd/app/kernel/adapters.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/core/tick/wanted.hpp"

namespace tmm::app {

class Kernel {
public:
    // log must outlive it. dry_run: change nothing in the kernel.
    Kernel(const Log& log, AdapterFactory factory, bool dry_run)
        : factory_(std::move(factory)), dry_run_(dry_run), problem_(log), partly_(log), lost_source_(log) {}

    // Opens the adapters if they are closed. Returns whether it did. Error: of the first that cannot be opened.
    Result<bool> open(const config::Config& config);
    // Closes them, to open others.
    void close();
    // Closes them because of an error.
    void fail(const Error& error);
    // They work. Returns whether a problem has ended by that.
    bool works() { return problem_.solve(); }

    [[nodiscard]] bool is_open() const { return adapters_.has_value(); }
    // Precondition of these: is_open().
    [[nodiscard]] os::SampleSource& source() const { return *adapters_->source; }
    [[nodiscard]] os::LimitSink& sink() const { return *adapters_->sink; }

    // Has the kernel do what the step wants. Error: of the sink.
    Result<void> apply(const core::Wanted& wanted, const std::vector<std::string>& transparent_cgroups);

    // None: no limit is in force.
    [[nodiscard]] const std::optional<os::Limits>& in_force() const { return in_force_; }
    // Empty: none.
    [[nodiscard]] const std::string& problem() const { return problem_.current(); }
    // The problem: the running kernel has no TMM.
    [[nodiscard]] bool is_missing() const { return is_missing_; }

private:
    AdapterFactory factory_;
    bool dry_run_;
    std::optional<Adapters> adapters_;
    std::optional<os::Limits> in_force_;
    ProblemLog problem_;
    ProblemLog partly_;       // why limits are in force only in part
    ProblemLog lost_source_;  // SampleSource::problem()
    bool is_missing_ = false;
};

}  // namespace tmm::app
