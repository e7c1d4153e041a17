// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Thousands of squeezes against a simulated client, while users, kills and clocks interfere. A baseline that pushes the donation
// at once runs in the same simulation: it aborts tasks, so the simulation can tell.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "boinc-adapter/policy/donation/fake_store.hpp"
#include "boinc-adapter/policy/donation/override_keeper.hpp"
#include "boinc-adapter/policy/donation/pace.hpp"
#include "boinc-adapter/policy/policy.hpp"
#include "boinc-adapter/policy/simulated_client.hpp"
#include "boinc-adapter/policy/tasks/test_sizes.hpp"
#include "boinc-adapter/rpc/replies.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t memory_bytes = 8ULL << 30;
const std::string users_text =
    "<!-- mine --><global_preferences>\n <ram_max_used_busy_pct>60</ram_max_used_busy_pct>\n"
    "<ram_max_used_idle_pct>90</ram_max_used_idle_pct>\n<leave_apps_in_memory>0</leave_apps_in_memory></global_preferences>  ";

constexpr Preferences own{.busy_percent = 60, .idle_percent = 90, .leave_in_memory = false};

struct Scene {
    Version version;
    unsigned seed = 0;
    int squeezes = 0;
    bool naive = false;
    std::optional<std::uint64_t> address_limit = std::nullopt;
};

class Simulation {
public:
    explicit Simulation(const Scene& scene)
        : scene_(scene), random_(scene.seed), store_(users_text), client(scene.version, memory_bytes, own) {
        client.is_tmms = [this](const TaskId& id) {
            return !users_suspended_.contains(id) && client.now().wall >= users_pause_ends_;
        };
        client.address_limit = static_cast<double>(scene_.address_limit.value_or(std::uint64_t(1) << 60));
        for (int i = 0; i < 8; ++i)
            add_task();
    }

    void run() {
        start_adapter();
        for (int squeeze = 0; squeeze < scene_.squeezes; ++squeeze) {
            donate();
            const int length = 5 + below(90);
            for (int second = 0; second < length; ++second) {
                if (below(40) == 0)
                    interfere();
                advance();
            }
        }
        // TMM ends.
        donation_ = {Donation::State::absent, 0, false};
        client.kernel_allows = 1e18;
        for (int second = 0; second < 60; ++second)
            advance();
    }

    void check_end() {
        EXPECT_EQ(store_.text, OverrideText(users_text));
        EXPECT_FALSE(store_.backup);
        EXPECT_EQ(disk_, SavedState());
        if (client.now().wall >= users_pause_ends_) {
            EXPECT_EQ(client.mode().current, RunMode::automatic);
        }
        for (const SimulatedTask& task : client.tasks) {
            if (!task.is_done && !task.is_aborted) {
                EXPECT_EQ(task.facts.suspended_by_gui, users_suspended_.contains(task.facts.id)) << task.facts.id.name;
            }
        }
    }

    int users_wishes_broken = 0;
    int ticks = 0;
    int turns = 0;

private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    void add_task() {
        SimulatedTask task;
        task.facts.id = {"http://p/", "task" + std::to_string(client.tasks.size())};
        // Four applications, whose tasks are more or less alike.
        const int app = below(4);
        task.facts.app_name = "app" + std::to_string(app);
        task.final_bytes = static_cast<std::uint64_t>(100 + 500 * app) * static_cast<std::uint64_t>(70 + below(60)) / 100 * mib;
        task.facts.bound_bytes = task.final_bytes * static_cast<std::uint64_t>(100 + below(100)) / 100;
        task.growth_per_s = static_cast<std::uint64_t>(20 + below(400)) * mib;
        // Some grow beyond their bound, slowly.
        if (below(10) == 0) {
            task.facts.bound_bytes /= 2;
            task.growth_per_s = 3 * mib;
        }
        if (scene_.address_limit) {
            task.address_bytes = task.final_bytes * static_cast<std::uint64_t>(100 + below(100)) / 100;
            task.is_urgent = below(6) == 0;
        }
        task.cpu_needed_s = 300 + below(3000);
        task.arrives = client.now().elapsed;
        client.tasks.push_back(task);
    }

    void donate() {
        donation_ = {Donation::State::giving, static_cast<std::uint64_t>(below(5000)) * mib, false};
        if (const int choice = below(20); choice == 0)
            donation_ = {Donation::State::paused, 0, false};
        else if (choice == 1)
            donation_ = {Donation::State::off, 0, false};
        else if (choice == 2)
            donation_ = {Donation::State::absent, 0, false};
        constexpr std::array<std::optional<std::uint64_t>, 3> swaps{std::nullopt, 0, 8ULL << 30};
        swap_free_bytes_ = swaps.at(static_cast<std::size_t>(below(3)));
        client.kernel_allows =
            donation_.state == Donation::State::absent ? 1e18 : std::max(50.0 * mib, static_cast<double>(donation_.bytes));
    }

    void interfere() {
        switch (below(8)) {
            case 0: {  // the user suspends a task
                SimulatedTask& task = any_task();
                // Nobody can tell it from TMM's suspension that the user ended a moment ago, or that a client forgot which has
                // just begun.
                if (client.now().elapsed - client_started_at_ < SimulatedClient::save_delay)
                    break;
                if (!task.facts.suspended_by_gui && !task.is_done && !task.is_aborted && !disk_.held.contains(task.facts.id)) {
                    task.facts.suspended_by_gui = true;
                    users_suspended_.insert(task.facts.id);
                    // One that the client forgets is no wish that TMM could break.
                    client.save();
                }
                break;
            }
            case 1:
            case 2: {  // the user resumes one, whoever suspended it
                SimulatedTask& task = any_task();
                task.facts.suspended_by_gui = false;
                users_suspended_.erase(task.facts.id);
                client.users_resume = client.now().elapsed;
                client.save();
                break;
            }
            case 3:  // the user's own modes
                if (below(4) == 0) {
                    client.set_mode(RunMode::never, minutes_(5));
                    users_pause_ends_ = client.now().wall + minutes_(5);
                }
                break;
            case 4:
                // A client that is killed with its adapter forgets what nobody knows.
                if (client.now().elapsed - started_at_ < SimulatedClient::save_delay)
                    break;
                adapter_->policy.client_restarted(client.saved());
                client.restart();
                client_started_at_ = client.now().elapsed;
                users_pause_ends_ = milliseconds(0);
                break;
            case 5:  // killed in the middle of its next turn
                adapter_->orders_left = below(4);
                store_.operations_left = below(6);
                break;
            case 6:
                client.move_clock(seconds(below(4) == 0 ? 3600 : 1) * (below(3) == 0 ? -1 : 1));
                break;
            default:
                client.user_active = !client.user_active;
        }
    }
    SimulatedTask& any_task() { return client.tasks[client.tasks.size() - 1 - static_cast<std::size_t>(below(8))]; }
    static milliseconds minutes_(int count) { return std::chrono::minutes(count); }

    struct Adapter {
        explicit Adapter(OverrideStore& store) : keeper(store) {}
        Policy policy;
        OverrideKeeper keeper;
        Pace pace;
        bool was_quiet = false;
        std::optional<Preferences> ours;
        Donation donation;
        int orders_left = -1;  // then it is killed; -1: not at all
    };

    void start_adapter() {
        adapter_ = std::make_unique<Adapter>(store_);
        started_at_ = client.now().elapsed;
        next_tick_ = started_at_ + settle_time;
        has_begun_ = false;
    }

    // The client needs a moment for the orders of a killed adapter. As ClientPreferences does, the next one lets it keep the
    // tasks that are held.
    void begin_work() {
        store_.operations_left = FakeStore::unlimited;
        ASSERT_TRUE(adapter_->keeper.recover());
        if (!disk_.held.empty() && adapter_->keeper.users()) {
            adapter_->ours = {60, 90, true};
            ASSERT_TRUE(adapter_->keeper.push(*adapter_->ours, own));
        }
        read_preferences();
        adapter_->policy.restore(disk_, client.now());
    }

    void read_preferences() {
        client.set_preferences(
            parse_preferences("<boinc_gui_rpc_reply>" + store_.text.value_or("<global_preferences/>") + "</boinc_gui_rpc_reply>")
                .value());
        if (below(2) == 0)
            client.poll();
    }

    void advance() {
        client.advance();
        check_users_wishes();
        int active = 0;
        for (const SimulatedTask& task : client.tasks)
            active += !task.is_done && !task.is_aborted;
        for (; active < 8; ++active)
            add_task();
        if (client.now().elapsed < next_tick_)
            return;
        if (scene_.naive) {
            naive_turn();
            next_tick_ += Pace::turn_interval;
            return;
        }
        if (!std::exchange(has_begun_, true))
            begin_work();
        ++ticks;
        Adapter& adapter = *adapter_;
        if (donation_.state != adapter_->donation.state)
            adapter.pace.hurry();  // the bus tells it at once
        const bool wants_turn = adapter.pace.wants_turn(adapter.was_quiet, sight(), client.now().elapsed);
        next_tick_ += adapter.pace.interval();
        turns += wants_turn ? 1 : 0;
        // systemd starts a killed adapter again.
        if (wants_turn && !turn())
            start_adapter();
    }

    Sight sight() {
        Sight sight{1, false, {}, {}};
        for (const SimulatedTask& task : client.tasks) {
            if (!task.facts.is_in_memory())
                continue;
            sight.children += task.facts.id.name + " ";
            const auto resident = static_cast<std::uint64_t>(task.resident_bytes);
            sight.sizes.emplace_back(Sight::Size{resident, static_cast<std::uint64_t>(task.size_bytes) - resident});
        }
        return sight;
    }

    void naive_turn() {
        const double percent = std::max(1.0, static_cast<double>(donation_.bytes) / static_cast<double>(memory_bytes) * 100);
        client.set_preferences(donation_.state == Donation::State::absent ? own : Preferences{percent, percent, true});
    }

    void check_users_wishes() {
        for (const TaskId& id : users_suspended_) {
            const SimulatedTask& task = client.task(id);
            users_wishes_broken += !task.is_done && !task.is_aborted && !task.facts.suspended_by_gui;
        }
        users_wishes_broken += client.mode().permanent != RunMode::automatic;
        if (client.now().wall < users_pause_ends_)
            users_wishes_broken += client.mode().current != RunMode::never;
        else
            users_pause_ends_ = milliseconds(0);  // it has ended, though the clock may be set back
    }

    // Returns false if the adapter is killed in this turn.
    bool turn() {
        Adapter& adapter = *adapter_;
        Facts facts;
        facts.memory_bytes = memory_bytes;
        facts.swap_free_bytes = swap_free_bytes_;
        facts.address_limit = scene_.address_limit;
        facts.tasks = client.facts();
        facts.mode = client.mode();
        facts.users = own;
        facts.ours = adapter.ours;
        facts.saved = client.saved();
        adapter.donation = donation_;
        const Orders orders = adapter.policy.step(facts, donation_, client.now());
        adapter.was_quiet = orders.empty();
        const auto killed = [&] { return adapter.orders_left == 0 || adapter.orders_left-- == 0; };
        disk_ = adapter.policy.saved_state();
        if (orders.preferences) {
            if (!adapter.keeper.push(*orders.preferences, own) || killed())
                return false;
            read_preferences();
            adapter.ours = orders.preferences;
        }
        if (orders.restore_preferences) {
            if (!adapter.keeper.restore() || killed())
                return false;
            read_preferences();
            adapter.ours.reset();
        }
        for (const TaskId& id : orders.suspend) {
            if (killed())
                return false;
            client.suspend(id);
            adapter.policy.carried_out(id, true);
        }
        for (const TaskId& id : orders.resume) {
            if (killed())
                return false;
            client.resume(id);
            // All of them go on at once when TMM ends: the client chooses.
            if (donation_.state == Donation::State::absent)
                client.task(id).returns = false;
            adapter.policy.carried_out(id, false);
        }
        if (orders.stop_for)
            client.set_mode(RunMode::never, *orders.stop_for);
        if (orders.restore_mode)
            client.restore_mode();
        return true;
    }

    Scene scene_;
    std::mt19937 random_;
    FakeStore store_;
    SavedState disk_;
    std::unique_ptr<Adapter> adapter_;
    Donation donation_;
    std::optional<std::uint64_t> swap_free_bytes_;
    std::set<TaskId> users_suspended_;
    milliseconds users_pause_ends_{0};
    static constexpr seconds settle_time{2};
    milliseconds started_at_{0};  // the adapter
    milliseconds client_started_at_{0};
    milliseconds next_tick_{0};
    bool has_begun_ = false;

public:
    SimulatedClient client;
};

class Squeezes : public testing::TestWithParam<Scene> {};
class SqueezesAtOnce : public testing::TestWithParam<Scene> {};

TEST_P(Squeezes, AbortNothingAndKeepTheUsersWishes) {
    Simulation simulation(GetParam());
    simulation.run();
    EXPECT_EQ(simulation.client.aborted, 0);
    EXPECT_EQ(simulation.client.ended_by_limit, 0);
    EXPECT_EQ(simulation.client.ended_suspended, 0);
    EXPECT_EQ(simulation.client.ended_by_return, 0);
    EXPECT_GT(simulation.client.ended_saved, 100) << "tasks with a recent checkpoint end";
    EXPECT_EQ(simulation.users_wishes_broken, 0);
    EXPECT_GT(simulation.client.work_done_s, 1000);
    simulation.check_end();
    EXPECT_LT(simulation.turns, simulation.ticks * 9 / 10) << "it rests now and then";
    RecordProperty("ticks", simulation.ticks);
    RecordProperty("ended_saved", simulation.client.ended_saved);
    RecordProperty("turns", simulation.turns);
    RecordProperty("work_done_s", static_cast<int>(simulation.client.work_done_s));
}

TEST_P(SqueezesAtOnce, AbortTasks) {
    Scene scene = GetParam();
    scene.naive = true;
    Simulation simulation(scene);
    simulation.run();
    EXPECT_GT(simulation.client.aborted, 50);
}

std::vector<Scene> scenes(std::uint64_t seeds) {
    std::vector<Scene> all;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        all.push_back({{7, 20, 5}, seed, 5000, false});
        all.push_back({{8, 2, 15}, seed, 5000, false});
        all.push_back({{8, 2, 15}, seed, 5000, false, std::uint64_t(3) << 30});
    }
    return all;
}

// TMM_SIMULATION_SEEDS: how many chances each client gets.
std::uint64_t seeds() {
    constexpr std::uint64_t usual = 4;
    const char* asked = std::getenv("TMM_SIMULATION_SEEDS");  // NOLINT(concurrency-mt-unsafe): before main
    return asked != nullptr ? parse_uint(asked).value() : usual;
}

std::string name_of(const testing::TestParamInfo<Scene>& info) {
    return std::string(info.param.version < Version{8, 2, 15} ? "Before" : "Since") + "8_2_15" +
           (info.param.address_limit ? "WithSwap" : "") + "Seed" + std::to_string(info.param.seed);
}

INSTANTIATE_TEST_SUITE_P(Clients, Squeezes, testing::ValuesIn(scenes(seeds())), name_of);
INSTANTIATE_TEST_SUITE_P(Clients, SqueezesAtOnce, testing::ValuesIn(scenes(1)), name_of);

}  // namespace
}  // namespace tmm::boinc
