// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The cases of experiments/02-days in small: an exact LRU memory of 512 pages, whose limit the policy sets each second.
// Contributions take at once all that opaque memory may not have.
#include <gtest/gtest.h>

#include <functional>
#include <list>
#include <unordered_map>

#include "tmmd/core/policy/policy.hpp"

namespace tmm::core {
namespace {

constexpr std::uint64_t hour_s = 3600;

// A page stands for a MiB: a day takes no time.
class SmallMachine {
public:
    static constexpr std::uint64_t capacity = 512;
    static constexpr std::uint64_t page = 256;  // base pages

    // cgroups: each thousand pages are in one of their own.
    explicit SmallMachine(bool cgroups = false) : cgroups_(cgroups) {}

    // Uses pages first to first + size - 1 in turn, all of them in round seconds; second: of the day.
    void loop(PageKey first, std::uint64_t size, std::uint64_t round, Backing backing = Backing::anonymous) {
        const std::uint64_t from = second_ % round * size / round;
        const std::uint64_t to = (second_ % round + 1) * size / round;
        for (std::uint64_t i = from; i < to; ++i)
            touch(first + i, backing);
    }

    void run(std::uint64_t seconds, const std::function<void(std::uint64_t)>& work, bool attended = true) {
        for (std::uint64_t i = 0; i < seconds; ++i) {
            work(i);
            tick(attended);
        }
    }

    // How long an epoch is while nobody is there.
    void set_idle_epoch(std::uint64_t seconds) { idle_epoch_ = seconds; }

    // The next second finds out that the last input was so long ago.
    void leave(Seconds ago) { sample_.left = ago; }

    [[nodiscard]] std::uint64_t misses() const { return misses_; }
    [[nodiscard]] double mean_limit() const { return limits_ / static_cast<double>(second_); }
    [[nodiscard]] std::uint64_t limit() const { return limit_; }

private:
    struct Entry {
        std::list<PageKey>::iterator place;
        bool resident = false;
        std::uint64_t evicted_at = 0;
        Backing backing = Backing::anonymous;
    };

    void touch(PageKey key, Backing backing) {
        Entry& entry = pages_[key];
        if (entry.resident) {
            lru_.erase(entry.place);
        } else if (entry.evicted_at > 0) {
            ++misses_;
            const Pages distance((evictions_ - entry.evicted_at) * page);
            refaults_.push_back({distance, distance, Pages(page)});
        }
        lru_.push_front(key);
        entry = {lru_.begin(), true, entry.evicted_at, backing};
        used_[key] = backing;
        shrink();
    }

    void shrink() {
        while (lru_.size() > limit_) {
            const PageKey key = lru_.back();
            lru_.pop_back();
            pages_[key].resident = false;
            pages_[key].evicted_at = ++evictions_;
            gone_.push_back(key);
        }
    }

    void tick(bool attended) {
        ++second_;
        sample_.attended += Seconds(attended ? 1 : 0);
        const bool scan = second_ % (attended ? 10 : idle_epoch_) == 1;
        sample_.scanned = scan;
        sample_.refaults.swap(refaults_);
        sample_.evicted = Pages((evictions_ - told_) * page);
        told_ = evictions_;
        if (scan) {
            for (const auto& [key, backing] : used_) {
                if (pages_[key].resident)
                    sample_.referenced.push_back({key, page, backing, cgroups_ ? 1 + key / 1000 : unknown_cgroup});
            }
            used_.clear();
            sample_.gone.swap(gone_);
        }
        const MemoryUsage usage{.total = Pages(capacity * page), .opaque = Pages(lru_.size() * page), .transparent = Pages(0)};
        limit_ = policy_.step(sample_, usage, AwakeTime(std::chrono::seconds(second_))).opaque_limit.count() / page;
        sample_ = {};
        limits_ += static_cast<double>(limit_);
        shrink();
    }

    bool cgroups_;
    std::uint64_t idle_epoch_ = 60;
    Policy policy_{{}, Pages(capacity* page)};
    EpochSample sample_;
    std::list<PageKey> lru_;
    std::unordered_map<PageKey, Entry> pages_;
    std::unordered_map<PageKey, Backing> used_;
    std::vector<PageKey> gone_;
    std::vector<Refault> refaults_;
    std::uint64_t evictions_ = 0;
    std::uint64_t told_ = 0;
    std::uint64_t second_ = 0;
    std::uint64_t misses_ = 0;
    std::uint64_t limit_ = capacity;
    double limits_ = 0;
};

TEST(Cases, GrowthAfterABreakIsNotEvicted) {
    SmallMachine machine;
    machine.run(2 * hour_s, [&](auto) { machine.loop(0, 60, 20); });
    EXPECT_LT(machine.limit(), 100U);
    machine.run(
        hour_s, [](auto) {}, false);
    EXPECT_LT(machine.limit(), 100U);
    machine.run(600, [&](auto second) { second < 10 ? machine.loop(1000, 300, 10) : machine.loop(1000, 300, 60); });
    EXPECT_EQ(machine.misses(), 0U);
    EXPECT_GE(machine.limit(), 300U);
}

TEST(Cases, ForgottenMemoryIsGivenAfterHours) {
    SmallMachine machine;
    machine.run(60, [&](auto) { machine.loop(1000, 180, 60); });
    machine.run(4 * hour_s, [&](auto) { machine.loop(0, 180, 60); });
    EXPECT_LT(machine.limit(), 215U) << "the loop and the margin";
    EXPECT_EQ(machine.misses(), 0U);
}

TEST(Cases, ASetOfEachMorningIsKeptOnceThatIsKnown) {
    SmallMachine machine;
    const auto day = [&](auto second) {
        machine.loop(0, 120, 60);
        if (second < 600)
            machine.loop(1000, 100, 60);
    };
    machine.run(5 * hour_s, day);
    machine.run(5 * hour_s, day);
    const auto known = machine.misses();
    EXPECT_LE(known, 100U) << "once";
    machine.run(5 * hour_s, day);
    EXPECT_EQ(machine.misses(), known);
    EXPECT_LT(machine.mean_limit(), 120 + 100 + 30);
}

TEST(Cases, AScanByNightIsGivenAwayInTheMorning) {
    SmallMachine machine;
    machine.run(2 * hour_s, [&](auto) { machine.loop(0, 120, 60); });
    machine.run(
        1800, [&](auto) { machine.loop(1000, 330, 1800, Backing::file); }, false);
    machine.run(
        6 * hour_s, [](auto) {}, false);
    machine.run(60, [&](auto) { machine.loop(0, 120, 60); });
    EXPECT_EQ(machine.misses(), 0U) << "the owner's pages lie below the scan's, and were kept";
    machine.run(2 * hour_s, [&](auto) { machine.loop(0, 120, 60); });
    EXPECT_LT(machine.limit(), 160U);
}

TEST(Cases, AJobThatBeginsSoonAfterTheOwnerLeftIsGivenAwayInTheNight) {
    SmallMachine machine(true);
    machine.run(2 * hour_s, [&](auto) { machine.loop(0, 120, 60); });
    machine.run(120, [](auto) {});  // the owner has left
    machine.run(180, [&](auto) { machine.loop(1000, 330, 180, Backing::file); });
    machine.leave(Seconds(300));  // as is certain now
    EXPECT_GT(machine.limit(), 400U) << "its files are young";
    machine.run(
        6 * hour_s, [](auto) {}, false);
    EXPECT_LT(machine.limit(), 160U) << "what the owner had used, at most";
}

// A day with an import and services, and a job that reads files once in the break after it. Expects that the job's files go.
// each_hour: also used in each hour_s of the day.
void expect_a_job_goes(const std::function<void(SmallMachine&, std::uint64_t)>& each_hour) {
    SmallMachine machine(true);
    const auto services = [&](auto) { machine.loop(3000, 12, 1, Backing::file); };
    const auto work = [&](auto second) {
        services(second);
        machine.loop(0, 180, 240);
        each_hour(machine, second);
    };
    machine.run(hour_s, [&](auto second) {
        work(second);
        machine.loop(2000, 200, hour_s, Backing::file);  // the import
    });
    machine.run(4 * hour_s, work);
    EXPECT_LT(machine.limit(), 230U) << "what was imported is not used again";
    machine.run(300, services);
    machine.leave(Seconds(300));
    for (const std::uint64_t epoch : {60, 120, 300, 600}) {
        machine.set_idle_epoch(epoch);
        machine.run(epoch, services, false);
    }
    machine.run(
        10,
        [&](auto second) {
            services(second);
            machine.loop(1000, 250, 10, Backing::file);  // the job
        },
        false);
    EXPECT_GT(machine.limit(), 400U) << "its files are young";
    machine.set_idle_epoch(300);
    machine.run(330, services, false);
    EXPECT_LT(machine.limit(), 230U);
    EXPECT_GT(machine.limit(), 180U) << "the owner's pages stay";
}

// Programs that run all the time use their files in each epoch. A long epoch makes these look as
// if they were used again minutes later. That tells nothing of files that a job read once.
TEST(Cases, AJobIsGivenAwayInTheBreakThoughServicesRun) {
    expect_a_job_goes([](SmallMachine&, auto) {});
}

// Now and then a file that was used once by day is used again. By day its like are kept; a job's, which may be many, are not.
TEST(Cases, AJobIsGivenAwayInTheBreakThoughAFewFilesOfTheDayCameBack) {
    expect_a_job_goes([](SmallMachine& machine, std::uint64_t second) {
        if (second % hour_s == 0 || second % hour_s == 600)
            machine.loop(4000 + 5 * (second / hour_s), 5, 1, Backing::file);
    });
}

TEST(Cases, TwoSetsInTurnAreBothKept) {
    SmallMachine machine;
    for (int turn = 0; turn < 3; ++turn)
        machine.run(2 * hour_s, [&](auto) { machine.loop(turn % 2 == 0 ? 0 : 1000, 150, 60); });
    const auto known = machine.misses();
    EXPECT_LE(known, 150U) << "a set at most once";
    for (int turn = 3; turn < 5; ++turn)
        machine.run(2 * hour_s, [&](auto) { machine.loop(turn % 2 == 0 ? 0 : 1000, 150, 60); });
    EXPECT_EQ(machine.misses(), known);
}

TEST(Cases, ARareSetIsKept) {
    SmallMachine machine;
    for (int turn = 0; turn < 4; ++turn) {
        machine.run(60, [&](auto) { machine.loop(0, 120, 60), machine.loop(1000, 35, 20); });
        machine.run(3 * hour_s - 60, [&](auto) { machine.loop(0, 120, 60); });
    }
    EXPECT_LE(machine.misses(), 35U);
    EXPECT_LT(machine.mean_limit(), 120 + 35 + 30);
}

}  // namespace
}  // namespace tmm::core
