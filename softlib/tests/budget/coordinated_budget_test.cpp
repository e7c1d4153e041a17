// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/coordinated_budget.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include "coordinate/records.hpp"
#include "softlib/cache.hpp"
#include "softlib/key_watch.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

using namespace std::chrono_literals;

class CoordinatedBudgetTest : public SoftTest {
protected:
    CoordinatedBudgetTest() {
        heap.set_limit(default_limit);
        std::filesystem::create_directories(root_ / "proc");
        machine_has(8192);
        listen();
    }
    ~CoordinatedBudgetTest() override {
        hang_up();
        ::close(listener_);
        std::filesystem::remove_all(root_);
    }

    // Of 10 GiB.
    void machine_has(std::size_t free_mib) const {
        std::ofstream(root_ / "proc/meminfo") << "MemTotal: 10485760 kB\nMemFree: " << free_mib * 1024 << " kB\n";
    }
    void listen() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, path().c_str());
        ::unlink(path().c_str());
        listener_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        ASSERT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ASSERT_EQ(::listen(listener_, 4), 0);
    }
    [[nodiscard]] std::string path() const { return root_ / "soft"; }
    // Returns whether somebody has connected.
    bool accept() {
        hang_up();
        peer_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        return peer_ >= 0;
    }
    void hang_up() {
        if (peer_ >= 0) {
            ::close(peer_);
        }
        peer_ = -1;
    }
    template <class Record>
    std::optional<Record> received() const {
        Record record{};
        return ::recv(peer_, &record, sizeof record, MSG_TRUNC) == static_cast<ssize_t>(sizeof record) ? std::optional(record)
                                                                                                       : std::nullopt;
    }
    // Answers the latest report.
    void grant(std::size_t mib, std::uint32_t valid_ms = 10'000, bool is_urgent = false) const {
        const coordinate::grant record{{coordinate::version, static_cast<std::uint32_t>(coordinate::kind::grant)},
                                       UINT64_MAX,
                                       mib * mebibyte,
                                       valid_ms,
                                       is_urgent ? 1U : 0U};
        ASSERT_EQ(::send(peer_, &record, sizeof record, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof record));
    }
    // In MiB, a second later.
    std::size_t next(coordinated_budget& budget, std::size_t held_mib) {
        now_ += 1s;
        return budget.budget_bytes(held_mib * mebibyte) / mebibyte;
    }
    [[nodiscard]] std::size_t own(std::size_t held_mib) const {
        return machine_budget({}, root_.string()).budget_bytes(held_mib * mebibyte) / mebibyte;
    }

    std::filesystem::path root_ = testing::TempDir() + "softlib-coordinated-" + std::to_string(::getpid());
    int listener_ = -1;
    int peer_ = -1;
    std::chrono::steady_clock::time_point now_{100s};
    coordinated_budget budget_{heap, path(), root_.string(), [this] { return now_; }};
};

TEST_F(CoordinatedBudgetTest, WithoutTmmdItFollowsTheMachine) {
    for (const std::string& none : {std::string(), root_.string() + "/none", std::string(300, 'x')}) {
        coordinated_budget budget(heap, none, root_.string(), [this] { return now_; });
        machine_budget machine({}, root_.string());
        for (const std::size_t free_mib : {std::size_t{8192}, std::size_t{100}, std::size_t{600}, std::size_t{5000}}) {
            machine_has(free_mib);
            EXPECT_EQ(next(budget, 1000), machine.budget_bytes(1000 * mebibyte) / mebibyte) << none << ' ' << free_mib;
            EXPECT_EQ(budget.interval(), machine.interval());
        }
    }
}

TEST(CoordinatedBudgetPathTest, TheEnvironmentNamesIt) {
    ::unsetenv("SOFTLIB_COORDINATOR");
    EXPECT_EQ(coordinated_budget::path_of_environment(), "/run/tmm/soft");
    ::setenv("SOFTLIB_COORDINATOR", "/elsewhere", 1);
    EXPECT_EQ(coordinated_budget::path_of_environment(), "/elsewhere");
    ::setenv("SOFTLIB_COORDINATOR", "", 1);
    EXPECT_EQ(coordinated_budget::path_of_environment(), "");
}

TEST_F(CoordinatedBudgetTest, SaysHelloAndReportsEachSecond) {
    EXPECT_EQ(next(budget_, 1000), own(1000));
    ASSERT_TRUE(accept());
    const auto hello = received<coordinate::hello>();
    ASSERT_TRUE(hello);
    EXPECT_STREQ(hello->name, program_invocation_short_name);
    EXPECT_FALSE(received<coordinate::report>());
    const std::size_t given = next(budget_, 1000);
    now_ += 500ms;
    budget_.budget_bytes(2000 * mebibyte);
    const auto report = received<coordinate::report>();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->header.version, coordinate::version);
    EXPECT_EQ(report->header.kind, static_cast<std::uint32_t>(coordinate::kind::report));
    EXPECT_EQ(report->number, 1U);
    EXPECT_EQ(report->used_bytes, 1000 * mebibyte);
    EXPECT_EQ(report->budget_bytes / mebibyte, given);
    EXPECT_FALSE(received<coordinate::report>()) << "it is half a second";
    next(budget_, 1000);
    EXPECT_EQ(received<coordinate::report>().value().number, 2U);
}

TEST_F(CoordinatedBudgetTest, FollowsGrantsUntilTheyExpire) {
    next(budget_, 1000);
    ASSERT_TRUE(accept());
    grant(5000);
    grant(3000);
    EXPECT_EQ(next(budget_, 1000), 3000U) << "the latest";
    grant(900, 3500);
    EXPECT_EQ(next(budget_, 1000), 900U);
    EXPECT_EQ(next(budget_, 900), 900U);
    EXPECT_EQ(next(budget_, 900), 900U);
    EXPECT_EQ(next(budget_, 900), own(900)) << "the machine has room";
}

// As after SIGSTOP: tmmd has given the memory to others since.
TEST_F(CoordinatedBudgetTest, AGrantThatWaitedIsOld) {
    next(budget_, 1000);
    ASSERT_TRUE(accept());
    next(budget_, 1000);
    grant(3000);
    now_ += 1h;
    EXPECT_EQ(next(budget_, 1000), own(1000));
    grant(3000);
    EXPECT_EQ(next(budget_, 1000), 3000U);
}

// tmmd sees the end of a program that starts another in its place.
TEST_F(CoordinatedBudgetTest, TheConnectionEndsWithExec) {
    const pid_t child = ::fork();
    if (child == 0) {
        coordinated_budget budget(heap, path(), root_.string());
        budget.budget_bytes(0);
        ::execlp("sleep", "sleep", "60", nullptr);
        ::_exit(1);
    }
    while (!accept()) {
        ::usleep(1000);
    }
    char record[sizeof(coordinate::report)];
    ssize_t got = -1;
    while (got != 0) {
        got = ::recv(peer_, record, sizeof record, 0);
        ::usleep(1000);
    }
    EXPECT_EQ(::kill(child, 0), 0) << "it is the other program's process";
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST_F(CoordinatedBudgetTest, TheEndOfAGrantIsNoJump) {
    machine_has(100);
    next(budget_, 0);
    machine_has(520);  // hardly more than the reserve: the machine lets no heap grow
    ASSERT_TRUE(accept());
    grant(3000);
    EXPECT_EQ(next(budget_, 10), 3000U);
    EXPECT_EQ(next(budget_, 2990), 3000U);
    hang_up();
    EXPECT_EQ(next(budget_, 2990), 2998U) << "what it holds, and what is free";
}

TEST_F(CoordinatedBudgetTest, TheMachinesRetreatBoundsAGrant) {
    next(budget_, 1000);
    ASSERT_TRUE(accept());
    grant(3000);
    EXPECT_EQ(next(budget_, 1000), 3000U);
    machine_has(112);  // of 512 in reserve
    EXPECT_EQ(next(budget_, 3000), 2600U);
    machine_has(520);
    EXPECT_EQ(next(budget_, 2600), 3000U);
}

TEST_F(CoordinatedBudgetTest, ConnectsAgainAfterAHangUp) {
    next(budget_, 1000);
    ASSERT_TRUE(accept());
    grant(3000);
    EXPECT_EQ(next(budget_, 1000), 3000U);
    hang_up();
    EXPECT_EQ(next(budget_, 1000), 3000U) << "no jump: the machine has room";
    machine_has(100);
    EXPECT_EQ(next(budget_, 1000), 588U) << "by itself, at once";
    EXPECT_FALSE(accept()) << "it has tried 2 s ago";
    now_ += coordinated_budget::retry_after;
    next(budget_, 1000);
    ASSERT_TRUE(accept());
    EXPECT_TRUE(received<coordinate::hello>());
    machine_has(8192);
    grant(2000);
    EXPECT_EQ(next(budget_, 1000), 2000U);
}

TEST_F(CoordinatedBudgetTest, AFullOrStrangeServerHoldsNothingUp) {
    next(budget_, 1000);
    ASSERT_TRUE(accept());
    for (int i = 0; i < 10'000; ++i) {
        next(budget_, 1000);
    }
    grant(3000);
    EXPECT_EQ(next(budget_, 1000), 3000U);
    machine_has(500);
    ASSERT_EQ(::send(peer_, "nonsense", 8, MSG_NOSIGNAL), 8);
    EXPECT_EQ(next(budget_, 1000), 988U) << "by itself";
    ssize_t got = 1;
    for (char byte = 0; got > 0;) {
        got = ::recv(peer_, &byte, 1, 0);
    }
    EXPECT_EQ(got, 0) << "it has closed the connection";
}

TEST_F(CoordinatedBudgetTest, AChildHasItsOwnConnection) {
    auto owned = std::make_unique<coordinated_budget>(heap, path(), root_.string(), [this] { return now_; });
    coordinated_budget& budget = *owned;
    heap.follow(std::move(owned));
    ASSERT_TRUE(accept());
    ASSERT_TRUE(received<coordinate::hello>());
    grant(3000);
    const pid_t child = ::fork();
    if (child == 0) {
        // It would take the parent's grant.
        const bool follows = next(budget, 1000) == 3000;
        next(budget, 1000);
        ::_exit(follows ? 1 : 0);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(received<coordinate::report>()) << "of the child";
    EXPECT_EQ(next(budget, 1000), 3000U);
    EXPECT_TRUE(received<coordinate::report>());
    ASSERT_TRUE(accept());
    EXPECT_TRUE(received<coordinate::hello>());
    EXPECT_TRUE(received<coordinate::report>());
    heap.follow(nullptr);
}

TEST_F(CoordinatedBudgetTest, ANewTmmdLearnsWhatTheFormerKnew) {
    using Value = std::array<char, 60'000>;
    constexpr double footprint = 100 * sizeof(Value);
    cache<int, Value> values(heap, "values", {});
    const auto first_report = [&] {
        std::optional<coordinate::report> report;
        if (accept() && received<coordinate::hello>()) {
            report = received<coordinate::report>();
        }
        return report;
    };
    next(budget_, 10);
    for (int key = 0; key < 100; ++key) {
        values.get_or(key, [] { return Value{}; });
    }
    next(budget_, 10);
    ASSERT_TRUE(first_report());

    for (int second = 0; second < 30; ++second) {
        hang_up();
        next(budget_, 10);
    }
    auto report = first_report();
    ASSERT_TRUE(report);
    EXPECT_NEAR(static_cast<double>(report->footprint_bytes), footprint, 0.01 * footprint);

    hang_up();
    ::close(listener_);
    for (int second = 0; second < 70; ++second) {
        next(budget_, 10);
    }
    listen();
    for (int second = 0; second < 12; ++second) {
        next(budget_, 10);
    }
    report = first_report();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->footprint_bytes, 0U) << "it was forgotten";
}

TEST_F(CoordinatedBudgetTest, ReportsWhatCachesGain) {
    using Value = std::array<char, 60'000>;
    cache<int, Value> values(heap, "values", {});
    const auto read_all = [&values] {
        for (int key = 0; key < 100; ++key) {
            values.get_or(key, [] { return Value{}; });
        }
    };
    read_all();
    next(budget_, 10);
    ASSERT_TRUE(accept());
    ASSERT_TRUE(received<coordinate::hello>());
    lose_all();
    read_all();
    read_all();
    next(budget_, 10);
    const auto report = received<coordinate::report>();
    ASSERT_TRUE(report);
    EXPECT_NEAR(static_cast<double>(report->footprint_bytes), 100 * sizeof(Value), 0.01 * 100 * sizeof(Value));
    EXPECT_GT(report->rebuild_ns, 0U);
    // 6 MB, and a fifth more: from 2^(20 + 44/16) to 2^(20 + 45/16) bytes.
    EXPECT_GE(report->reuses_per_s[45], 100.0F) << "per second of other work";
    EXPECT_LT(report->reuses_per_s[45], 800.1F);
    EXPECT_NEAR(report->first_uses_per_s, report->reuses_per_s[45], 0.01);
}

TEST_F(CoordinatedBudgetTest, AHeapWithALimitGainsNothingBeyondIt) {
    using Value = std::array<char, 60'000>;
    cache<int, Value> values(heap, "values", {});
    next(budget_, 10);
    ASSERT_TRUE(accept());
    ASSERT_TRUE(received<coordinate::hello>());
    grant(3000);
    const auto report_with = [&](std::size_t limit) {
        heap.set_limit(limit);
        // Each is used again after 100 others, which have 6 MB.
        for (int key = 0; key < 300; ++key) {
            values.get_or(key % 100, [] { return Value{}; });
        }
        next(budget_, 10);
        return received<coordinate::report>().value();
    };
    EXPECT_EQ(report_with(16 * mebibyte).budget_bytes, 16 * mebibyte);
    EXPECT_GT(report_with(16 * mebibyte).reuses_per_s[45], 0.0F);
    const coordinate::report bounded = report_with(4 * mebibyte);
    EXPECT_EQ(bounded.reuses_per_s[45], 0.0F);
    EXPECT_GT(bounded.first_uses_per_s, 0.0F);
}

TEST_F(CoordinatedBudgetTest, ReportsWhatAnIndexOfTheProgramGains) {
    using Value = std::array<char, 60'000>;
    pool<Value> values(heap, "values", [] { return Value{}; });
    key_watch watch(values);
    const auto use_all = [&watch] {
        for (std::uint64_t key = 0; key < 100; ++key) {
            if (watch.watches(key)) {
                watch.found(key, sizeof(Value));
            }
        }
    };
    use_all();
    next(budget_, 10);
    ASSERT_TRUE(accept());
    ASSERT_TRUE(received<coordinate::hello>());
    use_all();
    use_all();
    ASSERT_TRUE(watch.watches(7));
    watch.missed(7);
    watch.put(7, sizeof(Value));
    next(budget_, 10);
    const auto report = received<coordinate::report>();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->footprint_bytes, 100 * sizeof(Value));
    EXPECT_GT(report->rebuild_ns, 0U) << "from the miss to the put";
    EXPECT_GT(std::accumulate(std::begin(report->reuses_per_s), std::end(report->reuses_per_s), 0.0F), 0.0F);
}

}  // namespace
}  // namespace soft
