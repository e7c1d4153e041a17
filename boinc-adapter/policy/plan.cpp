// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/plan.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "boinc-adapter/policy/tasks/holding.hpp"
#include "boinc-adapter/policy/tasks/scaled.hpp"

namespace tmm::boinc {

namespace {

// The client ends it at each stop. A minute of a graphics card may be a second of the processor, so nobody knows what is lost.
bool must_not_stop(const TaskFacts& task) {
    return task.uses_gpu && task.state == ProcessState::executing;
}

// Suspended, a task may have to end, if the preferences say so and it has a checkpoint.
bool loses_work(const TaskFacts& task, const Facts& facts) {
    const bool stays = facts.ours ? facts.ours->leave_in_memory : facts.users.leave_in_memory;
    return task.state == ProcessState::executing && !stays && task.checkpoint_cpu.count() > 0 && task.unsaved() > max_loss;
}

// Tells how large the client takes a task for that it has not measured: as its like, or as its project's bound.
class Guesses {
public:
    explicit Guesses(const std::vector<TaskFacts>& tasks) {
        for (const TaskFacts& task : tasks) {
            if (task.is_in_memory() && !task.app_name.empty())
                largest_[task.app_name] = std::max(largest_[task.app_name], task.client_bytes);
        }
    }
    // Returns the bytes; 0: the client has measured it.
    [[nodiscard]] std::uint64_t of(const TaskFacts& task) const {
        if (task.is_in_memory() && task.client_bytes > 0)
            return 0;
        const auto like = largest_.find(task.app_name);
        return std::max(task.bound_bytes, like == largest_.end() ? 0 : like->second);
    }

private:
    std::map<std::string, std::uint64_t> largest_;  // in memory, by application
};

class Planner {
public:
    Planner(const Facts& facts, const TaskSizes& sizes, const std::map<TaskId, HeldTask>& held_tasks,
            const std::set<TaskId>& insisted, std::uint64_t donated, Now now)
        : facts_(facts),
          sizes_(sizes),
          held_tasks_(held_tasks),
          insisted_(insisted),
          donated_(donated),
          now_(now),
          guesses_(facts.tasks),
          swap_room_(facts.swap_free_bytes.value_or(std::numeric_limits<std::uint64_t>::max())),
          address_limit_(facts.address_limit.value_or(std::numeric_limits<std::uint64_t>::max())) {}

    Plan make() {
        for (const TaskFacts& task : facts_.tasks)
            count(task);
        std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
            return std::tie(a.rank, a.need_bytes) < std::tie(b.rank, b.need_bytes);
        });
        plan_.occupied_bytes = used_bytes_ + kept_bytes_;
        for (const Candidate& candidate : candidates_)
            place(candidate);
        place_queued();
        plan_.floor_bytes = std::max(plan_.floor_bytes, largest_runnable_bytes_);
        plan_.resumed_bytes = plan_.floor_bytes;
        // The client may start all of them at once, and ends others if they do not fit.
        for (const TaskFacts* task : plan_.resume)
            plan_.resumed_bytes += std::max(sizes_.limit_for(*task), guesses_.of(*task));
        plan_.resumed_bytes = std::max(plan_.resumed_bytes, plan_.largest_bytes);
        return std::move(plan_);
    }

private:
    // The order in which tasks get room; those of one rank by their size. Insisted ones run whether there is room or not.
    enum class Rank { insisted, overdue, running, held };
    // A task that is in memory, or that TMM or its user wants to go on.
    struct Candidate {
        const TaskFacts* task;
        const HeldTask* held;  // nothing: it is not
        Rank rank;
        std::uint64_t need_bytes;
        std::uint64_t run_on_bytes;
        std::uint64_t kept_bytes;
    };

    void count(const TaskFacts& task) {
        const std::uint64_t run_on = sizes_.run_on_bytes(task);
        const bool stands_still = task.state == ProcessState::suspended && run_on == 0;
        const std::uint64_t evicted = stands_still ? std::min(task.resident_bytes, swap_room_) : 0;
        const std::uint64_t kept = stands_still ? task.resident_bytes - evicted : 0;
        swap_room_ -= evicted;
        used_bytes_ += run_on;
        kept_bytes_ += kept;
        plan_.has_unknown = plan_.has_unknown || sizes_.is_unknown(task);
        count_limits(task);
        if (task.may_run() && task.is_in_memory())
            running_addresses_ += addresses_of(task);
        const auto held = held_tasks_.find(task.id);
        if (held != held_tasks_.end()) {
            const bool is_overdue = now_.elapsed - held->second.since >= HeldTask::max_wait;
            // It comes back only if there is a little more room than it needs. The client ends others for one that it has to
            // start.
            constexpr double return_margin = 1.1;
            const std::uint64_t need = scaled(std::max(sizes_.need_of(task), guesses_.of(task)), return_margin);
            candidates_.push_back({&task, &held->second, is_overdue ? Rank::overdue : Rank::held, need, run_on, kept});
        } else if (insisted_.contains(task.id) || must_not_stop(task)) {
            candidates_.push_back({&task, nullptr, Rank::insisted, sizes_.need_of(task), run_on, kept});
        } else if (task.may_run() && task.is_in_memory()) {
            candidates_.push_back({&task, nullptr, Rank::running, sizes_.need_of(task), run_on, kept});
        } else if (task.may_run()) {
            queued_.push_back(&task);
        }
    }

    void count_limits(const TaskFacts& task) {
        const std::uint64_t limit = sizes_.limit_for(task);
        // A suspended task that was swapped out looks small to the client. It would run it as soon as the user resumes it, and
        // abort it when its memory is back.
        if (task.may_run() || task.is_in_memory())
            plan_.largest_bytes = std::max(plan_.largest_bytes, limit);
        if (task.may_run())
            largest_runnable_bytes_ = std::max(largest_runnable_bytes_, limit);
        if (task.may_run() && task.is_in_memory())
            plan_.floor_bytes += std::max(limit, guesses_.of(task));
    }

    void place(const Candidate& candidate) {
        const std::uint64_t with = used_bytes_ - candidate.run_on_bytes + candidate.need_bytes;
        // Beside memory that cannot be freed nothing begins. What runs goes on: else all would stand still as long as the
        // donation is small.
        const std::uint64_t beside = candidate.held != nullptr ? kept_bytes_ - candidate.kept_bytes : 0;
        const bool stays = (with + beside <= donated_ && has_addresses_for(candidate)) || candidate.rank == Rank::insisted;
        if (stays) {
            used_bytes_ = with;
            kept_bytes_ -= candidate.kept_bytes;
            placed_addresses_ += addresses_of(*candidate.task);
        }
        if (candidate.held == nullptr) {
            if (!stays && !loses_work(*candidate.task, facts_))
                plan_.suspend.push_back(candidate.task);
        } else if (stays && now_.elapsed - candidate.held->since >= HeldTask::min_hold) {
            resume(candidate);
        }
    }

    // The client never runs one beyond the limit, so that one takes no place.
    [[nodiscard]] std::uint64_t addresses_of(const TaskFacts& task) const {
        return task.address_bytes > address_limit_ ? 0 : task.address_bytes;
    }

    // A task that is overdue takes the place of others, which stand still first. Without one, those that run are the client's
    // choice, even beyond the limit.
    [[nodiscard]] bool has_addresses_for(const Candidate& candidate) {
        const bool fits = placed_addresses_ + addresses_of(*candidate.task) <= address_limit_;
        is_overdue_placed_ = is_overdue_placed_ || (fits && candidate.rank == Rank::overdue);
        return fits || (candidate.rank == Rank::running && !is_overdue_placed_);
    }

    // The client would end some of those that run, if they left no room for it.
    void resume(const Candidate& candidate) {
        const std::uint64_t with = running_addresses_ + addresses_of(*candidate.task);
        if (with > address_limit_)
            return;
        running_addresses_ = with;
        plan_.resume.push_back(candidate.task);
    }

    // The client could start one, and abort it as soon as it has grown. A limit above the donation, for the sake of a task that
    // stands still, would let it start one after the other.
    void place_queued() {
        const std::uint64_t limit = donated_ - std::min(donated_, plan_.occupied_bytes);
        const std::uint64_t room = plan_.largest_bytes > limit ? donated_ - std::min(donated_, used_bytes_ + kept_bytes_) : limit;
        for (const TaskFacts* task : queued_) {
            if (sizes_.need_of(*task) > room)
                plan_.suspend.push_back(task);
        }
    }

    const Facts& facts_;
    const TaskSizes& sizes_;
    const std::map<TaskId, HeldTask>& held_tasks_;
    const std::set<TaskId>& insisted_;
    std::uint64_t donated_;
    Now now_;
    Guesses guesses_;

    Plan plan_;
    std::vector<Candidate> candidates_;
    std::vector<const TaskFacts*> queued_;
    std::uint64_t swap_room_;
    std::uint64_t address_limit_;
    std::uint64_t running_addresses_ = 0;  // as the client sees it, with those to go on
    std::uint64_t placed_addresses_ = 0;
    bool is_overdue_placed_ = false;
    std::uint64_t used_bytes_ = 0;
    std::uint64_t kept_bytes_ = 0;  // of tasks that stand still, for which swap has no room
    std::uint64_t largest_runnable_bytes_ = 0;
};

}  // namespace

Plan make_plan(const Facts& facts, const TaskSizes& sizes, const std::map<TaskId, HeldTask>& held_tasks,
               const std::set<TaskId>& insisted, std::uint64_t donated, Now now) {
    return Planner(facts, sizes, held_tasks, insisted, donated, now).make();
}

}  // namespace tmm::boinc
