// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/record.hpp"

#include <gtest/gtest.h>

namespace tmm::trace {
namespace {

std::string problem_of(std::string_view line) {
    const auto record = parse_record(line);
    return record ? "none" : record.error().message();
}

TEST(Record, EveryFieldIsRead) {
    const auto record = parse_record("1500000,t,f,fedcba9876543210,512");
    ASSERT_TRUE(record) << record.error().message();
    EXPECT_EQ(record->t_us, 1500000U);
    EXPECT_EQ(record->page_class, PageClass::transparent);
    EXPECT_EQ(record->kind, RecordKind::freed);
    EXPECT_EQ(record->page, 0xfedcba9876543210U);
    EXPECT_EQ(record->weight, 512U);
    EXPECT_EQ(parse_record("0,o,r,0,1")->kind, RecordKind::referenced);
    EXPECT_EQ(parse_record("0,o,e,A,1\r")->page, 10U) << "a line of a DOS file";
}

TEST(Record, WhatIsWrittenIsReadAgain) {
    for (const Record& record :
         {Record{}, Record{.t_us = max_t_us, .page = ~0ULL, .weight = max_weight, .kind = RecordKind::evicted},
          Record{.t_us = 7, .page = 0xab, .page_class = PageClass::transparent, .kind = RecordKind::freed}}) {
        std::string line = format_record(record);
        ASSERT_EQ(line.back(), '\n');
        line.pop_back();
        const auto again = parse_record(line);
        ASSERT_TRUE(again) << line;
        EXPECT_EQ(*again, record) << line;
    }
    EXPECT_EQ(format_record({.t_us = 12, .page = 0xbeef, .weight = 2}), "12,o,r,beef,2\n");
}

TEST(Record, TheNumberOfFieldsIsChecked) {
    for (const char* line : {"", "\r", "1", "1,o", "1,o,r", "1,o,r,a"})
        EXPECT_EQ(problem_of(line), "fewer than the five fields t_us,class,kind,page,weight") << line;
    EXPECT_EQ(problem_of("1,o,r,a,1,"), "more than the five fields t_us,class,kind,page,weight");
}

TEST(Record, EveryFieldIsChecked) {
    for (const char* t_us : {"", "x", "-1", "1.5", " 1", "1 ", "+1", "99999999999999999999999", "315360000000001"})
        EXPECT_NE(problem_of(std::string(t_us) + ",o,r,a,1").find("is not a time in microseconds"), std::string::npos) << t_us;
    for (const char* page_class : {"", "x", "oo", "O"})
        EXPECT_NE(problem_of("1," + std::string(page_class) + ",r,a,1").find("is not a class"), std::string::npos) << page_class;
    for (const char* kind : {"", "x", "rr", "R"})
        EXPECT_NE(problem_of("1,o," + std::string(kind) + ",a,1").find("is not a kind"), std::string::npos) << kind;
    for (const char* page : {"", "g", "0x1", "-1", "11111111111111111"})
        EXPECT_NE(problem_of("1,o,r," + std::string(page) + ",1").find("is not a page key"), std::string::npos) << page;
    for (const char* weight : {"", "0", "262145", "-1", "1x", "4294967297"})
        EXPECT_NE(problem_of("1,o,r,a," + std::string(weight)).find("is not a weight"), std::string::npos) << weight;
}

TEST(Record, MessagesHoldNoJunk) {
    EXPECT_EQ(in_quotes("a\x1b[2J\xff"), "'a?[2J?'");
    EXPECT_EQ(in_quotes(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace tmm::trace
