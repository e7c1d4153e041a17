// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReturnReader: has memory that the owner's programs lost in a break read back when the owner returns. It reads the counters that
// core::ReadBackRule asks for, and hands the rule's orders to the helper. Called from one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/problem_log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/giving/read_back_rule.hpp"
#include "tmmd/core/policy/miss_latency.hpp"
#include "tmmd/os/read_back/swap_reader.hpp"

namespace tmm::app {

class ReturnReader {
public:
    // root and log must outlive it. reader: with an error or with none, nothing is read back; it logs the error.
    ReturnReader(const RootDir& root, const Log& log, Result<std::unique_ptr<os::SwapReader>> reader);

    struct Inputs {
        std::optional<core::Seconds> idle_for;  // as in ReadBackRule
        bool held = false;
        bool evicting = false;
        std::optional<core::MemoryUsage> usage;
    };
    // Call it at each tick. transparent_cgroups: the topmost, sorted. latency: what the policy measured. Returns the pages that
    // are to be evicted from held contributions.
    core::Pages tick(const Inputs& inputs, const std::vector<std::string>& transparent_cgroups, const core::MissLatency& latency,
                     core::AwakeTime now);

    // Returns whether tick() needs the usage.
    [[nodiscard]] bool asks_for_usage() const { return rule_.asks_for_usage(); }

private:
    [[nodiscard]] std::optional<core::Swapped> read_swapped(const std::vector<std::string>& transparent_cgroups) const;
    [[nodiscard]] bool is_mixed(const std::vector<std::string>& transparent_cgroups) const;
    void take_report();
    void end();

    const RootDir& root_;
    const Log& log_;
    std::unique_ptr<os::SwapReader> reader_;
    core::ReadBackRule rule_;
    std::vector<core::ReadBackShare> order_;  // under way; empty: none
    ProblemLog problem_;
};

}  // namespace tmm::app
