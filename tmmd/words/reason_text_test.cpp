// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/words/reason_text.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tmm::words {
namespace {

using core::Pages;
using core::Reason;
using core::ReasonCode;

constexpr Bytes small_page{4096};
constexpr Bytes large_page{16384};

Reason measured() {
    Reason reason;
    reason.code = ReasonCode::measured;
    reason.total = Pages(1 << 20);
    reason.need = Pages(300 << 10);
    reason.opaque_limit = Pages(352 << 10);
    reason.allowed = Pages(672 << 10);
    reason.expected_misses_per_s = 0.4;
    return reason;
}

Reason with_code(ReasonCode code) {
    Reason reason;
    reason.code = code;
    return reason;
}

TEST(ReasonText, NeedLimitAndAllowedAreThreeThings) {
    EXPECT_EQ(sentence(measured(), small_page),
              "opaque programs need 1.2 GiB of 4.0 GiB, limit 1.4 GiB; contributions are allowed 2.6 GiB; expected misses 0.4/s");
}

TEST(ReasonText, APageMayHaveSixteenKilobytes) {
    EXPECT_EQ(
        sentence(measured(), large_page),
        "opaque programs need 4.7 GiB of 16.0 GiB, limit 5.5 GiB; contributions are allowed 10.5 GiB; expected misses 0.4/s");
    Reason swap = with_code(ReasonCode::compressed_swap);
    swap.swap = Pages(6'000);
    EXPECT_NE(sentence(swap, small_page).find("takes 23 MiB:"), std::string::npos);
    EXPECT_NE(sentence(swap, large_page).find("takes 94 MiB:"), std::string::npos);
}

TEST(ReasonText, TellsTheRest) {
    const auto expect = [](const Reason& reason, const std::string& words) {
        const std::string text = sentence(reason, small_page);
        EXPECT_NE(text.find(words), std::string::npos) << text;
    };
    Reason reason = measured();
    reason.cap = reason.allowed = Pages(1'000);
    expect(reason, "contributions are allowed 4 MiB by a cap");
    reason = measured();
    reason.expected_misses_per_s = 3.14;
    expect(reason, "; expected misses 3.1/s");
    reason.histogram_kept = true;
    expect(reason, "nobody used the machine, histogram kept");
    reason.code = ReasonCode::corrected;
    expect(reason, "corrected at once, since misses exceeded the goal");

    reason = with_code(ReasonCode::in_use);
    reason.idle_after = core::Seconds(300);
    expect(reason, "waits until nobody has used the machine for 5 min");
    reason = with_code(ReasonCode::quiet_hours);
    reason.quiet_hours = "22:00-07:00";
    reason.by_administrator = true;
    expect(reason, "nothing is given from 22:00-07:00 (tmmd.conf)");
    reason = with_code(ReasonCode::lack);
    reason.lack = Pages(6'000);
    expect(reason, "opaque programs lack 23 MiB that they need:");
    reason = with_code(ReasonCode::pressure);
    reason.stall = 0.2;
    expect(reason, "waited for memory in 20 % of a minute");
    reason.for_a_moment = true;
    expect(reason, "wait for memory: contributions are frozen for a moment");
}

TEST(ReasonText, WithoutSamplesNothingIsLearned) {
    const std::string text = sentence(with_code(ReasonCode::no_samples), small_page);
    EXPECT_EQ(text.find("learn"), std::string::npos) << text;
    EXPECT_NE(text.find("opaque programs keep all that they have"), std::string::npos) << text;
}

TEST(ReasonText, EachCodeHasASentenceThatATableCanHold) {
    std::set<std::string> sentences;
    for (auto code = ReasonCode::learning; code <= ReasonCode::lack; code = static_cast<ReasonCode>(static_cast<int>(code) + 1)) {
        const std::string text = sentence(with_code(code), small_page);
        EXPECT_EQ(text.find('"'), std::string::npos) << "the timeline puts it in quotation marks";
        EXPECT_NE(text, "");
        sentences.insert(text);
    }
    EXPECT_EQ(sentences.size(), static_cast<std::size_t>(ReasonCode::lack) + 1);
}

}  // namespace
}  // namespace tmm::words
