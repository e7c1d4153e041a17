// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReadBackWorker: carries out an order to read back memory. It looks for the swapped pages of the processes in the cgroups, and
// has the kernel read them in steps, when ReadBackPace says so. Only anonymous memory comes back: the kernel does not tell an
// evicted page of a file from one that was never read. Called from one thread; a call may wait for the disk.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/giving/read_back_order.hpp"
#include "tmmd/core/giving/read_back_pace.hpp"
#include "tmmd/core/giving/read_back_rule.hpp"
#include "tmmd/os/counters/persistent_file.hpp"
#include "tmmd/os/read_back/page_adviser.hpp"
#include "tmmd/os/read_back/swapped_ranges.hpp"

namespace tmm::os {

class ReadBackWorker {
public:
    // Of an order. Each cgroup has an equal part of it.
    static constexpr std::size_t max_processes = 4096;
    // The text about one process's mappings: about 20,000 of them.
    static constexpr std::size_t max_smaps_bytes = std::size_t{16} << 20;
    // The largest step.
    static constexpr Bytes max_step{1 << 20};
    // The order of the processes is renewed after this time.
    static constexpr core::Seconds renewal{1};

    // root and adviser must outlive it. page_bytes: above 0.
    ReadBackWorker(const RootDir& root, PageAdviser& adviser, Bytes page_bytes);

    // Replaces the order. shares: cgroups below the root directory, none with a contribution in it.
    void begin(const std::vector<core::ReadBackShare>& shares, core::AwakeTime now);
    // Ends the order.
    void stop();
    // Does one step, or none if it is not the time. Call it every few milliseconds.
    void turn(core::AwakeTime now);

    // Returns whether an order is under way.
    [[nodiscard]] bool busy() const { return pace_.has_value(); }
    // Returns the pages that the kernel was asked for since begin().
    [[nodiscard]] core::Pages read() const { return read_; }
    // Returns the error of the last refused step of this order.
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

private:
    struct Share {
        std::string cgroup;
        core::Pages left{0};
        PersistentFile pressure;
    };
    struct Candidate {
        core::ProcessUse use;  // when the order began
        std::size_t share = 0;
    };
    struct Current {
        std::size_t share = 0;
        UniqueFd process;
        SwappedRanges ranges;
    };

    [[nodiscard]] std::vector<pid_t> processes_of(const std::string& cgroup, std::size_t max) const;
    [[nodiscard]] std::optional<core::ProcessUse> use_of(pid_t pid) const;
    [[nodiscard]] core::ReadBackSigns signs();
    [[nodiscard]] std::optional<pid_t> take_next(core::AwakeTime now);
    void renew_order(core::AwakeTime now);
    [[nodiscard]] std::optional<Current> open(pid_t pid, std::size_t share) const;
    void read_some(core::Pages pages, core::AwakeTime now);

    const RootDir& root_;
    PageAdviser& adviser_;
    Bytes page_bytes_;
    std::optional<core::ReadBackPace> pace_;  // while an order is under way
    std::vector<Share> shares_;
    std::map<pid_t, Candidate> candidates_;  // not begun yet
    std::vector<core::ProcessUse> order_;    // of the candidates, the next one last
    std::optional<core::AwakeTime> renewed_;
    std::optional<Current> current_;
    core::Pages read_{0};
    std::optional<Error> problem_;
};

}  // namespace tmm::os
