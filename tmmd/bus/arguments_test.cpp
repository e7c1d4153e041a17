// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tmm::bus {
namespace {

using ::testing::HasSubstr;
using Entries = std::vector<std::pair<std::string, CapValue>>;

Result<core::CapsChange> read_caps(const Entries& entries) {
    CapsReader reader;
    for (const auto& [key, value] : entries) {
        if (!reader.add(key, value))
            break;
    }
    return reader.change();
}

Entries all_of(const wire::Caps& caps) {
    return {{"max-bytes", caps.max_bytes},
            {"max-percent", caps.max_percent},
            {"only-when-idle", caps.only_when_idle},
            {"only-on-mains", caps.only_on_mains},
            {"quiet-hours", caps.quiet_hours}};
}

std::string message_of(const Entries& caps) {
    const auto read = read_caps(caps);
    return read ? "" : read.error().message();
}

TEST(CheckName, TakesNamesOfAllLanguages) {
    for (const char* name : {"povray", "Фолдинг", "折叠", "🧬 folding", "a"})
        EXPECT_TRUE(check_name(name)) << name;
}

TEST(CheckName, CountsCharacters) {
    std::string name;
    for (int i = 0; i < 64; ++i)
        name += "ü";
    EXPECT_TRUE(check_name(name));
    EXPECT_FALSE(check_name(name + "a"));
    EXPECT_FALSE(check_name(""));
    EXPECT_FALSE(check_name(std::string(1 << 20, 'a')));
}

TEST(CheckName, RefusesWhatIsNotShownAsItIs) {
    for (const char* name : {"two\nlines", "\x1b[2J", "tab\t", "\x7f", "\xc2\x85",
                             "\xe2\x80\xae"
                             "evil",
                             "\xef\xbb\xbf"
                             "bom",
                             "zero\xe2\x80\x8bwidth"})
        EXPECT_FALSE(check_name(name)) << name;
    EXPECT_FALSE(check_name(std::string("\0", 1)));
}

TEST(CheckName, RefusesWhatIsNoUtf8) {
    for (const char* name :
         {"\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "a\x80"})
        EXPECT_FALSE(check_name(name)) << name;
}

TEST(Caps, OnlyWhatIsNamedIsChanged) {
    const auto change = read_caps({{"max-bytes", std::uint64_t{5}}, {"only-when-idle", true}});
    ASSERT_TRUE(change);
    EXPECT_EQ(change->max_bytes, Bytes(5));
    EXPECT_EQ(change->only_when_idle, true);
    EXPECT_FALSE(change->max_percent || change->only_on_mains || change->quiet_hours);
}

TEST(Caps, WhatIsWrittenCanBeRead) {
    const wire::Caps caps{
        .max_bytes = 1, .max_percent = 2.5, .only_when_idle = true, .only_on_mains = true, .quiet_hours = "22:00-07:00"};
    const auto change = read_caps(all_of(caps));
    ASSERT_TRUE(change);
    const core::CapsChange same{.max_bytes = Bytes(1),
                                .max_percent = 2.5,
                                .only_when_idle = true,
                                .only_on_mains = true,
                                .quiet_hours = core::QuietHours{22 * 60, 7 * 60}};
    EXPECT_EQ(*change, same);
}

TEST(Caps, TheValueOfNoBoundRemovesIt) {
    const auto change = read_caps(all_of(wire::Caps()));
    ASSERT_TRUE(change);
    const core::Caps before{.max_bytes = Bytes(100),
                            .max_percent = 50,
                            .only_when_idle = true,
                            .only_on_mains = true,
                            .quiet_hours = core::QuietHours{1, 2}};
    EXPECT_EQ(core::apply(before, *change), core::Caps());
}

TEST(Caps, AWrongTypeIsNamed) {
    EXPECT_THAT(message_of({{"max-bytes", CapValue()}}), HasSubstr("'max-bytes' must be of type t"));
    EXPECT_THAT(message_of({{"only-on-mains", std::string("yes")}}), HasSubstr("'only-on-mains' must be of type b"));
    EXPECT_THAT(message_of({{"quiet-hours", true}}), HasSubstr("'quiet-hours' must be of type s"));
}

TEST(Caps, ARangeIsNamed) {
    for (const double percent : {-1.0, 100.5, std::nan(""), HUGE_VAL})
        EXPECT_THAT(message_of({{"max-percent", percent}}), HasSubstr("from 0 to 100"));
    EXPECT_THAT(message_of({{"quiet-hours", std::string(100, '2')}}), HasSubstr("like 22:00-07:00"));
    EXPECT_EQ(message_of({{"quiet-hours", std::string("25:00-26:00")}}),
              "SetCaps: 'quiet-hours': '25:00-26:00' is no part of a day; write it like 22:00-07:00");
}

TEST(Caps, AnUnknownKeyIsNamedIfItCanBe) {
    EXPECT_THAT(message_of({{"colour", true}}), HasSubstr("'colour' is unknown"));
    EXPECT_THAT(message_of({{std::string(1 << 20, 'a'), true}}), HasSubstr("a key is unknown"));
    EXPECT_THAT(message_of({{"\x1b[2J", true}}), HasSubstr("a key is unknown"));
}

TEST(Caps, NothingIsReadAfterTheFirstMistake) {
    for (const Entries& wrong : {Entries{{"colour", true}}, Entries{{"max-bytes", true}}, Entries{{"max-percent", 101.0}}}) {
        CapsReader reader;
        EXPECT_TRUE(reader.add("only-on-mains", true));
        EXPECT_FALSE(reader.add(wrong[0].first, wrong[0].second));
        EXPECT_FALSE(reader.add("only-when-idle", true));
        EXPECT_FALSE(reader.change());
    }
}

TEST(Caps, AKeyIsThereOnce) {
    const Entries all = all_of(wire::Caps());
    for (const auto& one : all) {
        Entries more = all;
        more.push_back(one);
        EXPECT_THAT(message_of(more), HasSubstr("'" + one.first + "' is there twice"));
    }
}

TEST(Resolution, ThreeWords) {
    EXPECT_EQ(*read_resolution("minutes"), Resolution::minutes);
    EXPECT_EQ(*read_resolution("hours"), Resolution::hours);
    EXPECT_EQ(*read_resolution("days"), Resolution::days);
    EXPECT_FALSE(read_resolution("weeks"));
    EXPECT_FALSE(read_resolution(""));
}

}  // namespace
}  // namespace tmm::bus
