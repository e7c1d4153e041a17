// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ClientAnswers: all that the client has told of itself, its machine and its tasks, and whether to ask for its works: their text
// is long, and the client does nothing else while it writes it. Pure: time comes as an argument. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "boinc-adapter/policy/facts.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// check: the preferences in force, after the client has read TMM's.
enum class Question { versions, host, preferences, works, mode, tasks, check };

class ClientAnswers {
public:
    // Takes the reply to one of these questions; of preferences and check only the share of swap, the others are the caller's.
    // Error: EACCES for a refusal, or that of the parser.
    Result<void> take(Question question, std::string_view reply);

    // Mode and tasks are those of one turn.
    void begin_turn();
    // Returns whether a turn has all that it asked for.
    [[nodiscard]] bool are_complete() const { return memory_bytes_ && mode_ && tasks_; }

    // Returns whether to ask for the works of tasks that nobody knows.
    [[nodiscard]] bool wants_works(Now now) const;
    void asked_for_works(Now now);

    // The connection is lost: another client may follow.
    void forget();

    // none: the client has not told it.
    [[nodiscard]] const std::optional<Version>& version() const { return version_; }
    [[nodiscard]] const std::optional<std::uint64_t>& memory_bytes() const { return memory_bytes_; }
    // Returns the address space that all tasks which run may have together; none: the client has no such limit.
    [[nodiscard]] std::optional<std::uint64_t> address_limit() const;
    [[nodiscard]] const std::optional<ModeStatus>& mode() const { return mode_; }
    [[nodiscard]] const std::optional<std::vector<Task>>& tasks() const { return tasks_; }
    [[nodiscard]] const Works& works() const { return works_; }
    // Returns why the works could not be read; empty: they could. The limit does not fall below a task whose need is unknown.
    [[nodiscard]] const std::string& works_problem() const { return works_problem_; }

private:
    std::optional<Version> version_;
    std::optional<std::uint64_t> memory_bytes_;
    std::uint64_t swap_bytes_ = 0;  // 0: none
    double swap_percent_ = 0;       // 0: not told
    Works works_;
    std::optional<ModeStatus> mode_;
    std::optional<std::vector<Task>> tasks_;
    std::optional<std::chrono::milliseconds> asked_works_at_;
    std::string works_problem_;
    bool awaits_works_ = false;
    bool has_lost_works_ = false;  // the last answer was none, or the connection broke before it
};

}  // namespace tmm::boinc
