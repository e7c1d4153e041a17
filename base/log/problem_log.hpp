// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProblemLog: logs a lasting problem once, not each time that it is found. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/log/log.hpp"

namespace tmm {

class ProblemLog {
public:
    // log must outlive it.
    explicit ProblemLog(const Log& log) : log_(log) {}

    // Takes the problem found now; empty: there is none. Logs it with the consequence appended, unless it is the one of the last
    // call.
    void warn(const std::string& problem, std::string_view consequence = {}) {
        if (is_news(problem))
            log_.warning(problem + std::string(consequence));
    }
    void error(const std::string& problem, std::string_view consequence = {}) {
        if (is_news(problem))
            log_.error(problem + std::string(consequence));
    }

    // Returns the problem of the last call; empty: there is none.
    [[nodiscard]] const std::string& current() const { return current_; }

    // Ends the problem. Returns whether there was one.
    bool solve() {
        const bool was_there = !current_.empty();
        current_.clear();
        return was_there;
    }

private:
    bool is_news(const std::string& problem) {
        const bool news = problem != current_ && !problem.empty();
        current_ = problem;
        return news;
    }

    const Log& log_;
    std::string current_;
};

}  // namespace tmm
