// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/owner/owner_settings.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/config/owner_conf.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::app {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* settings_path = "var/lib/tmm/owner.conf";

class OwnerSettingsTest : public testing::Test {
protected:
    OwnerSettingsTest() {
        tree_.dir("var/lib/tmm");
        inputs_.decision.opaque_limit = core::Pages(400);
        inputs_.decision.transparent_limit = core::Pages(600);
        inputs_.total = core::Pages(1000);
        inputs_.page_bytes = os::page_bytes();
    }

    OwnerSettings make(bool dry_run = false) { return {root_, log_, storage::AtomicFile(root_, settings_path, 65536), dry_run}; }
    core::GivingKind kind_of(OwnerSettings& settings) { return settings.decide(inputs_, now_).kind; }
    core::GivingKind kind_after_restart() {
        OwnerSettings settings = make();
        settings.restore(now_);
        return kind_of(settings);
    }
    Result<void> apply(OwnerSettings& settings, const core::OwnerCommand& command) {
        settings.apply_command(command, now_);
        return settings.save(now_);
    }
    // Writes the file so that only its owner can write to it.
    void write_settings(const std::string& text) {
        tree_.file(settings_path, text);
        std::filesystem::permissions(tree_.path() / settings_path, std::filesystem::perms(0600));
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    core::GivingInputs inputs_;
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
    settings.restore(now_);
    EXPECT_FALSE(settings.decided());
    ASSERT_TRUE(apply(settings, core::Resume{})) << "also a command that changes nothing";
    EXPECT_TRUE(settings.decided());
    OwnerSettings later = make();
    later.restore(now_);
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
    settings.restore(now_);
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
    EXPECT_EQ(kind_of(settings), core::GivingKind::off);
}

TEST_F(OwnerSettingsTest, ADryRunReadsAndSavesNothing) {
    write_settings("rubbish");
    OwnerSettings settings = make(true);
    settings.restore(now_);
    ASSERT_TRUE(apply(settings, core::Switch{false}));
    EXPECT_EQ(tree_.text(settings_path), "rubbish");
    EXPECT_FALSE(root_.exists(std::string(settings_path) + ".bad"));
}

TEST_F(OwnerSettingsTest, ConditionsAreLookedAt) {
    tree_.file("sys/class/power_supply/BAT0/type", "Battery\n").file("sys/class/power_supply/BAT0/status", "Discharging\n");
    OwnerSettings settings = make();
    core::CapsChange caps;
    caps.only_on_mains = true;
    ASSERT_TRUE(apply(settings, core::ChangeCaps{caps}));
    EXPECT_EQ(kind_of(settings), core::GivingKind::waiting);
    tree_.file("sys/class/power_supply/BAT0/status", "Charging\n");
    now_.elapsed += seconds(10);
    EXPECT_EQ(kind_of(settings), core::GivingKind::giving);

    tree_.file("proc/interrupts", "1: 5 IO-APIC 1-edge i8042\n");
    caps.only_when_idle = true;
    ASSERT_TRUE(apply(settings, core::ChangeCaps{caps}));
    now_.elapsed += minutes(5);
    EXPECT_EQ(kind_of(settings), core::GivingKind::waiting) << "the keyboard may be nobody's";
    tree_.file("proc/interrupts", "1: 6 IO-APIC 1-edge i8042\n");
    now_.elapsed += seconds(5);
    EXPECT_EQ(kind_of(settings), core::GivingKind::waiting);
    now_.elapsed += minutes(5);
    EXPECT_EQ(kind_of(settings), core::GivingKind::giving);
    tree_.file("proc/interrupts", "1: 7 IO-APIC 1-edge i8042\n");
    now_.elapsed += seconds(5);
    EXPECT_EQ(kind_of(settings), core::GivingKind::waiting);
}

TEST_F(OwnerSettingsTest, DesktopsTellOfPeople) {
    OwnerSettings settings = make();
    core::CapsChange caps;
    caps.only_when_idle = true;
    ASSERT_TRUE(apply(settings, core::ChangeCaps{caps}));
    settings.see_sessions({{"1", {.idle = true}}}, now_);
    EXPECT_EQ(kind_of(settings), core::GivingKind::waiting) << "it may be idle only just now";
    now_.elapsed += minutes(5);
    EXPECT_EQ(kind_of(settings), core::GivingKind::giving);
    settings.see_sessions({{"1", {}}}, now_);
    EXPECT_EQ(kind_of(settings), core::GivingKind::waiting);
}

TEST_F(OwnerSettingsTest, TheAdministratorsBoundsCount) {
    core::GivingParameters bounds;
    bounds.caps.max_percent = 10;
    OwnerSettings settings = make();
    settings.set_parameters(bounds);
    EXPECT_EQ(settings.decide(inputs_, now_).transparent_limit, core::Pages(100));
}

}  // namespace
}  // namespace tmm::app
