// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/adapter.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text/proc_text.hpp"
#include "boinc-adapter/app/files/task_processes.hpp"
#include "boinc-adapter/policy/order_words.hpp"
#include "boinc-adapter/policy/tasks/measured_task.hpp"
#include "boinc-adapter/rpc/replies.hpp"
#include "boinc-adapter/rpc/requests.hpp"

namespace tmm::boinc {

namespace {

// A client carries out a killed adapter's orders within a second. Until then, the user's preferences could end tasks.
constexpr std::chrono::seconds settle_time{3};
// Requests with a greater number are orders.
constexpr int first_order = 100;

}  // namespace

Adapter::Adapter(const RootDir& root, Files& files, const Log& log, bool dry_run)
    : root_(root),
      files_(files),
      log_(log),
      dry_run_(dry_run),
      problems_(log),
      access_problems_(log),
      preferences_(files, log),
      days_(files, log, dry_run) {}

Result<void> Adapter::start(Now now) {
    auto started = preferences_.start();
    if (!started)
        return started;
    auto saved = files_.load_state();
    if (!saved) {
        log_.error(saved.error().message() + "; tasks that it held wait until their user resumes them");
        auto aside = dry_run_ ? Result<void>() : files_.put_aside_state();
        if (!aside) {
            (void)preferences_.restore();  // they need no state
            return aside;
        }
        saved = SavedState();
    }
    days_.load();
    saved_ = *std::move(saved);
    policy_.restore(saved_, now);
    settled_at_ = now.elapsed + (has_nothing_left() ? std::chrono::seconds(0) : settle_time);
    return {};
}

void Adapter::set_password(Result<std::string> password) {
    no_password_ = password ? std::string() : ": " + password.error().message();
    session_.set_password(password ? std::optional(*std::move(password)) : std::nullopt);
}

void Adapter::set_tmmd(const TmmdStatus& tmmd) {
    // A look at processes does not show what tmmd gives.
    constexpr std::uint64_t min_share = 20;
    const std::uint64_t change = std::max(tmmd.limit_bytes, tmmd_.limit_bytes) - std::min(tmmd.limit_bytes, tmmd_.limit_bytes);
    if (tmmd.is_there != tmmd_.is_there || tmmd.state != tmmd_.state || tmmd.reason != tmmd_.reason ||
        change > tmmd_.limit_bytes / min_share)
        pace_.hurry();
    tmmd_ = tmmd;
    awaits_tmmd_ = false;
}

// While tmmd gives free memory only, that much changes without a sign in the tasks' processes.
bool Adapter::is_quiet(bool has_client, bool is_frozen) const {
    if (is_frozen || !has_client)
        return true;
    return session_.is_open() && nr_waiting_ == 0 && !is_ordering_ && !awaits_tmmd_ && !preferences_.must_be_read() &&
           tmmd_.state != "waiting" && (was_quiet_ || session_.access() != Session::Access::full);
}

bool Adapter::wants_turn(std::optional<pid_t> client, bool is_frozen, Now now) {
    const Look look = look_at_processes(root_, client, is_frozen, measured_);
    return pace_.wants_turn(look.sees_all && is_quiet(client.has_value(), is_frozen), look.sight, now.elapsed);
}

void Adapter::ask(Question question, std::string frame, Now now) {
    if (session_.ask(static_cast<int>(question), std::move(frame), now.elapsed))
        ++nr_waiting_;
}

void Adapter::begin_turn(Now now) {
    if (!session_.is_open() || nr_waiting_ > 0 || is_ordering_ || now.elapsed < settled_at_)
        return;
    if (!dry_run_ && session_.access() == Session::Access::full) {
        const auto reading = preferences_.prepare(keeps_tasks());
        if (reading)
            push({Order::Kind::read_preferences, {}, reading->ours}, request::read_preferences(), now);
        if (reading ? reading->ours.has_value() : preferences_.must_be_checked())
            ask(Question::check, request::preferences(), now);
    }
    told_.begin_turn();
    if (!told_.version())
        ask(Question::versions, request::versions(), now);
    if (!told_.memory_bytes())
        ask(Question::host, request::host(), now);
    if (!preferences_.users() && !preferences_.ours() && session_.access() == Session::Access::full)
        ask(Question::preferences, request::preferences(), now);
    ask(Question::mode, request::mode(), now);
    ask(Question::tasks, request::tasks(), now);
}

void Adapter::begin_turn_at_once(Now now) {
    if (!is_ordering_) {
        begin_turn(now);
        return;
    }
    // The policy takes an order that the client did not get for one that failed, and decides anew.
    nr_waiting_ -= static_cast<int>(session_.withdraw());
    rest_.reset();
    turn_follows_ = true;
}

void Adapter::client_is_frozen(Now now) {
    session_.excuse(now.elapsed);
    is_stale_ = nr_waiting_ > 0 && !is_ordering_;
    // As after a start: it first carries out what a killed adapter had asked.
    if (!has_decided_ && (preferences_.must_be_read() || saved_ != SavedState()))
        settled_at_ = now.elapsed + settle_time;
}

void Adapter::take_answers(Now now) {
    while (auto answer = session_.next_answer()) {
        --nr_waiting_;
        if (answer->request >= first_order) {
            const auto index = static_cast<std::size_t>(answer->request - first_order);
            take_order(orders_.at(index), answer->reply);
        } else if (answer->reply) {
            const auto taken = take(static_cast<Question>(answer->request), *answer->reply, now);
            // The client hangs up at the second request that it refuses.
            if (!taken && taken.error().code() == EACCES)
                session_.refused();
            else if (!taken)
                problems_.error("BOINC: " + taken.error().message());
        }
        if (nr_waiting_ > 0)
            continue;
        orders_.clear();
        if (rest_) {
            give_rest(now);
            if (is_ordering_)
                continue;
            is_ordering_ = true;  // the last one is over
        }
        if (std::exchange(is_ordering_, false)) {
            if (std::exchange(turn_follows_, false))
                begin_turn(now);
            continue;
        }
        // The state of tmmd that froze it may be over.
        if (!std::exchange(is_stale_, false))
            decide(now);
    }
}

Result<void> Adapter::take(Question question, const std::string& reply, Now now) {
    if (question == Question::preferences || question == Question::check) {
        const auto in_force = parse_preferences(reply);
        if (!in_force)
            return in_force.error();
        if (question == Question::preferences)
            preferences_.client_told(*in_force);
        else if (preferences_.must_be_checked())
            preferences_.client_checked(*in_force, now);
    }
    auto taken = told_.take(question, reply);
    if (taken && question == Question::versions)
        log_.info("BOINC client " + text_of(*told_.version()));
    return taken;
}

void Adapter::decide(Now now) {
    if (!told_.are_complete())
        return;  // the next turn asks again
    problems_.solve();
    // A stop needs no bounds of tasks, and the whole state takes the client long.
    const Donation::State state = state_of(tmmd_);
    const bool is_stop = state == Donation::State::paused || state == Donation::State::off;
    const bool is_urgent = std::exchange(decided_for_, state) != state && is_stop;
    if (!is_urgent && told_.wants_works(now)) {
        told_.asked_for_works(now);
        ask(Question::works, request::works(), now);
        return;  // decides when the answer has come
    }
    session_.completed_turn();
    measured_.clear();
    for (const Task& task : *told_.tasks())
        measured_.push_back(measure(root_, task, told_.works()));
    waiting_ = policy_.waiting();
    days_.add(measured_, now);
    if (session_.access() != Session::Access::full) {
        access_problems_.error("BOINC wants a password that this user cannot read" + no_password_,
                               "; make it a member of the group boinc. Until then TMM only limits BOINC's memory");
        return;
    }
    access_problems_.solve();
    if (awaits_tmmd_ || !preferences_.users())
        return;
    has_decided_ = true;
    const Orders orders = policy_.step(facts(now), donation_of(tmmd_, measured_, *told_.memory_bytes()), now);
    // Tasks that it resumes now wait until the client tells of them anew: they would seem to be suspended by their user.
    waiting_ = policy_.waiting();
    was_quiet_ = orders.empty();
    for (const std::string& order : words_of(orders, waiting_)) {
        if (dry_run_)
            log_.info("would " + order);
        else
            log_.debug(order);
    }
    if (!dry_run_)
        carry_out(orders, now);
}

Facts Adapter::facts(Now now) const {
    Facts facts;
    facts.memory_bytes = *told_.memory_bytes();
    facts.mode = *told_.mode();
    facts.users = *preferences_.users();
    facts.ours = preferences_.ours();
    facts.can_push = preferences_.can_push(now);
    facts.reads_otherwise = preferences_.reads_otherwise();
    facts.saved = files_.client_state();
    const auto meminfo = root_.read_file("proc/meminfo");
    const auto bytes_of = [&](const char* name) -> std::optional<std::uint64_t> {
        const auto bytes = meminfo ? parse_meminfo_bytes(*meminfo, name) : Result<std::uint64_t>(meminfo.error());
        return bytes ? std::optional(*bytes) : std::nullopt;
    };
    facts.swap_free_bytes = bytes_of("SwapFree");
    facts.available_bytes = bytes_of("MemAvailable");
    facts.address_limit = told_.address_limit();
    for (const MeasuredTask& measured : measured_)
        facts.tasks.push_back(facts_of(measured));
    return facts;
}

// Until the client has told its tasks, any that TMM holds may be in memory.
bool Adapter::keeps_tasks() const {
    const auto held = policy_.waiting();
    if (measured_.empty())
        return !held.empty();
    return std::any_of(measured_.begin(), measured_.end(),
                       [&](const MeasuredTask& one) { return held.contains(one.task.id) && facts_of(one).is_in_memory(); });
}

bool Adapter::has_tasks_outside() const {
    return std::any_of(measured_.begin(), measured_.end(), [](const MeasuredTask& one) { return one.is_outside; });
}

ShownFacts Adapter::shown_facts(bool is_frozen) const {
    ShownFacts facts;
    if (is_frozen)
        facts.client = ShownFacts::Client::frozen;
    else if (session_.is_open())
        facts.client = ShownFacts::Client::answers;
    facts.version = told_.version();
    facts.tasks = measured_;
    facts.waiting = waiting_;
    facts.other_clients = other_clients_;
    facts.is_read_only = session_.access() == Session::Access::read_only;
    facts.has_tmmd = state_of(tmmd_) != Donation::State::absent;
    facts.has_stopped = policy_.saved_state().has_stopped;
    for (const std::string* problem : {&preferences_.trouble(), &problems_.current(), &told_.works_problem()}) {
        if (facts.trouble.empty())
            facts.trouble = *problem;
    }
    return facts;
}

// The state is on disk before any order of it reaches the client: so the next adapter knows whose doing it is.
bool Adapter::save_state() {
    const SavedState now = policy_.saved_state();
    if (now == saved_)
        return true;
    const auto saved = files_.save_state(now);
    if (!saved) {
        log_.error(saved.error().message() + "; no task is suspended");
        return false;
    }
    saved_ = now;
    return true;
}

void Adapter::push(Order order, std::string frame, Now now) {
    const int number = first_order + static_cast<int>(orders_.size());
    if (!session_.ask(number, std::move(frame), now.elapsed))
        return;
    orders_.push_back(std::move(order));
    ++nr_waiting_;
}

void Adapter::carry_out(const Orders& orders, Now now) {
    Orders rest = orders;
    if (!save_state())
        rest.suspend.clear();
    bool is_written = true;
    if (orders.preferences || orders.restore_preferences) {
        is_written = preferences_.write(orders, now);
        if (is_written)
            push({Order::Kind::read_preferences, {}, orders.preferences}, request::read_preferences(), now);
    }
    if (orders.preferences && is_written) {
        ask(Question::check, request::preferences(), now);
        rest_ = std::move(rest);
        is_ordering_ = nr_waiting_ > 0;
    } else {
        give_orders(rest, is_written, now);
    }
}

// may_hold: the preferences that were to keep these tasks in memory are in force. If not, the next turn decides without a push.
// All that goes on does so now.
void Adapter::give_orders(const Orders& orders, bool may_hold, Now now) {
    if (may_hold) {
        for (const TaskId& task : orders.suspend)
            push({Order::Kind::suspend, task, {}}, request::suspend(task), now);
    }
    for (const TaskId& task : orders.resume)
        push({Order::Kind::resume, task, {}}, request::resume(task), now);
    if (orders.stop_for && may_hold)
        push({Order::Kind::mode, {}, {}}, request::run_never(*orders.stop_for), now);
    if (orders.restore_mode)
        push({Order::Kind::mode, {}, {}}, request::restore_mode(), now);
    is_ordering_ = nr_waiting_ > 0;
}

void Adapter::give_rest(Now now) {
    const Orders rest = *std::exchange(rest_, std::nullopt);
    give_orders(rest, preferences_.ours() == rest.preferences && !preferences_.must_be_checked(), now);
}

void Adapter::take_order(const Order& order, const Result<std::string>& reply) {
    const auto done = reply ? parse_done(*reply) : Result<void>(reply.error());
    if (!done) {
        if (done.error().code() == EACCES)
            session_.refused();
        else if (done.error().code() != ECONNRESET && done.error().code() != EINVAL)
            problems_.error("BOINC: " + done.error().message());
        return;  // a task may have ended meanwhile; the next turn sees what is so
    }
    switch (order.kind) {
        case Order::Kind::read_preferences:
            preferences_.client_has_read(order.preferences);
            break;
        case Order::Kind::suspend:
            policy_.carried_out(order.task, true);
            break;
        case Order::Kind::resume:
            policy_.carried_out(order.task, false);
            break;
        case Order::Kind::mode:
            break;
    }
}

void Adapter::lost() {
    while (session_.next_answer()) {
    }
    nr_waiting_ = 0;
    is_ordering_ = false;
    turn_follows_ = false;
    orders_.clear();
    rest_.reset();
    preferences_.client_is_lost();
    told_.forget();
    measured_.clear();
    waiting_.clear();
    days_.forget_client();
    is_stale_ = false;
    policy_.client_restarted(files_.client_state());
}

bool Adapter::is_clean() const {
    // Without the right to give orders, the last turn decided nothing.
    const bool is_quiet = was_quiet_ || session_.access() != Session::Access::full;
    return is_quiet && !is_ordering_ && has_nothing_left() && policy_.saved_state() == SavedState();
}

}  // namespace tmm::boinc
