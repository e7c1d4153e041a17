// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/owner/owner_settings.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/config/owner_conf.hpp"

namespace tmm::app {
namespace {

using std::chrono::minutes;

constexpr const char* settings_path = "var/lib/tmm/owner.conf";

class OwnerSettingsTest : public testing::Test {
protected:
    OwnerSettingsTest() { tree_.dir("var/lib/tmm"); }

    OwnerSettings make(bool dry_run = false) { return {log_, storage::AtomicFile(root_, settings_path, 65536), dry_run}; }
    static core::Tick make_tick() { return {core::TickParameters(), core::Pages(1000)}; }
    // The kind of the next decision. There is no memory to give yet, which counts as giving if nothing forbids it.
    core::GivingKind kind_of(core::Tick& tick) {
        core::Reading reading;
        reading.now = now_;
        const core::GivingDecision& given = tick.step(reading).given;
        return given.reason.code == core::ReasonCode::learning ? core::GivingKind::giving : given.kind;
    }
    core::GivingKind kind_after_restart() {
        OwnerSettings settings = make();
        core::Tick tick = make_tick();
        settings.restore(tick, now_);
        return kind_of(tick);
    }
    Result<void> apply(OwnerSettings& settings, const core::OwnerCommand& command) {
        tick_.apply(command, now_);
        return settings.save(tick_, now_);
    }
    // Writes the file so that only its owner can write to it.
    void write_settings(const std::string& text) {
        tree_.file(settings_path, text);
        std::filesystem::permissions(tree_.path() / settings_path, std::filesystem::perms(0600));
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    core::Tick tick_ = make_tick();
    core::Moment now_{.awake = core::AwakeTime(minutes(10)),
                      .elapsed = core::ElapsedTime(minutes(10)),
                      .wall = core::WallTime(minutes(1'000'000)),
                      .local_minute = 0};
};

TEST_F(OwnerSettingsTest, WithoutAFileItGives) {
    EXPECT_EQ(kind_after_restart(), core::GivingKind::giving);
    EXPECT_FALSE(root_.exists(settings_path)) << "no command came yet";
}

TEST_F(OwnerSettingsTest, WhatWasSaidOutlivesARestart) {
    OwnerSettings settings = make();
    ASSERT_TRUE(apply(settings, core::Pause{}));
    EXPECT_EQ(kind_after_restart(), core::GivingKind::paused);
    ASSERT_TRUE(apply(settings, core::Resume{}));
    EXPECT_EQ(kind_after_restart(), core::GivingKind::giving);
    ASSERT_TRUE(apply(settings, core::Switch{false}));
    EXPECT_EQ(kind_after_restart(), core::GivingKind::off);
    ASSERT_TRUE(apply(settings, core::Switch{true}));
    core::CapsChange caps;
    caps.quiet_hours = core::QuietHours{23 * 60, 60};
    ASSERT_TRUE(apply(settings, core::ChangeCaps{caps}));
    EXPECT_EQ(kind_after_restart(), core::GivingKind::waiting);
}

TEST_F(OwnerSettingsTest, KnowsWhetherTheOwnerEverDecided) {
    OwnerSettings settings = make();
    settings.restore(tick_, now_);
    EXPECT_FALSE(settings.decided());
    ASSERT_TRUE(apply(settings, core::Resume{})) << "also a command that changes nothing";
    EXPECT_TRUE(settings.decided());
    OwnerSettings later = make();
    later.restore(tick_, now_);
    EXPECT_TRUE(later.decided());
}

TEST_F(OwnerSettingsTest, AFileThatCannotBeBelievedPausesUntilTheOwnerSpeaks) {
    for (const std::string& text : {std::string("rubbish"), std::string("[Settings]\nOn=perhaps\n"), std::string(70000, '#')}) {
        write_settings(text);
        EXPECT_EQ(kind_after_restart(), core::GivingKind::paused);
        EXPECT_EQ(tree_.text(std::string(settings_path) + ".bad"), text);
        EXPECT_EQ(kind_after_restart(), core::GivingKind::paused) << "the next start keeps the pause";
    }
    OwnerSettings settings = make();
    settings.restore(tick_, now_);
    ASSERT_TRUE(apply(settings, core::Resume{}));
    EXPECT_EQ(kind_after_restart(), core::GivingKind::giving);
}

TEST_F(OwnerSettingsTest, AFileThatOthersCanWriteIsNotBelieved) {
    write_settings(config::format_settings({}));
    std::filesystem::permissions(tree_.path() / settings_path, std::filesystem::perms(0666));
    EXPECT_EQ(kind_after_restart(), core::GivingKind::paused);
}

TEST_F(OwnerSettingsTest, WhatCannotBeSavedCountsAllTheSame) {
    std::filesystem::remove_all(tree_.path() / "var");
    OwnerSettings settings = make();
    EXPECT_FALSE(apply(settings, core::Switch{false}));
    EXPECT_EQ(kind_of(tick_), core::GivingKind::off);
}

TEST_F(OwnerSettingsTest, ADryRunReadsAndSavesNothing) {
    write_settings("rubbish");
    OwnerSettings settings = make(true);
    settings.restore(tick_, now_);
    ASSERT_TRUE(apply(settings, core::Switch{false}));
    EXPECT_EQ(tree_.text(settings_path), "rubbish");
    EXPECT_FALSE(root_.exists(std::string(settings_path) + ".bad"));
}

}  // namespace
}  // namespace tmm::app
