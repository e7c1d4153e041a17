// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KeptDays: the account of days and its file. It saves it now and then, and logs each problem once. Used from one thread.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/policy/donation/day_account.hpp"

namespace tmm::boinc {

class KeptDays {
public:
    // files and log must outlive it. dry_run: writes nothing.
    KeptDays(const Files& files, const Log& log, bool dry_run) : files_(files), log_(log), dry_run_(dry_run), problems_(log) {}

    // Reads the account of a former adapter. A damaged one is put aside.
    void load();
    // Adds the time since the last call.
    void add(const std::vector<MeasuredTask>& tasks, Now now);
    void save();
    // The client is lost: another one may follow.
    void forget_client() { account_.forget_client(); }

    // The oldest first.
    [[nodiscard]] const std::vector<DayOfWork>& days() const { return account_.days(); }

private:
    const Files& files_;
    const Log& log_;
    bool dry_run_;
    ProblemLog problems_;
    DayAccount account_;
    std::optional<std::chrono::milliseconds> saved_at_;
};

}  // namespace tmm::boinc
