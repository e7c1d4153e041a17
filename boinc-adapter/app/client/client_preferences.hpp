// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ClientPreferences: the user's preferences and TMM's, in the client's file and as the client has read them last. It logs each
// problem with the file once. Used from one thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/result.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/policy/donation/override_keeper.hpp"
#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

class ClientPreferences {
public:
    // files and log must outlive it.
    ClientPreferences(Files& files, const Log& log)
        : files_(files), log_(log), file_problems_(log), push_problems_(log), reading_problems_(log), keeper_(files) {}

    // Reads what a former adapter left. Error: a damaged backup.
    Result<void> start();

    // What the client has to read.
    struct Reading {
        std::optional<Preferences> ours;  // with these values of TMM; none: the user's
    };

    // Brings the file in order for a turn. keeps_tasks: TMM holds tasks in memory. They would end, with all work since their
    // checkpoints, while the client reads the user's own in order to tell them; so it reads them with the order to keep tasks.
    // That waits for what is known of them, if a user's text has not all. Returns what the client has to read before it tells the
    // rest.
    std::optional<Reading> prepare(bool keeps_tasks);
    // Writes those that the orders name. Returns whether the client is to read them; if not, it keeps those that it has.
    bool write(const Orders& orders, Now now);

    // The client has read the file with these values of TMM; none: the user's.
    void client_has_read(const std::optional<Preferences>& ours);
    // The client told what is in force, after it has read TMM's values. If these are others, they are shown as trouble, and TMM
    // pushes again after a while.
    void client_checked(const Preferences& in_force, Now now);
    // The client told the user's own.
    void client_told(const Preferences& users) { users_ = users; }
    // The connection is lost: brings the user's back.
    void client_is_lost();

    // Brings the user's back without the client, which reads them when it starts.
    Result<void> restore() { return keeper_.has_pushed() ? keeper_.restore() : keeper_.recover(); }

    // none: the client has not told them.
    [[nodiscard]] const std::optional<Preferences>& users() const { return users_; }
    // Returns the preferences in force; none: the user's.
    [[nodiscard]] const std::optional<Preferences>& ours() const { return ours_; }
    // Returns whether the client has to tell what it read.
    [[nodiscard]] bool must_be_checked() const { return ours_ && !is_checked_; }
    // Returns whether the client has read other values than TMM wrote.
    [[nodiscard]] bool reads_otherwise() const { return reads_otherwise_; }
    [[nodiscard]] bool can_push(Now now) const {
        return is_ready_ && now.elapsed >= may_push_at_ && (!reads_otherwise_ || now.elapsed >= reads_again_at_);
    }
    // Returns whether the client has to read the user's, since they came back.
    [[nodiscard]] bool must_be_read() const { return must_be_read_; }
    // Returns whether nothing of TMM is left in the file or the client.
    [[nodiscard]] bool are_users() const { return !must_be_read_ && !keeper_.has_pushed(); }
    // Returns the problem that is under way; empty: none.
    [[nodiscard]] const std::string& trouble() const {
        for (const ProblemLog* problems : {&file_problems_, &push_problems_}) {
            if (!problems->current().empty())
                return problems->current();
        }
        return reading_problems_.current();
    }

private:
    void forget_reading();
    void follow_web_preferences();
    Result<bool> bring_up_to_date(bool keeps_tasks);
    [[nodiscard]] bool reads_users(bool keeps_tasks) const;
    std::optional<Reading> keep_tasks();

    Files& files_;
    const Log& log_;
    ProblemLog file_problems_;
    ProblemLog push_problems_;
    ProblemLog reading_problems_;
    OverrideKeeper keeper_;
    std::optional<Preferences> users_;
    std::optional<Preferences> ours_;
    FileMark web_preferences_;  // that the client has told
    bool must_be_read_ = false;
    bool learns_later_ = false;  // the client tells the user's own once no task can be lost by that
    bool is_ready_ = true;       // TMM can write the file in this turn
    bool is_checked_ = true;     // the client has told what it read last
    bool reads_otherwise_ = false;
    std::chrono::milliseconds may_push_at_{0};
    std::chrono::milliseconds reads_again_at_{0};
};

}  // namespace tmm::boinc
