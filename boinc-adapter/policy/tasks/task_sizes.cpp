// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/tasks/task_sizes.hpp"

#include <algorithm>
#include <utility>

#include "boinc-adapter/policy/tasks/scaled.hpp"

namespace tmm::boinc {

namespace {

using Cpu = std::chrono::duration<double>;

std::uint64_t size_of(const TaskFacts& task) {
    // Evicted memory comes back: the true size counts it.
    return std::max(task.true_bytes, task.client_bytes);
}

}  // namespace

TaskSizes::Seen TaskSizes::look_at(const TaskFacts& task, Now now) const {
    Seen next;
    next.bytes = size_of(task);
    next.at = now.elapsed;
    next.was_in_memory = task.is_in_memory();
    next.cpu = task.current_cpu;
    next.processor = task.processor;
    next.start_ticks = task.start_ticks;
    next.was_suspended = task.state == ProcessState::suspended;
    // A task that is seen for the first time may have begun long ago, by a process that began just now.
    next.start_cpu = next.cpu - std::min(next.cpu, next.processor.value_or(Cpu(0)));
    const auto found = seen_.find(task.id);
    if (found != seen_.end()) {
        const Seen& last = found->second;
        next.peak_bytes = last.peak_bytes;
        // The processor's time goes back to the checkpoint when a process begins anew.
        const bool is_other = next.start_ticks != last.start_ticks && next.start_ticks != 0 && last.start_ticks != 0;
        const bool is_new = next.was_in_memory && (!last.was_in_memory || next.cpu < last.cpu || is_other);
        next.start_cpu = is_new ? next.cpu : last.start_cpu;
        const bool has_ended = is_new || !next.was_in_memory;
        next.process_peak_bytes = has_ended ? 0 : last.process_peak_bytes;
        next.ended_peak_bytes = std::max(last.ended_peak_bytes, has_ended ? last.process_peak_bytes : 0);
        const auto passed = next.at - last.at;
        if (task.state == ProcessState::executing && passed.count() > 0) {
            const std::uint64_t grown = next.bytes - std::min(next.bytes, last.bytes);
            const double horizons = std::chrono::duration<double>(growth_horizon) / passed;
            // It fades: a task that grows in steps is not small between them.
            next.growth_bytes = std::max(scaled(grown, horizons), last.growth_bytes * 3 / 4);
        }
        if (next.was_suspended && last.was_suspended && next.processor && last.processor && passed.count() > 0 &&
            *next.processor - *last.processor >= min_run_on_share * std::chrono::duration<double>(passed))
            next.runs_on = last.runs_on + passed;
    }
    next.process_peak_bytes = next.was_in_memory ? std::max(next.process_peak_bytes, next.bytes) : 0;
    if (!next.is_young())
        next.peak_bytes = std::max(next.peak_bytes, next.bytes);
    return next;
}

void TaskSizes::observe(const std::vector<TaskFacts>& tasks, Now now) {
    constexpr std::size_t max_examples = 8;
    std::map<TaskId, Seen> seen;
    for (const TaskFacts& task : tasks) {
        const Seen next = look_at(task, now);
        seen[task.id] = next;
        if (!task.app_name.empty() && !next.is_young()) {
            App& app = apps_[task.app_name];
            app.peak_bytes = std::max(app.peak_bytes, next.bytes);
            if (app.grown_up.size() < max_examples)
                app.grown_up.insert(task.id);
        }
    }
    seen_ = std::move(seen);
}

// The memory that a task will need once it has run for a while.
std::uint64_t TaskSizes::estimate_of(const TaskFacts& task) const {
    constexpr std::size_t min_examples = 3;
    constexpr double variation = 1.5;
    const auto app = apps_.find(task.app_name);
    if (app == apps_.end() || app->second.grown_up.size() < min_examples)
        return task.bound_bytes;
    // Projects set bounds for the worst case. A few tasks of the same kind tell more.
    const std::uint64_t usual = scaled(app->second.peak_bytes, variation);
    return task.bound_bytes > 0 ? std::min(task.bound_bytes, usual) : usual;
}

bool TaskSizes::is_unknown(const TaskFacts& task) const {
    const Seen& seen = seen_.at(task.id);
    return (task.may_run() || task.is_in_memory()) && seen.is_young() && seen.peak_bytes == 0 && estimate_of(task) == 0;
}

std::uint64_t TaskSizes::need_of(const TaskFacts& task) const {
    const Seen& seen = seen_.at(task.id);
    std::uint64_t need = scaled(seen.bytes, size_margin);
    if (seen.is_young())
        need = std::max({need, scaled(seen.ended_peak_bytes, size_margin),
                         seen.peak_bytes > 0 ? scaled(seen.peak_bytes, size_margin) : estimate_of(task)});
    if (seen.growth_bytes > 0) {
        std::uint64_t grown = scaled(seen.bytes + seen.growth_bytes, size_margin);
        if (seen.bytes < task.bound_bytes)
            grown = std::min(grown, scaled(task.bound_bytes, size_margin));
        need = std::max(need, grown);
    }
    return need;
}

std::uint64_t TaskSizes::limit_for(const TaskFacts& task) const {
    return std::max(need_of(task), scaled(seen_.at(task.id).process_peak_bytes, size_margin));
}

std::uint64_t TaskSizes::run_on_bytes(const TaskFacts& task) const {
    const bool runs_on = task.state == ProcessState::suspended && seen_.at(task.id).runs_on >= max_run_on;
    return runs_on ? std::max(need_of(task), task.resident_bytes) : 0;
}

void TaskSizes::client_restarted() {
    for (auto& [task, seen] : seen_)
        seen.was_in_memory = false;
}

}  // namespace tmm::boinc
