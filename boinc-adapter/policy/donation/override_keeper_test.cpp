// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/override_keeper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "boinc-adapter/policy/donation/fake_store.hpp"

namespace tmm::boinc {
namespace {

constexpr Preferences quarter{.busy_percent = 25, .idle_percent = 25, .leave_in_memory = true};
constexpr Preferences told{.busy_percent = 60, .idle_percent = 90, .leave_in_memory = false};
constexpr Preferences half{.busy_percent = 50, .idle_percent = 50, .leave_in_memory = true};
// As no program would write it.
const std::string by_hand =
    "\n<!-- mine --><global_preferences >\n\t<ram_max_used_busy_pct> 60 </ram_max_used_busy_pct></global_preferences>  ";

TEST(OverrideKeeper, BringsTheTextBackByteForByte) {
    for (const OverrideText& users : {OverrideText(by_hand), OverrideText(""), OverrideText()}) {
        FakeStore store(users);
        OverrideKeeper keeper(store);
        ASSERT_TRUE(keeper.recover());
        (void)keeper.take_changes();
        EXPECT_FALSE(keeper.take_changes().value());
        ASSERT_TRUE(keeper.push(quarter, told));
        EXPECT_NE(store.text, users);
        ASSERT_TRUE(keeper.push(half, told));
        EXPECT_FALSE(keeper.take_changes().value());
        ASSERT_TRUE(keeper.restore());
        EXPECT_EQ(store.text, users);
        EXPECT_FALSE(store.backup);
    }
}

TEST(OverrideKeeper, BringsItBackAfterACrashAtAnyMoment) {
    int nr_crashes = 0;
    for (int operations = 0;; ++operations) {
        FakeStore store(by_hand);
        store.operations_left = operations;
        {
            OverrideKeeper keeper(store);
            (void)keeper.recover();
            for (const Preferences& ours : {quarter, half, quarter})
                (void)keeper.push(ours, told);
            (void)keeper.restore();
        }
        const bool crashed = store.operations_left <= 0;
        store.operations_left = FakeStore::unlimited;
        OverrideKeeper next(store);
        ASSERT_TRUE(next.recover());
        ASSERT_EQ(store.text, OverrideText(by_hand)) << operations;
        ASSERT_FALSE(store.backup);
        if (!crashed)
            break;
        ++nr_crashes;
    }
    EXPECT_GT(nr_crashes, 10);
}

TEST(OverrideKeeper, BringsItBackIfTheNextCrashesToo) {
    for (int first = 0; first < 12; ++first) {
        for (int second = 0; second < 6; ++second) {
            FakeStore store(by_hand);
            for (const int operations : {first, second}) {
                store.operations_left = operations;
                OverrideKeeper keeper(store);
                if (keeper.recover() && keeper.push(quarter, told))
                    (void)keeper.push(half, told);
            }
            store.operations_left = FakeStore::unlimited;
            OverrideKeeper last(store);
            ASSERT_TRUE(last.recover());
            ASSERT_EQ(store.text, OverrideText(by_hand)) << first << " " << second;
        }
    }
}

TEST(OverrideKeeper, BringsItBackAfterATornWrite) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    const std::string first = *store.text;
    ASSERT_TRUE(keeper.push(half, told));
    const std::string last = *store.text;
    const auto backup = store.backup;
    for (const std::string& torn : {last.substr(0, last.size() / 2), by_hand.substr(0, 45) + last.substr(45),
                                    last.substr(0, 60) + by_hand.substr(60), last.substr(0, 40) + first.substr(40, 50)}) {
        store.text = torn;
        store.backup = backup;
        OverrideKeeper next(store);
        ASSERT_TRUE(next.recover()) << torn;
        EXPECT_EQ(store.text, OverrideText(by_hand)) << torn;
    }
}

TEST(OverrideKeeper, KeepsWhatTheUserChangesMeanwhile) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    store.text->insert(store.text->find("</global_preferences>"), "<max_ncpus_pct>40</max_ncpus_pct>");
    EXPECT_TRUE(keeper.take_changes().value());
    EXPECT_FALSE(keeper.has_pushed());
    const std::string users = *store.text;
    EXPECT_NE(users.find("<max_ncpus_pct>40"), std::string::npos);
    EXPECT_NE(users.find(">60<"), std::string::npos);
    ASSERT_TRUE(keeper.push(half, told));
    ASSERT_TRUE(keeper.restore());
    EXPECT_EQ(store.text, OverrideText(users));
}

TEST(OverrideKeeper, OnAFullDiskTheUsersTextComesBack) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    store.has_no_room = true;
    EXPECT_FALSE(keeper.push(half, told).has_value());
    ASSERT_TRUE(keeper.restore());
    EXPECT_EQ(store.text, OverrideText(by_hand));
    EXPECT_FALSE(store.backup);
}

TEST(OverrideKeeper, KeepsAChangeThatComesRightBeforeItsEnd) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    store.text->insert(store.text->find("</global_preferences>"), "<max_ncpus_pct>40</max_ncpus_pct>");
    ASSERT_TRUE(keeper.restore());
    EXPECT_FALSE(keeper.has_pushed());
    EXPECT_NE(store.text->find("<max_ncpus_pct>40"), std::string::npos) << *store.text;
    EXPECT_NE(store.text->find(">60<"), std::string::npos);
    EXPECT_EQ(store.text->find("leave_apps"), std::string::npos);
}

// A dialog that was opened under the first limit, and closed later: it writes all that it showed, with two digits.
TEST(OverrideKeeper, TakesOutAnOldLimitThatTheManagerWritesBack) {
    constexpr Preferences first{.busy_percent = 100.0 / 3, .idle_percent = 100.0 / 3, .leave_in_memory = true};
    const std::string manager =
        "<global_preferences>\n   <ram_max_used_busy_pct>33.330000</ram_max_used_busy_pct>\n"
        "   <ram_max_used_idle_pct>33.330000</ram_max_used_idle_pct>\n   <max_ncpus_pct>40.000000</max_ncpus_pct>\n"
        "   <leave_apps_in_memory>1</leave_apps_in_memory>\n</global_preferences>\n";
    for (const bool is_killed : {false, true}) {
        FakeStore store(by_hand);
        OverrideKeeper keeper(store);
        for (const Preferences& ours : {first, quarter, half, quarter})
            ASSERT_TRUE(keeper.push(ours, told));
        store.text = manager;
        OverrideKeeper next(store);
        if (is_killed)
            ASSERT_TRUE(next.recover());
        else
            EXPECT_TRUE(keeper.take_changes().value());
        EXPECT_EQ(store.text->find("33.33"), std::string::npos) << *store.text;
        EXPECT_NE(store.text->find(">60<"), std::string::npos) << "the user's own limit";
        EXPECT_NE(store.text->find("40.0"), std::string::npos) << "the change";
        EXPECT_EQ(store.text->find("leave_apps"), std::string::npos);
    }
}

TEST(OverrideKeeper, BoundsTheLimitsThatItRemembers) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    for (int percent = 1; percent <= 80; ++percent)
        ASSERT_TRUE(keeper.push({static_cast<double>(percent), 90, true}, told));
    ASSERT_TRUE(keeper.push(quarter, told));
    ASSERT_TRUE(keeper.push({79, 90, true}, told));
    ASSERT_EQ(store.backup->pushed.size(), OverrideBackup::max_pushed);
    EXPECT_EQ(store.backup->pushed.front().busy_percent, 18);
    EXPECT_EQ(store.backup->pushed.back().busy_percent, 79);
    EXPECT_EQ(std::count(store.backup->pushed.begin(), store.backup->pushed.end(), Preferences{79, 90, true}), 1);
}

TEST(OverrideKeeper, TellsOfAChangeWhenNothingIsPushed) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    EXPECT_FALSE(keeper.take_changes().value());
    store.text = "";
    EXPECT_EQ(keeper.take_changes().error().code(), EAGAIN);
    EXPECT_TRUE(keeper.take_changes().value());
    EXPECT_FALSE(keeper.take_changes().value());
    ASSERT_TRUE(keeper.push(quarter, told));
    EXPECT_FALSE(keeper.take_changes().value());
    ASSERT_TRUE(keeper.restore());
    EXPECT_FALSE(keeper.take_changes().value()) << "its own change";
}

TEST(OverrideKeeper, AFileThatTheUserRemovedStaysRemoved) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    store.text.reset();
    OverrideKeeper next(store);
    ASSERT_TRUE(next.recover());
    EXPECT_EQ(store.text, OverrideText());
}

TEST(OverrideKeeper, LeavesATextAloneThatIsNoXml) {
    FakeStore store("<global_preferences>");
    OverrideKeeper keeper(store);
    EXPECT_EQ(keeper.take_changes().error().code(), EAGAIN);
    EXPECT_EQ(keeper.push(quarter, told).error().code(), EAGAIN);
    EXPECT_EQ(keeper.take_changes().error().code(), EPROTO);
    EXPECT_EQ(keeper.push(quarter, told).error().code(), EPROTO);
    EXPECT_EQ(store.text, OverrideText("<global_preferences>"));
    EXPECT_FALSE(store.backup);
}

// The client empties the file and then fills it, in a moment that a turn may hit.
TEST(OverrideKeeper, WaitsForATextThatIsBeingWritten) {
    const std::string whole = "<global_preferences><max_ncpus_pct>40</max_ncpus_pct></global_preferences>";
    for (const std::string& part : {std::string(), std::string("\n"), whole.substr(0, 30)}) {
        FakeStore store(by_hand);
        OverrideKeeper keeper(store);
        ASSERT_TRUE(keeper.push(quarter, told));
        const auto backup = store.backup;
        store.text = part;
        EXPECT_EQ(keeper.push(half, told).error().code(), EAGAIN);
        EXPECT_EQ(keeper.restore().error().code(), EAGAIN);
        EXPECT_EQ(keeper.take_changes().error().code(), EAGAIN);
        EXPECT_EQ(keeper.restore().error().code(), EAGAIN) << "in the same turn";
        EXPECT_EQ(store.text, OverrideText(part));
        EXPECT_EQ(store.backup, backup);
        store.text = whole;
        EXPECT_TRUE(keeper.take_changes().value());
        EXPECT_EQ(store.text, OverrideText(whole));
    }
}

TEST(OverrideKeeper, WaitsForATextThatIsBeingWrittenBeforeTheFirstPush) {
    FakeStore store("");
    OverrideKeeper keeper(store);
    EXPECT_EQ(keeper.take_changes().error().code(), EAGAIN);
    EXPECT_EQ(keeper.push(quarter, told).error().code(), EAGAIN);
    store.text = by_hand;
    EXPECT_FALSE(keeper.take_changes().value());
    ASSERT_TRUE(keeper.push(quarter, told));
    EXPECT_EQ(store.backup->users, OverrideText(by_hand));
}

TEST(OverrideKeeper, ATextThatStaysEmptyIsTheUsers) {
    for (const bool is_killed : {false, true}) {
        FakeStore store(by_hand);
        OverrideKeeper first(store);
        ASSERT_TRUE(first.push(quarter, told));
        store.text = "";
        OverrideKeeper next(store);
        OverrideKeeper& keeper = is_killed ? next : first;
        if (is_killed) {
            EXPECT_EQ(keeper.recover().error().code(), EAGAIN) << "TMM does not empty it";
        }
        EXPECT_EQ(keeper.take_changes().error().code(), EAGAIN);
        EXPECT_TRUE(keeper.take_changes().value());
        EXPECT_EQ(store.text, OverrideText(""));
        EXPECT_FALSE(store.backup);
    }
}

TEST(OverrideKeeper, ATextThatStaysNoXmlIsLeftAlone) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    store.text = "<global_preferences><max_ncpus";
    EXPECT_EQ(keeper.take_changes().error().code(), EAGAIN);
    EXPECT_EQ(keeper.take_changes().error().code(), EPROTO);
    OverrideKeeper next(store);
    EXPECT_FALSE(next.recover().has_value()) << "no write of TMM leaves that";
    EXPECT_EQ(store.text, OverrideText("<global_preferences><max_ncpus"));
    EXPECT_EQ(store.backup->users, OverrideText(by_hand));
}

TEST(OverrideKeeper, AWriteThatFailedHalfwayIsItsOwn) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    ASSERT_TRUE(keeper.push(quarter, told));
    const std::string before = *store.text;
    store.tears_next_save = true;
    ASSERT_FALSE(keeper.push(half, told).has_value());
    ASSERT_NE(store.text, OverrideText(before));
    EXPECT_TRUE(keeper.take_changes().value());
    EXPECT_EQ(store.text, OverrideText(by_hand));
}

TEST(OverrideKeeper, WithoutABackupItWritesNothing) {
    FakeStore store(by_hand);
    OverrideKeeper keeper(store);
    store.operations_left = 1;  // reads the text; then the disk is full
    EXPECT_FALSE(keeper.push(quarter, told).has_value());
    EXPECT_EQ(store.text, OverrideText(by_hand));
}

// A new adapter may not ask for them: the client would first have to read an override without the order to keep tasks.
TEST(OverrideKeeper, KnowsTheUsersOwnAsTheClientToldThemOrTheTextHasThem) {
    FakeStore store(OverrideText("<global_preferences><ram_max_used_busy_pct>70</ram_max_used_busy_pct></global_preferences>"));
    {
        OverrideKeeper keeper(store);
        EXPECT_FALSE(keeper.users());
        ASSERT_TRUE(keeper.push(quarter, {70, 80, false}));
        EXPECT_EQ(keeper.users()->preferences, (Preferences{70, 80, false}));
        EXPECT_FALSE(keeper.users()->is_complete);
    }
    OverrideKeeper next(store);
    ASSERT_TRUE(next.recover());
    EXPECT_EQ(next.users()->preferences, (Preferences{70, 80, false}));
    store.text =
        "<global_preferences><ram_max_used_busy_pct>33</ram_max_used_busy_pct><ram_max_used_idle_pct>44</ram_max_used_idle_pct>"
        "<leave_apps_in_memory>1</leave_apps_in_memory></global_preferences>";
    ASSERT_TRUE(next.take_changes());
    EXPECT_EQ(next.users()->preferences, (Preferences{33, 44, true}));
    EXPECT_TRUE(next.users()->is_complete);
}

}  // namespace
}  // namespace tmm::boinc
