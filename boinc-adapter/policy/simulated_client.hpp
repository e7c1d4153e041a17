// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SimulatedClient: behaves as BOINC clients do with memory, for tests that take days of its time in seconds of ours. Measured
// with Debian's 7.20.5 and 8.0.4, and read in the client's sources:
// - it measures tasks every 10 seconds, resident memory only, and smooths the value by halves;
// - it aborts an executing task above max(busy, idle) limit, for good;
// - it starts tasks by their smoothed size, else by their application's, else by their bound, as long as they fit;
// - above the limit, versions before 8.2.15 end tasks; later ones suspend them;
// - a suspended task stays in memory while the preferences say so, or if it has no checkpoint; else it ends, though it was
//   suspended before they said so (not while all stand still by a mode);
// - from 8.2.14 on, the address space of the tasks that run together has a limit, where the machine has swap: it ends tasks that
// run
//   above it, and those for which one that goes before them leaves none, whatever the preferences say (measured with 8.2.15);
// - a temporary mode ends by the wall clock.
// The machine takes memory from its tasks: what they cannot keep resident is swapped out, and comes back at a bounded rate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

struct SimulatedTask {
    TaskFacts facts;
    std::uint64_t final_bytes = 0;  // grows to this
    std::uint64_t growth_per_s = 0;
    double smoothed_bytes = 0;
    double resident_bytes = 0;
    double size_bytes = 0;  // resident and swapped
    double cpu_needed_s = 0;
    bool is_aborted = false;
    bool is_done = false;
    bool was_running = false;
    bool saved_suspended = false;
    std::chrono::milliseconds arrives{0};
    std::uint64_t address_bytes = 0;  // facts has it once the client has measured it
    bool is_urgent = false;           // goes before all others
    bool returns = false;             // TMM resumed it, and it does not run yet
};

class SimulatedClient {
public:
    SimulatedClient(Version version, std::uint64_t memory_bytes, Preferences users)
        : version_(version), memory_bytes_(memory_bytes), preferences_(users), own_(users) {}

    std::vector<SimulatedTask> tasks;
    // The resident memory that the kernel leaves to all tasks together.
    double kernel_allows = 1e18;
    int aborted = 0;
    int ended_by_limit = 0;   // tasks that the user's own limit would have let run
    int ended_suspended = 0;  // tasks with much unsaved work, suspended by TMM, that did not stay in memory
    int ended_saved = 0;      // the same with a recent checkpoint
    int ended_by_return = 0;  // tasks with much unsaved work, for the address space of one that TMM resumed
    double address_limit = 1e18;
    double work_done_s = 0;
    int nr_cpus = 4;
    // A task that the user resumes may take the place of another: the client chooses that.
    std::chrono::milliseconds users_resume{-100'000};
    // Returns whether a suspension of this task is TMM's doing.
    std::function<bool(const TaskId&)> is_tmms;

    // One second passes.
    void advance() {
        elapsed_ += std::chrono::seconds(1);
        wall_ += std::chrono::seconds(1);
        if (elapsed_ - changed_at_ == save_delay || elapsed_ - saved_at_ >= max_unsaved)
            save();
        if (temporary_mode_ && wall_ >= mode_ends_)
            temporary_mode_.reset();
        run_tasks();
        if (elapsed_.count() / 1000 % 10 == measuring_phase) {
            measure();
            abort_large();
        }
        schedule();
    }

    // It may look at its tasks between any two orders.
    void poll() { schedule(); }

    [[nodiscard]] Now now() const { return {elapsed_, wall_}; }
    void move_clock(std::chrono::milliseconds step) { wall_ += step; }

    // The client and its tasks are killed and start anew, as it saved them last.
    void restart() {
        for (SimulatedTask& task : tasks) {
            end(task);
            task.smoothed_bytes = 0;
            task.facts.suspended_by_gui = task.saved_suspended;
        }
        temporary_mode_.reset();
        save();
    }

    void save() {
        for (SimulatedTask& task : tasks)
            task.saved_suspended = task.facts.suspended_by_gui;
        ++saved_.inode;
        saved_at_ = elapsed_;
    }
    [[nodiscard]] const FileMark& saved() const { return saved_; }

    void set_preferences(const Preferences& preferences) { preferences_ = preferences; }
    [[nodiscard]] const Preferences& preferences() const { return preferences_; }
    void suspend(const TaskId& id, bool is_suspended = true) {
        task(id).facts.suspended_by_gui = is_suspended;
        if (elapsed_ - changed_at_ >= save_delay)
            changed_at_ = elapsed_;
    }
    void resume(const TaskId& id) {
        suspend(id, false);
        task(id).returns = true;
    }
    void set_mode(RunMode mode, std::chrono::milliseconds length) {
        temporary_mode_.reset();
        if (length.count() == 0) {
            permanent_mode_ = mode;
            return;
        }
        temporary_mode_ = mode;
        mode_ends_ = wall_ + length;
    }
    void restore_mode() { temporary_mode_.reset(); }

    [[nodiscard]] ModeStatus mode() const {
        ModeStatus status;
        status.permanent = permanent_mode_;
        status.current = temporary_mode_.value_or(permanent_mode_);
        if (temporary_mode_)
            status.delay = mode_ends_ - wall_;
        return status;
    }

    SimulatedTask& task(const TaskId& id) {
        return *std::find_if(tasks.begin(), tasks.end(), [&](const SimulatedTask& each) { return each.facts.id == id; });
    }

    [[nodiscard]] std::vector<TaskFacts> facts() const {
        std::vector<TaskFacts> all;
        for (const SimulatedTask& each : tasks) {
            if (each.is_done || each.is_aborted || each.arrives > elapsed_)
                continue;
            all.push_back(each.facts);
            all.back().true_bytes = static_cast<std::uint64_t>(each.size_bytes);
            all.back().resident_bytes = static_cast<std::uint64_t>(each.resident_bytes);
            all.back().client_bytes = static_cast<std::uint64_t>(each.smoothed_bytes);
        }
        return all;
    }

    static constexpr int measuring_phase = 3;
    static constexpr std::chrono::seconds save_delay{4};  // on a slow disk

private:
    static constexpr Version suspends_in_memory{8, 2, 15};
    static constexpr std::chrono::minutes max_unsaved{1};  // it saves after each checkpoint, too
    static constexpr double refault_per_s = 300e6;
    static constexpr double checkpoint_interval_s = 60;
    static constexpr double much_s = 35;  // work that the policy may lose, and a turn

    [[nodiscard]] double limit() const {
        return static_cast<double>(memory_bytes_) * (user_active ? preferences_.busy_percent : preferences_.idle_percent) / 100;
    }
    [[nodiscard]] double own_limit() const {
        return static_cast<double>(memory_bytes_) * (user_active ? own_.busy_percent : own_.idle_percent) / 100;
    }
    [[nodiscard]] double max_limit() const {
        return static_cast<double>(memory_bytes_) * std::max(preferences_.busy_percent, preferences_.idle_percent) / 100;
    }

    [[nodiscard]] bool user_just_resumed() const { return elapsed_ - users_resume <= std::chrono::seconds(10); }

    void run_tasks() {
        double resident = 0;
        for (SimulatedTask& each : tasks)
            resident += each.resident_bytes;
        // The kernel swaps out of all alike.
        if (resident > kernel_allows) {
            for (SimulatedTask& each : tasks)
                each.resident_bytes *= kernel_allows / resident;
            resident = kernel_allows;
        }
        for (SimulatedTask& each : tasks) {
            if (each.facts.state != ProcessState::executing)
                continue;
            const double grown = std::min(static_cast<double>(each.growth_per_s),
                                          std::max(0.0, static_cast<double>(each.final_bytes) - each.size_bytes));
            each.size_bytes += grown;
            const double wants = each.size_bytes - each.resident_bytes;
            const double comes = std::min(wants, std::max(grown, refault_per_s));
            each.resident_bytes += comes;
            // A task that waits for its memory computes less.
            const double share = each.size_bytes > 0 ? each.resident_bytes / each.size_bytes : 1;
            each.facts.current_cpu += std::chrono::duration<double>(share);
            work_done_s += share;
            if (each.facts.current_cpu.count() - each.facts.checkpoint_cpu.count() >= checkpoint_interval_s)
                each.facts.checkpoint_cpu = each.facts.current_cpu;
            if (each.facts.current_cpu.count() >= each.cpu_needed_s) {
                end(each);
                each.is_done = true;
            }
        }
    }

    void measure() {
        for (SimulatedTask& each : tasks) {
            if (!each.facts.is_in_memory())
                continue;
            each.facts.address_bytes = each.address_bytes;
            each.smoothed_bytes =
                each.smoothed_bytes == 0 ? each.resident_bytes : (each.smoothed_bytes + each.resident_bytes) / 2;
        }
    }

    void abort_large() {
        for (SimulatedTask& each : tasks) {
            // Some versions compare the last value, others the smoothed one: here the larger counts.
            if (each.facts.state != ProcessState::executing || std::max(each.smoothed_bytes, each.resident_bytes) <= max_limit())
                continue;
            end(each);
            each.is_aborted = true;
            ++aborted;
        }
    }

    // Process gone; its work since the last checkpoint is lost.
    double end(SimulatedTask& each) {
        const double lost = each.facts.is_in_memory() ? (each.facts.current_cpu - each.facts.checkpoint_cpu).count() : 0;
        each.facts.state = ProcessState::none;
        each.facts.current_cpu = each.facts.checkpoint_cpu;
        each.resident_bytes = each.size_bytes = 0;
        return lost;
    }

    void preempt(SimulatedTask& each, bool over_limit) {
        if (over_limit ? !(version_ < suspends_in_memory) : stays_in_memory(each)) {
            each.facts.state = ProcessState::suspended;
        } else if (over_limit) {
            ended_by_limit += end(each) > much_s && limit() < own_limit() && !user_just_resumed();
        } else {
            end_stopped(each);
        }
    }

    [[nodiscard]] bool stays_in_memory(const SimulatedTask& each) const {
        return preferences_.leave_in_memory || each.facts.checkpoint_cpu.count() == 0;
    }

    void end_stopped(SimulatedTask& each) {
        // By a scheduler that prefers another task, it may end, too.
        const bool is_stopped = each.facts.suspended_by_gui || mode().current == RunMode::never;
        const double lost_s = end(each);
        (lost_s > much_s ? ended_suspended : ended_saved) += is_stopped && is_tmms(each.facts.id);
    }

    // A task that has run counts by its smoothed size, another by the largest of its kind that is in memory, else by its bound.
    [[nodiscard]] double estimate_of(const SimulatedTask& task) const {
        if (task.smoothed_bytes > 0)
            return task.smoothed_bytes;
        double largest = 0;
        for (const SimulatedTask& each : tasks) {
            if (each.facts.is_in_memory() && each.facts.app_name == task.facts.app_name)
                largest = std::max(largest, each.smoothed_bytes);
        }
        return largest > 0 ? largest : static_cast<double>(task.facts.bound_bytes);
    }

    struct Left {
        double bytes;
        double addresses;
        int cpus;
        bool tmms_return;  // one that TMM resumed has begun to run
    };

    void schedule() {
        end_above_address_limit();
        Left left{limit(), address_limit, nr_cpus, false};
        for (SimulatedTask& each : tasks)
            each.was_running = each.facts.state == ProcessState::executing;
        // Tasks that run go before others until their time slice ends, and urgent ones before all.
        for (const bool urgent : {true, false}) {
            for (const bool running : {true, false}) {
                for (SimulatedTask& each : tasks) {
                    if (each.is_urgent == urgent && each.was_running == running)
                        decide(each, left);
                }
            }
        }
    }

    void end_above_address_limit() {
        double sum = 0;
        for (const SimulatedTask& each : tasks)
            sum += each.facts.state == ProcessState::executing ? static_cast<double>(each.facts.address_bytes) : 0;
        for (std::size_t i = tasks.size(); i > 0 && sum > address_limit; --i) {
            if (tasks[i - 1].facts.state != ProcessState::executing)
                continue;
            sum -= static_cast<double>(tasks[i - 1].facts.address_bytes);
            end(tasks[i - 1]);
        }
    }

    void decide(SimulatedTask& each, Left& left) {
        const bool here = !each.is_done && !each.is_aborted && each.arrives <= elapsed_;
        const bool wanted = here && mode().current != RunMode::never && !each.facts.suspended_by_gui && left.cpus > 0;
        const auto addresses = static_cast<double>(each.facts.address_bytes);
        const bool has_addresses = addresses <= left.addresses;
        const bool fits = wanted && estimate_of(each) <= left.bytes && has_addresses;
        if (fits) {
            left.bytes -= estimate_of(each);
            left.addresses -= addresses;
            --left.cpus;
            left.tmms_return |= !each.was_running && std::exchange(each.returns, false);
        }
        if (each.was_running && wanted && !has_addresses)
            ended_by_return += end(each) > much_s && left.tmms_return;
        else if (each.was_running && !fits)
            preempt(each, wanted);
        else if (fits)
            each.facts.state = ProcessState::executing;
        else if (each.facts.state == ProcessState::suspended && mode().current != RunMode::never && !stays_in_memory(each))
            end_stopped(each);
    }

public:
    bool user_active = true;

private:
    Version version_;
    std::uint64_t memory_bytes_;
    Preferences preferences_;
    Preferences own_;
    FileMark saved_{1, {}};
    std::chrono::milliseconds saved_at_{0};
    std::chrono::milliseconds changed_at_{-save_delay};
    RunMode permanent_mode_ = RunMode::automatic;
    std::optional<RunMode> temporary_mode_;
    std::chrono::milliseconds mode_ends_{0};
    std::chrono::milliseconds elapsed_{0};
    std::chrono::milliseconds wall_{1'700'000'000'000};
};

}  // namespace tmm::boinc
