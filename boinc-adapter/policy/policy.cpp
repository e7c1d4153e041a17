// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "boinc-adapter/policy/tasks/holding.hpp"
#include "boinc-adapter/policy/tasks/scaled.hpp"

namespace tmm::boinc {

namespace {

using std::chrono::milliseconds;

// The limits that the client has now, of the two states of its user: it does not tell which of them counts.
struct Limits {
    std::uint64_t lower;
    std::uint64_t higher;
};

Limits limits_of(const Facts& facts, const Preferences& preferences) {
    const auto [low, high] = std::minmax(preferences.busy_percent, preferences.idle_percent);
    return {scaled(facts.memory_bytes, low / 100), scaled(facts.memory_bytes, high / 100)};
}

HoldingFacts holding_facts(const TaskFacts& task, const Facts& facts) {
    HoldingFacts holding;
    holding.can_end = task.state == ProcessState::executing;
    holding.ends_by_itself = !facts.users.leave_in_memory;
    holding.has_checkpoint = task.checkpoint_cpu.count() > 0;
    holding.unsaved = task.unsaved();
    holding.resident_bytes = task.resident_bytes;
    holding.swap_free_bytes = facts.swap_free_bytes;
    return holding;
}

std::uint64_t resident_bytes_of(const Facts& facts) {
    std::uint64_t bytes = 0;
    for (const TaskFacts& task : facts.tasks)
        bytes += task.resident_bytes;
    return bytes;
}

// Returns whether others need the memory of the client's tasks while these are stopped for a time.
bool needs_memory(const Facts& facts, const Donation& donation, std::uint64_t in_memory) {
    // tmmd measured it, and limits contributions for it.
    if (donation.state == Donation::State::giving)
        return in_memory > donation.bytes;
    // A pause says nothing of memory. With less than this, a program that begins makes others swap.
    constexpr std::uint64_t min_available_share = 10;
    return facts.available_bytes && *facts.available_bytes < facts.memory_bytes / min_available_share;
}

}  // namespace

bool should_quit(const Facts& facts, const Donation& donation, const std::set<TaskId>& ended_lately) {
    const std::uint64_t in_memory = resident_bytes_of(facts);
    const bool is_for_long = donation.state == Donation::State::off || donation.has_open_end;
    const bool is_wanted = is_for_long || needs_memory(facts, donation, in_memory);
    return std::all_of(facts.tasks.begin(), facts.tasks.end(), [&](const TaskFacts& task) {
        HoldingFacts holding = holding_facts(task, facts);
        holding.can_end = holding.can_end && !donation.is_frozen && !ended_lately.contains(task.id);
        holding.is_wanted = is_wanted;
        holding.is_for_long = is_for_long;
        // The others need room in swap, too.
        if (holding.swap_free_bytes)
            *holding.swap_free_bytes -= std::min(*holding.swap_free_bytes, in_memory - task.resident_bytes);
        return !task.is_in_memory() || choose_holding(holding) == Holding::end;
    });
}

Orders Policy::step(const Facts& facts, const Donation& donation, Now now) {
    sizes_.observe(facts.tasks, now);
    std::erase_if(ended_, [&](const auto& ended) { return now.elapsed - ended.second >= min_between_ends; });
    follow_held(facts, now);
    resumed_.observe(facts);
    Orders orders;
    const bool gives = donation.state == Donation::State::giving && donation.bytes >= min_useful_bytes;
    const bool stops = !gives && donation.state != Donation::State::absent;
    if (!stops)
        stopped_at_.reset();
    if (stops || gives)
        waking_.clear();
    if (stops)
        stop(facts, donation, now, orders);
    else if (gives)
        give(facts, donation.bytes, now, orders);
    else
        let_go(facts, now, orders);
    return orders;
}

void Policy::follow_held(const Facts& facts, Now now) {
    std::map<TaskId, HeldTask> held;
    std::set<TaskId> insisted;
    for (const TaskFacts& task : facts.tasks) {
        const auto found = held_.find(task.id);
        if (found != held_.end()) {
            HeldTask state = found->second;
            if (!task.suspended_by_gui) {
                // Resumed by TMM, or the client never heard of the order; else the user wants it to run.
                if (state.is_resuming)
                    resumed_.add(task.id);
                else if (state.was_seen)
                    insisted.insert(task.id);
                continue;
            }
            state.was_seen = true;
            state.need_bytes = sizes_.need_of(task);
            held[task.id] = state;
        } else if (resumed_.was_forgotten(task)) {
            held[task.id] = {now.elapsed, true, false, sizes_.need_of(task), false};
        } else if (insisted_.contains(task.id) && !task.suspended_by_gui) {
            insisted.insert(task.id);
        }
    }
    // Tasks that the client no longer has are forgotten.
    held_ = std::move(held);
    insisted_ = std::move(insisted);
}

void Policy::push(const Facts& facts, std::uint64_t limit, Push when, bool leave_in_memory, Now now, Orders& orders) {
    if (!facts.can_push)
        return;
    const double percent =
        std::clamp(std::ceil(static_cast<double>(limit) / static_cast<double>(facts.memory_bytes) * 10000) / 100, 0.01, 100.0);
    // The user's own limit wins where it is lower.
    const Preferences wanted{std::min(percent, facts.users.busy_percent), std::min(percent, facts.users.idle_percent),
                             leave_in_memory};
    if (facts.ours) {
        const double now_percent = std::max(facts.ours->busy_percent, facts.ours->idle_percent);
        const double wanted_percent = std::max(wanted.busy_percent, wanted.idle_percent);
        const bool large = std::abs(wanted_percent - now_percent) > min_push_change * now_percent ||
                           wanted.leave_in_memory != facts.ours->leave_in_memory;
        const bool due = !pushed_at_ || now.elapsed - *pushed_at_ >= min_push_interval;
        if (wanted == *facts.ours || (when != Push::at_once && !due) || (when == Push::if_large && !large))
            return;
    }
    orders.preferences = wanted;
    pushed_at_ = now.elapsed;
}

// Returns whether a held task is about to stand still: to end, or to stay in memory.
bool Policy::any_stops(const Facts& facts, bool ends, Now now) const {
    return std::any_of(facts.tasks.begin(), facts.tasks.end(), [&](const TaskFacts& task) {
        const auto held = held_.find(task.id);
        return held != held_.end() && held->second.ends == ends && now.elapsed - held->second.since < max_ending &&
               (task.state == ProcessState::executing || task.state == ProcessState::quitting);
    });
}

// While a preference lets tasks end, the client ends all that it stops, and all that stand still in memory since before. So those
// that are to end go first, while no other stands still; and none with processes is suspended until they have gone. Leaves in the
// plan what to suspend in this turn. Returns whether tasks that the client stops are to end.
bool Policy::choose_ends(Plan& wanted, const Facts& facts, std::uint64_t donated, Now now) const {
    const std::uint64_t in_memory = resident_bytes_of(facts);
    const auto may_end = [&](const TaskFacts* task) {
        HoldingFacts holding = holding_facts(*task, facts);
        holding.is_wanted = in_memory > donated;
        holding.can_end = holding.can_end && !ended_.contains(task->id);
        return choose_holding(holding) == Holding::end;
    };
    const auto has_processes = [](const TaskFacts* task) { return task->is_in_memory(); };
    if (any_stops(facts, true, now)) {
        std::erase_if(wanted.suspend, has_processes);
        return true;
    }
    const bool others_would_end =
        any_stops(facts, false, now) ||
        std::any_of(facts.tasks.begin(), facts.tasks.end(), [](const TaskFacts& task) { return task.stands_still(); });
    if (!facts.can_push || others_would_end || std::none_of(wanted.suspend.begin(), wanted.suspend.end(), may_end))
        return false;
    std::erase_if(wanted.suspend, [&](const TaskFacts* task) { return has_processes(task) && !may_end(task); });
    return true;
}

// Brings the limit to the donation, but never below what the plan needs. Takes resumptions out of the plan that it does not
// cover.
void Policy::push_for(Plan& wanted, const Facts& facts, std::uint64_t donated, bool leave_in_memory, Now now, Orders& orders) {
    const Limits limits = limits_of(facts, facts.ours ? *facts.ours : facts.users);
    const Limits users = limits_of(facts, facts.users);
    // Tasks must never be above the limit, for any time: no interval counts then.
    const bool urgent = facts.ours && (limits.higher < std::min(wanted.largest_bytes, users.higher) ||
                                       limits.lower < std::min(wanted.floor_bytes, users.lower));
    const bool covers_resumed = limits.lower >= std::min(wanted.resumed_bytes, users.lower);
    const bool is_other_way = facts.ours && facts.ours->leave_in_memory != leave_in_memory;
    const Push push_now = urgent || is_other_way ? Push::at_once : covers_resumed ? Push::if_large : Push::if_due;
    const std::uint64_t needed = std::max(wanted.resumed_bytes, wanted.has_unknown ? limits.higher : 0);
    // The client does not count tasks that it has suspended.
    const std::uint64_t left = donated - std::min(donated, wanted.occupied_bytes);
    push(facts, std::max(left, needed), push_now, leave_in_memory, now, orders);
    // Tasks may run again only under a limit that the client has already read.
    if (!covers_resumed)
        wanted.resume.clear();
}

void Policy::give(const Facts& facts, std::uint64_t donated, Now now, Orders& orders) {
    if (!watches_since_)
        watches_since_ = now.elapsed;
    // A limit that cannot be raised, as on a full disk, stays in force: a task that grows beyond it would be aborted.
    if (facts.ours && !facts.can_push)
        donated = std::min(donated, limits_of(facts, *facts.ours).lower);
    Plan wanted = make_plan(facts, sizes_, held_, insisted_, donated, now);
    if (facts.reads_otherwise)
        wanted.suspend.clear();
    const bool all_stand_still = wanted.suspend.empty();
    const bool ends = facts.ours && choose_ends(wanted, facts, donated, now);
    if (now.elapsed - *watches_since_ < watch_length) {
        // A task that began a moment ago looks small. Until each has shown how it grows, only the user's limit counts. Tasks that
        // do not fit stand still already: under that limit it ends none of them, and they cannot swap against each other.
        if (!facts.ours || facts.ours->leave_in_memory == ends)
            push(facts, facts.memory_bytes, Push::at_once, !ends, now, orders);
        wanted.resume.clear();
    } else {
        push_for(wanted, facts, donated, !ends, now, orders);
    }
    // The first push comes before anything is suspended, for it makes suspended tasks stay in memory.
    if (!facts.ours && facts.can_push)
        return;
    for (const TaskFacts* task : wanted.suspend) {
        if (orders.suspend.size() == max_orders)
            break;
        held_[task->id] = {now.elapsed, false, false, sizes_.need_of(*task), ends && task->state == ProcessState::executing};
        if (held_[task->id].ends)
            ended_[task->id] = now.elapsed;
        orders.suspend.push_back(task->id);
    }
    for (const TaskFacts* task : wanted.resume) {
        if (orders.resume.size() == max_orders)
            break;
        held_[task->id].is_resuming = true;
        orders.resume.push_back(task->id);
    }
    // All that is to stand still does so before the client runs again.
    if (all_stand_still)
        mode_.run(facts.mode, now, orders);
}

void Policy::stop(const Facts& facts, const Donation& donation, Now now, Orders& orders) {
    const Preferences& in_force = facts.ours ? *facts.ours : facts.users;
    if (!stopped_at_)
        stopped_at_ = now.elapsed;
    std::set<TaskId> ended_lately;
    for (const auto& [task, ended_at] : ended_) {
        if (ended_at < *stopped_at_)
            ended_lately.insert(task);
    }
    const bool leave = !should_quit(facts, donation, ended_lately);
    const bool is_running = std::any_of(facts.tasks.begin(), facts.tasks.end(),
                                        [](const TaskFacts& task) { return task.state == ProcessState::executing; });
    // A user who chose "run always" lets them grow: the limit never falls, but it stays above them.
    const Limits limits = limits_of(facts, in_force);
    const std::uint64_t needed =
        facts.mode.current == RunMode::never ? 0 : make_plan(facts, sizes_, held_, insisted_, 0, now).resumed_bytes;
    const Limits users = limits_of(facts, facts.users);
    const bool is_short = limits.higher < std::min(needed, users.higher) || limits.lower < std::min(needed, users.lower);
    // The client carries this out before it stops its tasks, and then keeps them or ends them.
    if (is_running && (is_short || leave != in_force.leave_in_memory))
        push(facts, std::max(limits.higher, needed), Push::at_once, leave, now, orders);
    const bool quits = !(orders.preferences ? *orders.preferences : in_force).leave_in_memory;
    for (const TaskFacts& task : facts.tasks) {
        if (quits && task.state == ProcessState::executing)
            ended_.emplace(task.id, now.elapsed);
    }
    mode_.stop(facts.mode, now, orders);
}

// Returns whether a task that TMM held still stands still. It would end if the client read now that none is to stay.
bool Policy::any_wakes(const Facts& facts, Now now) const {
    return std::any_of(facts.tasks.begin(), facts.tasks.end(), [&](const TaskFacts& task) {
        const auto waking = waking_.find(task.id);
        return task.stands_still() && waking != waking_.end() && now.elapsed - waking->second < max_waking;
    });
}

void Policy::let_go(const Facts& facts, Now now, Orders& orders) {
    for (const auto& [task, held] : held_)
        waking_.emplace(task, now.elapsed);
    if (facts.ours && facts.can_push && !facts.users.leave_in_memory && any_wakes(facts, now))
        push(facts, facts.memory_bytes, Push::at_once, true, now, orders);
    else
        orders.restore_preferences = facts.ours.has_value();
    for (auto& [task, held] : held_) {
        // If the user's limit cannot come back, for the disk is full, at least those run that may.
        const bool may_run = !facts.ours || limits_of(facts, *facts.ours).higher >= held.need_bytes;
        if (may_run && orders.resume.size() < max_orders) {
            orders.resume.push_back(task);
            held.is_resuming = true;
        }
    }
    insisted_.clear();
    mode_.run(facts.mode, now, orders);
}

void Policy::restore(const SavedState& saved, Now now) {
    for (const TaskId& task : saved.held)
        held_[task] = {now.elapsed, false, false, 0, false};
    if (saved.has_stopped)
        mode_.adopt(now);
}

SavedState Policy::saved_state() const {
    SavedState saved;
    for (const auto& [task, held] : held_)
        saved.held.insert(task);
    saved.has_stopped = mode_.has_stopped();
    return saved;
}

void Policy::carried_out(const TaskId& task, bool is_suspended) {
    const auto held = held_.find(task);
    if (held == held_.end())
        return;
    if (is_suspended) {
        held->second.was_seen = true;
        return;
    }
    held_.erase(held);
    resumed_.add(task);
}

void Policy::client_restarted(const FileMark& saved) {
    resumed_.client_restarted(saved);
    mode_.client_restarted();
    for (auto& [task, held] : held_)
        held.was_seen = false;
    sizes_.client_restarted();
}

std::map<TaskId, std::uint64_t> Policy::waiting() const {
    std::map<TaskId, std::uint64_t> waiting;
    for (const auto& [task, held] : held_)
        waiting[task] = held.need_bytes;
    return waiting;
}

}  // namespace tmm::boinc
