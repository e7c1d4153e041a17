// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/soft/soft_records.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "softlib/coordinate/records.hpp"

namespace tmm::soft {
namespace {

namespace wire = ::soft::coordinate;

template <typename WireRecord>
std::string text_of(const WireRecord& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

wire::report sane_report() {
    wire::report report{};
    report.header = {wire::version, static_cast<std::uint32_t>(wire::kind::report)};
    report.number = 7;
    report.budget_bytes = 100;
    report.used_bytes = 90;
    report.footprint_bytes = 300;
    report.rebuild_ns = 2'000'000;
    report.misses_per_s = 2;
    report.first_uses_per_s = 3;
    report.reuses_per_s[5] = 11;
    return report;
}

TEST(SoftRecords, AReportBecomesAHeap) {
    const auto record = parse_record(text_of(sane_report()));
    ASSERT_TRUE(record) << record.error().message();
    const auto& report = std::get<Report>(*record);
    EXPECT_EQ(report.number, 7U);
    EXPECT_EQ(report.heap.budget, Bytes(100));
    EXPECT_EQ(report.heap.used, Bytes(90));
    EXPECT_EQ(report.heap.footprint, Bytes(300));
    EXPECT_DOUBLE_EQ(report.heap.rebuild_s, 0.002);
    EXPECT_DOUBLE_EQ(report.heap.first_uses_per_s, 3);
    EXPECT_DOUBLE_EQ(report.heap.real_misses_per_s, 2);
    EXPECT_DOUBLE_EQ(report.heap.reuses_per_s[5], 11);
}

TEST(SoftRecords, AHelloHasANameThatATerminalCanShow) {
    wire::hello hello{{wire::version, static_cast<std::uint32_t>(wire::kind::hello)}, "a\x1b[2J"};
    EXPECT_EQ(std::get<Hello>(*parse_record(text_of(hello))).name, "a\\x1b[2J");
    std::memset(hello.name, 'x', sizeof hello.name);
    EXPECT_EQ(std::get<Hello>(*parse_record(text_of(hello))).name.size(), wire::name_bytes);
}

TEST(SoftRecords, RefuseWhatMakesNoSense) {
    const auto refused = [](const std::string& text) {
        const auto record = parse_record(text);
        return !record && record.error().code() == EPROTO;
    };
    EXPECT_TRUE(refused(""));
    EXPECT_TRUE(refused(text_of(sane_report()).substr(1)));
    EXPECT_TRUE(refused(text_of(sane_report()) + "x"));
    for (const float odd : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1.0F, 1e30F}) {
        wire::report report = sane_report();
        report.reuses_per_s[255] = odd;
        EXPECT_TRUE(refused(text_of(report))) << odd;
        report = sane_report();
        report.misses_per_s = odd;
        EXPECT_TRUE(refused(text_of(report))) << odd;
        report = sane_report();
        report.first_uses_per_s = odd;
        EXPECT_TRUE(refused(text_of(report))) << odd;
    }
    wire::report report = sane_report();
    report.used_bytes = UINT64_MAX;
    EXPECT_TRUE(refused(text_of(report)));
    report = sane_report();
    report.rebuild_ns = UINT64_MAX;
    EXPECT_TRUE(refused(text_of(report)));
    report = sane_report();
    report.header.version = 2;
    EXPECT_TRUE(refused(text_of(report)));
    report.header = {wire::version, static_cast<std::uint32_t>(wire::kind::grant)};
    EXPECT_TRUE(refused(text_of(report)));
}

TEST(SoftRecords, AGrantSaysHowLongItIsValid) {
    const std::string text = grant_record(7, Bytes(123), true);
    wire::grant grant{};
    ASSERT_EQ(text.size(), sizeof grant);
    std::memcpy(&grant, text.data(), sizeof grant);
    EXPECT_EQ(grant.number, 7U);
    EXPECT_EQ(grant.bytes, 123U);
    EXPECT_EQ(grant.urgent, 1U);
    EXPECT_GT(grant.valid_ms, 1000U);
}

}  // namespace
}  // namespace tmm::soft
