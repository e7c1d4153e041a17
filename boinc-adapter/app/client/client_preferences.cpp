// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/client_preferences.hpp"

#include <cerrno>
#include <cmath>
#include <utility>

#include "base/units.hpp"

namespace tmm::boinc {

namespace {

// A full disk stays full for a while, and a client that cannot read the file stays so.
constexpr std::chrono::minutes push_retry{1};

// Returns the error to tell of: a text that somebody is writing is none.
template <typename T>
std::string problem_of(const Result<T>& done) {
    return done || done.error().code() == EAGAIN ? std::string() : done.error().message();
}

// The client tells six digits behind the point.
bool is_same(const Preferences& one, const Preferences& other) {
    constexpr double tolerance = 1e-5;
    return std::abs(one.busy_percent - other.busy_percent) < tolerance &&
           std::abs(one.idle_percent - other.idle_percent) < tolerance && one.leave_in_memory == other.leave_in_memory;
}

std::string words_of(const Preferences& preferences) {
    return format_fixed(preferences.busy_percent, 2) + " and " + format_fixed(preferences.idle_percent, 2) +
           " % of memory, tasks " + (preferences.leave_in_memory ? "kept" : "not kept") + " there";
}

}  // namespace

Result<void> ClientPreferences::start() {
    const auto backup = files_.load_backup();
    if (!backup)
        return backup.error();
    must_be_read_ = backup->has_value();
    return {};
}

std::optional<ClientPreferences::Reading> ClientPreferences::prepare(bool keeps_tasks) {
    follow_web_preferences();
    if (learns_later_ && !keeps_tasks)
        must_be_read_ = true;
    const auto changed = bring_up_to_date(keeps_tasks);
    is_ready_ = changed.has_value();
    if (changed && *changed) {
        log_.info("somebody changed BOINC's preferences; TMM's values go into the new ones");
        must_be_read_ = true;
    }
    file_problems_.error(problem_of(changed), "; BOINC keeps its preferences");
    if (!must_be_read_ || !is_ready_)
        return std::nullopt;
    ours_.reset();
    users_.reset();
    learns_later_ = false;
    return reads_users(keeps_tasks) ? Reading() : keep_tasks();
}

// Returns whether the client can read the user's own, and no task is lost by it.
bool ClientPreferences::reads_users(bool keeps_tasks) const {
    const auto known = keeper_.users();
    return !keeps_tasks || !known || known->preferences.leave_in_memory;
}

// A disk without room for a backup is the exception: a limit of TMM that stays in force could cost more than these tasks' work.
std::optional<ClientPreferences::Reading> ClientPreferences::keep_tasks() {
    const KnownPreferences known = *keeper_.users();
    Preferences kept = known.preferences;
    kept.leave_in_memory = true;
    const auto pushed = keeper_.push(kept, known.preferences);
    if (!pushed && problem_of(pushed).empty()) {
        is_ready_ = false;  // somebody has just changed the file: the next turn looks again
        return std::nullopt;
    }
    if (!pushed) {
        push_problems_.error(problem_of(pushed), "; BOINC may end tasks that wait for memory");
        (void)keeper_.restore();
        return Reading();
    }
    users_ = known.preferences;
    learns_later_ = !known.is_complete;
    return Reading{kept};
}

// The client tells the user's own only without TMM's values: it takes them out first.
void ClientPreferences::follow_web_preferences() {
    const FileMark now = files_.web_preferences();
    if (now != std::exchange(web_preferences_, now) && (users_ || ours_)) {
        log_.info("BOINC has got other preferences from a project; TMM's values go into these");
        must_be_read_ = true;
    }
}

// Until a client has told the user's own preferences, the override has none of TMM's: they would seem to be the user's.
Result<bool> ClientPreferences::bring_up_to_date(bool keeps_tasks) {
    auto ready = keeper_.has_pushed() ? Result<void>() : keeper_.recover();
    // Also after an error: it counts the turns in which the text stays as it is.
    auto changed = keeper_.take_changes();
    if (ready && changed && must_be_read_ && reads_users(keeps_tasks))
        ready = keeper_.restore();
    return ready ? std::move(changed) : Result<bool>(std::move(ready).error());
}

bool ClientPreferences::write(const Orders& orders, Now now) {
    const auto written = orders.preferences ? keeper_.push(*orders.preferences, *users_) : keeper_.restore();
    push_problems_.error(problem_of(written), "; BOINC keeps its preferences");
    if (!written && !problem_of(written).empty())
        may_push_at_ = now.elapsed + push_retry;
    return written.has_value();
}

void ClientPreferences::client_has_read(const std::optional<Preferences>& ours) {
    ours_ = ours;
    must_be_read_ = false;
    is_checked_ = false;
    if (!ours_) {
        users_.reset();
        forget_reading();
    }
}

void ClientPreferences::client_checked(const Preferences& in_force, Now now) {
    is_checked_ = true;
    reads_otherwise_ = !is_same(in_force, *ours_);
    reading_problems_.error(reads_otherwise_ ? "BOINC read " + words_of(in_force) + ", but TMM wrote " + words_of(*ours_) +
                                                   "; see that BOINC's user can read global_prefs_override.xml"
                                             : std::string(),
                            "; TMM suspends no task");
    if (reads_otherwise_) {
        ours_ = in_force;
        reads_again_at_ = now.elapsed + push_retry;
    }
}

void ClientPreferences::forget_reading() {
    is_checked_ = true;
    reads_otherwise_ = false;
    reading_problems_.solve();
}

// The next client reads the override when it starts: it is to be the user's, who may also change it until then. The same client
// has to read it anew.
void ClientPreferences::client_is_lost() {
    if (keeper_.has_pushed()) {
        must_be_read_ = true;
        file_problems_.error(problem_of(keeper_.restore()), "; TMM's limit stays in BOINC's preferences");
    }
    users_.reset();
    ours_.reset();
    forget_reading();
}

}  // namespace tmm::boinc
