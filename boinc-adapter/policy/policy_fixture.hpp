// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PolicyTest: the policy beside a client that does at once what it is told, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "boinc-adapter/policy/policy.hpp"
#include "boinc-adapter/policy/tasks/test_sizes.hpp"

namespace tmm::boinc {

using Cpu = std::chrono::duration<double>;

constexpr Preferences users{.busy_percent = 50, .idle_percent = 90, .leave_in_memory = false};

inline TaskFacts task(const std::string& name, std::uint64_t bytes, ProcessState state = ProcessState::executing) {
    TaskFacts facts;
    facts.id = {"http://p/", name};
    facts.state = state;
    facts.true_bytes = facts.client_bytes = bytes;
    facts.current_cpu = Cpu(1000);
    facts.checkpoint_cpu = Cpu(990);
    facts.processor = Cpu(1000);  // all of it by one process
    return facts;
}

inline Donation giving(std::uint64_t bytes) {
    return {Donation::State::giving, bytes, false};
}
constexpr Donation paused{Donation::State::paused, 0, false};
constexpr Donation off{Donation::State::off, 0, false};
constexpr Donation absent{Donation::State::absent, 0, false};

// A client that does at once what it is told, and its turns every two seconds.
class PolicyTest : public testing::Test {
protected:
    using seconds = std::chrono::seconds;

    PolicyTest() {
        facts.memory_bytes = 16 * gib;
        facts.users = users;
        client_saves();
    }

    void client_saves() { ++facts.saved.inode; }

    Orders turn(const Donation& donation, seconds passes = seconds(2)) {
        if (std::exchange(is_new, false) && donation.state == Donation::State::giving) {
            turn(donation);
            pass(Policy::watch_length);
        }
        pass(passes);
        Orders orders = policy.step(facts, donation, now_);
        apply(orders);
        return orders;
    }
    void pass(seconds passes) {
        now_.elapsed += passes;
        now_.wall += passes;
    }
    Orders turns(const Donation& donation, int count) {
        Orders last;
        for (int i = 0; i < count; ++i)
            last = turn(donation);
        return last;
    }

    void apply(const Orders& orders) {
        if (orders.preferences)
            facts.ours = orders.preferences;
        if (orders.restore_preferences)
            facts.ours.reset();
        for (const TaskId& id : orders.suspend)
            find(id.name).suspended_by_gui = true;
        for (const TaskId& id : orders.resume)
            find(id.name).suspended_by_gui = false;
        if (orders.stop_for)
            facts.mode = {RunMode::never, RunMode::automatic, *orders.stop_for};
        if (orders.restore_mode)
            facts.mode = {};
        if (!obeys)
            return;
        for (TaskFacts& each : facts.tasks) {
            const Preferences& in_force = facts.ours ? *facts.ours : facts.users;
            const bool stays = !each.uses_gpu && (in_force.leave_in_memory || each.checkpoint_cpu.count() == 0);
            // It also ends those that stand still, as soon as it reads that none is to stay.
            if (each.suspended_by_gui && (each.state == ProcessState::executing || each.state == ProcessState::suspended))
                each.state = stays ? ProcessState::suspended : ProcessState::none;
            else if (!each.suspended_by_gui && each.state == ProcessState::suspended)
                each.state = ProcessState::executing;
        }
    }

    TaskFacts& find(const std::string& name) {
        return *std::find_if(facts.tasks.begin(), facts.tasks.end(), [&](const TaskFacts& each) { return each.id.name == name; });
    }
    [[nodiscard]] std::uint64_t limit() const {
        return static_cast<std::uint64_t>(static_cast<double>(facts.memory_bytes) * facts.ours->idle_percent / 100);
    }

    Policy policy;
    Facts facts;
    bool obeys = true;
    bool is_new = true;  // the adapter watches first

private:
    Now now_{seconds(1000), seconds(1'700'000'000)};
};

using Ids = std::vector<TaskId>;
inline Ids ids(std::initializer_list<const char*> names) {
    Ids all;
    for (const char* name : names)
        all.push_back({"http://p/", name});
    return all;
}

}  // namespace tmm::boinc
