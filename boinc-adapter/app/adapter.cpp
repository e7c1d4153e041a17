// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/adapter.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "base/proc_text.hpp"
#include "boinc-adapter/app/task_processes.hpp"
#include "boinc-adapter/policy/measured_task.hpp"
#include "boinc-adapter/policy/order_words.hpp"
#include "boinc-adapter/rpc/replies.hpp"
#include "boinc-adapter/rpc/requests.hpp"

namespace tmm::boinc {

namespace {

// A client carries out a killed adapter's orders within a second. Until then, the user's preferences could end tasks.
constexpr std::chrono::seconds settle_time{3};
// The client's whole state takes it long to write.
constexpr std::chrono::minutes works_interval{1};
// Until a task that may run is known, the limit cannot fall.
constexpr std::chrono::seconds urgent_works_interval{8};
// A state that was too long will be so again. Without it, the limit does not fall while a new task is there.
constexpr std::chrono::minutes lost_works_interval{10};
// A full disk stays full for a while.
constexpr std::chrono::minutes push_retry{1};
// A crash loses so much of the account.
constexpr std::chrono::minutes save_days_interval{10};
// Requests with a greater number are orders.
constexpr int first_order = 100;

// Returns the error to tell of: a text that somebody is writing is none.
template <typename T>
std::string problem_of(const Result<T>& done) {
    return done || done.error().code() == EAGAIN ? std::string() : done.error().message();
}

std::string local_date(std::chrono::milliseconds wall) {
    const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(wall).count();
    std::tm local{};
    std::array<char, 32> text{};
    ::localtime_r(&seconds, &local);
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &local)};
}

}  // namespace

Adapter::Adapter(const RootDir& root, Files& files, const Log& log, bool dry_run)
    : root_(root),
      files_(files),
      log_(log),
      dry_run_(dry_run),
      problems_(log),
      access_problems_(log),
      file_problems_(log),
      push_problems_(log),
      days_problems_(log),
      keeper_(files) {}

Result<void> Adapter::start(Now now) {
    auto backup = files_.load_backup();
    if (!backup)
        return std::move(backup).error();
    auto saved = files_.load_state();
    if (!saved) {
        log_.error(saved.error().message() + "; tasks that it held wait until their user resumes them");
        auto aside = dry_run_ ? Result<void>() : files_.put_aside_state();
        if (!aside) {
            (void)keeper_.recover();  // it needs no state
            return aside;
        }
        saved = SavedState();
    }
    auto days = files_.load_days();
    if (days) {
        days_ = DayAccount(*std::move(days));
    } else {
        log_.warning(days.error().message() + "; the account of days begins anew");
        if (!dry_run_)
            (void)files_.put_aside_days();  // it would be replaced all the same
    }
    saved_ = *std::move(saved);
    policy_.restore(saved_, now);
    must_read_ = backup->has_value();
    settled_at_ = now.elapsed + (must_read_ || saved_ != SavedState() ? settle_time : std::chrono::seconds(0));
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
    return session_.is_open() && nr_waiting_ == 0 && !is_ordering_ && !awaits_tmmd_ && !must_read_ && tmmd_.state != "waiting" &&
           (was_quiet_ || session_.access() != Session::Access::full);
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
        follow_web_preferences();
        const auto changed = prepare_override();
        is_override_ready_ = changed.has_value();
        if (changed && *changed) {
            log_.info("somebody changed BOINC's preferences; TMM's values go into the new ones");
            must_read_ = true;
        }
        file_problems_.error(problem_of(changed), "; BOINC keeps its preferences");
        if (must_read_ && is_override_ready_) {
            ours_.reset();
            users_.reset();
            push({Order::Kind::read_preferences, {}, std::nullopt}, request::read_preferences(), now);
        }
    }
    mode_.reset();
    tasks_.reset();
    if (!version_)
        ask(Question::versions, request::versions(), now);
    if (!memory_bytes_)
        ask(Question::host, request::host(), now);
    if (!users_ && !ours_ && session_.access() == Session::Access::full)
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
    turn_follows_ = true;
}

// The client tells the user's own only without TMM's values: it takes them out first.
void Adapter::follow_web_preferences() {
    const FileMark now = files_.web_preferences();
    if (now != std::exchange(web_preferences_, now) && (users_ || ours_)) {
        log_.info("BOINC has got other preferences from a project; TMM's values go into these");
        must_read_ = true;
    }
}

// Until a client has told the user's own preferences, the override has none of TMM's: they would seem to be the user's.
Result<bool> Adapter::prepare_override() {
    auto ready = keeper_.has_pushed() ? Result<void>() : keeper_.recover();
    // Also after an error: it counts the turns in which the text stays as it is.
    auto changed = keeper_.take_changes();
    if (ready && changed && must_read_)
        ready = keeper_.restore();
    return ready ? std::move(changed) : Result<bool>(std::move(ready).error());
}

void Adapter::client_is_frozen(Now now) {
    session_.excuse(now.elapsed);
    is_stale_ = nr_waiting_ > 0 && !is_ordering_;
    // As after a start: it first carries out what a killed adapter had asked.
    if (!has_decided_ && (must_read_ || saved_ != SavedState()))
        settled_at_ = now.elapsed + settle_time;
}

void Adapter::take_answers(Now now) {
    while (auto answer = session_.next_answer()) {
        --nr_waiting_;
        if (answer->request >= first_order) {
            const auto index = static_cast<std::size_t>(answer->request - first_order);
            take_order(orders_.at(index), answer->reply);
        } else if (answer->reply) {
            const auto taken = take(static_cast<Question>(answer->request), *answer->reply);
            // The client hangs up at the second request that it refuses.
            if (!taken && taken.error().code() == EACCES)
                session_.refused();
            else if (!taken)
                problems_.error("BOINC: " + taken.error().message());
        }
        if (nr_waiting_ > 0)
            continue;
        orders_.clear();
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

Result<void> Adapter::take(Question question, const std::string& reply) {
    const auto keep = [](auto parsed, auto& into) -> Result<void> {
        if (!parsed)
            return std::move(parsed).error();
        into = *std::move(parsed);
        return {};
    };
    switch (question) {
        case Question::versions: {
            auto kept = keep(parse_version(reply), version_);
            if (kept)
                log_.info("BOINC client " + std::to_string(version_->major) + "." + std::to_string(version_->minor) + "." +
                          std::to_string(version_->release));
            return kept;
        }
        case Question::host:
            return keep(parse_memory_bytes(reply), memory_bytes_);
        case Question::preferences:
            return keep(parse_preferences(reply), users_);
        case Question::works: {
            awaits_works_ = false;
            auto kept = keep(parse_works(reply), works_);
            has_lost_works_ = !kept;
            return kept;
        }
        case Question::mode:
            return keep(parse_mode(reply), mode_);
        case Question::tasks:
            return keep(parse_tasks(reply), tasks_);
        default:
            return {};
    }
}

bool Adapter::wants_works(Now now) const {
    bool has_unknown = false;
    bool may_run = false;
    for (const Task& task : *tasks_) {
        if (!task.is_unfinished || works_.contains(task.work_name))
            continue;
        MeasuredTask measured;
        measured.task = task;
        has_unknown = true;
        may_run = may_run || facts_of(measured).may_run();
    }
    const std::chrono::milliseconds interval =
        has_lost_works_ ? lost_works_interval : (may_run ? std::chrono::milliseconds(urgent_works_interval) : works_interval);
    return has_unknown && (!asked_works_at_ || now.elapsed - *asked_works_at_ >= interval);
}

void Adapter::decide(Now now) {
    if (!memory_bytes_ || !mode_ || !tasks_)
        return;  // the next turn asks again
    problems_.solve();
    // A stop needs no bounds of tasks, and the whole state takes the client long.
    const Donation::State state = state_of(tmmd_);
    const bool is_stop = state == Donation::State::paused || state == Donation::State::off;
    const bool is_urgent = std::exchange(decided_for_, state) != state && is_stop;
    if (!is_urgent && wants_works(now)) {
        asked_works_at_ = now.elapsed;
        awaits_works_ = true;
        ask(Question::works, request::works(), now);
        return;  // decides when the answer has come
    }
    session_.completed_turn();
    measured_.clear();
    for (const Task& task : *tasks_)
        measured_.push_back(measure(root_, task, works_));
    waiting_ = policy_.waiting();
    days_.add(local_date(now.wall), measured_, now.elapsed);
    if (!saved_days_at_ || now.elapsed - *saved_days_at_ >= save_days_interval) {
        if (saved_days_at_)
            save_days();
        saved_days_at_ = now.elapsed;
    }
    if (session_.access() != Session::Access::full) {
        access_problems_.error("BOINC wants a password that this user cannot read" + no_password_,
                               "; make it a member of the group boinc. Until then TMM only limits BOINC's memory");
        return;
    }
    access_problems_.solve();
    if (awaits_tmmd_ || !users_)
        return;
    has_decided_ = true;
    const Orders orders = policy_.step(facts(now), donation_of(tmmd_, measured_, *memory_bytes_), now);
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
    facts.memory_bytes = *memory_bytes_;
    facts.mode = *mode_;
    facts.users = *users_;
    facts.ours = ours_;
    facts.can_push = is_override_ready_ && now.elapsed >= may_push_at_;
    const auto meminfo = root_.read_file("proc/meminfo");
    if (const auto free = meminfo ? parse_meminfo_bytes(*meminfo, "SwapFree") : Result<std::uint64_t>(meminfo.error()))
        facts.swap_free_bytes = *free;
    for (const MeasuredTask& measured : measured_)
        facts.tasks.push_back(facts_of(measured));
    return facts;
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
    facts.version = version_;
    facts.tasks = measured_;
    facts.waiting = waiting_;
    facts.other_clients = other_clients_;
    facts.is_read_only = session_.access() == Session::Access::read_only;
    facts.has_tmmd = state_of(tmmd_) != Donation::State::absent;
    facts.has_stopped = policy_.saved_state().has_stopped;
    for (const ProblemLog* problem : {&file_problems_, &push_problems_, &problems_}) {
        if (facts.trouble.empty())
            facts.trouble = problem->current();
    }
    return facts;
}

void Adapter::save_days() {
    if (dry_run_)
        return;
    const auto saved = files_.save_days(days_.days());
    days_problems_.warn(saved ? std::string() : saved.error().message(), "; the account of days ends with tmm-boinc");
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
    bool may_suspend = save_state();
    bool may_stop = true;
    if (orders.preferences || orders.restore_preferences) {
        const auto written = orders.preferences ? keeper_.push(*orders.preferences) : keeper_.restore();
        push_problems_.error(problem_of(written), "; BOINC keeps its preferences");
        if (written)
            push({Order::Kind::read_preferences, {}, orders.preferences}, request::read_preferences(), now);
        else if (!problem_of(written).empty())
            may_push_at_ = now.elapsed + push_retry;
        // The preferences were to keep these tasks in memory. The next turn decides without a push. All that goes on does so now.
        may_suspend = may_suspend && written;
        may_stop = written.has_value();
    }
    if (may_suspend) {
        for (const TaskId& task : orders.suspend)
            push({Order::Kind::suspend, task, {}}, request::suspend(task), now);
    }
    for (const TaskId& task : orders.resume)
        push({Order::Kind::resume, task, {}}, request::resume(task), now);
    if (orders.stop_for && may_stop)
        push({Order::Kind::mode, {}, {}}, request::run_never(*orders.stop_for), now);
    if (orders.restore_mode)
        push({Order::Kind::mode, {}, {}}, request::restore_mode(), now);
    is_ordering_ = nr_waiting_ > 0;
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
            ours_ = order.preferences;
            if (!ours_) {
                must_read_ = false;
                users_.reset();
            }
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
    // The next client reads the override when it starts: it is to be the user's, who may also change it until then. The same
    // client has to read it anew.
    if (keeper_.has_pushed()) {
        must_read_ = true;
        const auto restored = keeper_.restore();
        file_problems_.error(problem_of(restored), "; TMM's limit stays in BOINC's preferences");
    }
    version_.reset();
    memory_bytes_.reset();
    users_.reset();
    ours_.reset();
    works_.clear();
    measured_.clear();
    waiting_.clear();
    days_.forget_client();
    is_stale_ = false;
    has_lost_works_ = std::exchange(awaits_works_, false) || has_lost_works_;
    if (!has_lost_works_)
        asked_works_at_.reset();
    policy_.client_restarted();
}

bool Adapter::is_clean() const {
    // Without the right to give orders, the last turn decided nothing.
    const bool is_quiet = was_quiet_ || session_.access() != Session::Access::full;
    return is_quiet && !is_ordering_ && !keeper_.has_pushed() && !must_read_ && policy_.saved_state() == SavedState() &&
           saved_ == SavedState();
}

}  // namespace tmm::boinc
