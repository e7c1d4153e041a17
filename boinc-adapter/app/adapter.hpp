// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Adapter: takes turns with one BOINC client. In a turn it asks for the client's tasks and mode, lets the policy decide, and
// carries the orders out. It never waits: the owner calls it when time has passed or answers have come. Used from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/root_dir.hpp"
#include "boinc-adapter/app/client/client_answers.hpp"
#include "boinc-adapter/app/client/client_preferences.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/app/files/kept_days.hpp"
#include "boinc-adapter/policy/donation/pace.hpp"
#include "boinc-adapter/policy/policy.hpp"
#include "boinc-adapter/policy/shown.hpp"
#include "boinc-adapter/rpc/session.hpp"

namespace tmm::boinc {

class Adapter {
public:
    // root: "/". files and log must outlive it. dry_run: orders are logged only.
    Adapter(const RootDir& root, Files& files, const Log& log, bool dry_run);

    // Reads what a former adapter left. A damaged state is put aside. Error: a damaged backup of the preferences, or a state that
    // cannot be put aside; the adapter must not work then.
    Result<void> start(Now now);

    Session& session() { return session_; }
    // Takes the client's password for the next connection, or the reason why it cannot be read.
    void set_password(Result<std::string> password);
    void set_tmmd(const TmmdStatus& tmmd);
    // The client was thawed: tmmd has another state than it told last. No decision until set_tmmd().
    void await_tmmd() { awaits_tmmd_ = true; }

    // Takes a sentence for each client that this adapter leaves alone.
    void set_other_clients(std::vector<std::string> sentences) { other_clients_ = std::move(sentences); }

    // Looks at the processes of the client and its tasks. Returns whether to take a turn now.
    bool wants_turn(std::optional<pid_t> client, bool is_frozen, Now now);
    // Returns the time until the owner asks wants_turn() again.
    [[nodiscard]] std::chrono::seconds interval() const { return pace_.interval(); }

    // Begins a turn, unless one is under way or there is no connection.
    void begin_turn(Now now);
    // The state of tmmd has changed: a turn that is under way decides for the new one. Orders for the old one that the client has
    // not got are taken back, and a turn follows as soon as it has answered the last one that it has.
    void begin_turn_at_once(Now now);
    // The client is there, but the kernel has frozen it. It carries out later what it was asked before.
    void client_is_frozen(Now now);
    // Takes answers that have come.
    void take_answers(Now now);
    // The connection is lost.
    void lost();

    // Returns whether nothing of TMM is left in the client: the last turn gave no order, and nothing is saved.
    [[nodiscard]] bool is_clean() const;
    // Returns whether no adapter has left anything to undo.
    [[nodiscard]] bool has_nothing_left() const { return preferences_.are_users() && saved_ == SavedState(); }
    // Saves the account of days.
    void save_days() { days_.save(); }
    [[nodiscard]] const std::vector<DayOfWork>& days() const { return days_.days(); }
    // Returns the client's version, once it is known.
    [[nodiscard]] std::optional<Version> version() const { return told_.version(); }
    // Returns all to be shown. is_frozen: the client is.
    [[nodiscard]] ShownFacts shown_facts(bool is_frozen) const;
    // Returns whether tasks with processes are no contributions, so that tmmd does not freeze them.
    [[nodiscard]] bool has_tasks_outside() const;

    // Brings the user's override back without the client, which reads it when it starts.
    Result<void> restore_override() { return preferences_.restore(); }

private:
    struct Order {
        enum class Kind { read_preferences, suspend, resume, mode };
        Kind kind;
        TaskId task;
        std::optional<Preferences> preferences;  // that the client then has read; none: the user's
    };

    void ask(Question question, std::string frame, Now now);
    Result<void> take(Question question, const std::string& reply, Now now);
    void take_order(const Order& order, const Result<std::string>& reply);
    void decide(Now now);
    [[nodiscard]] Facts facts(Now now) const;
    [[nodiscard]] bool keeps_tasks() const;
    [[nodiscard]] bool is_quiet(bool has_client, bool is_frozen) const;
    void carry_out(const Orders& orders, Now now);
    void give_orders(const Orders& orders, bool may_hold, Now now);
    void give_rest(Now now);
    bool save_state();
    void push(Order order, std::string frame, Now now);

    const RootDir& root_;
    Files& files_;
    const Log& log_;
    bool dry_run_;
    ProblemLog problems_;
    ProblemLog access_problems_;
    Session session_;
    Policy policy_;
    ClientPreferences preferences_;
    ClientAnswers told_;
    KeptDays days_;
    SavedState saved_;
    TmmdStatus tmmd_;
    std::string no_password_;  // why it cannot be read; empty: it can

    std::vector<MeasuredTask> measured_;       // of the last turn
    std::map<TaskId, std::uint64_t> waiting_;  // of the last turn: those that the policy held, by the memory that they wait for

    int nr_waiting_ = 0;  // answers of this turn
    bool is_ordering_ = false;
    bool turn_follows_ = false;   // the orders
    std::vector<Order> orders_;   // by the number of their request
    std::optional<Orders> rest_;  // orders that follow once the client has told that it read the preferences before them
    bool was_quiet_ = false;
    Pace pace_;
    std::chrono::milliseconds settled_at_{0};
    bool awaits_tmmd_ = false;
    bool has_decided_ = false;
    Donation::State decided_for_ = Donation::State::absent;
    bool is_stale_ = false;  // the answers that are under way may tell of the time before a freeze
    std::vector<std::string> other_clients_;
};

}  // namespace tmm::boinc
