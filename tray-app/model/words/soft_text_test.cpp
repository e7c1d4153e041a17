// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft_text.hpp
#include "tray-app/model/words/soft_text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tray-app/model/words/names.hpp"

namespace tmm::tray {
namespace {

constexpr quint64 gib = 1ULL << 30;

std::string reason_of(const SoftHeap& heap, const SoftShares& shares = {}) {
    return soft_reason(heap, shares, QLocale::c()).replace(QChar(0xa0), QChar(u' ')).toStdString();
}

TEST(SoftText, SaysWhyAHeapMayHaveWhatItMayHave) {
    EXPECT_EQ(reason_of({.granted_bytes = gib, .footprint_bytes = gib}), "It may have 1.0 GiB, which is all that it could use.");
    EXPECT_EQ(reason_of({.granted_bytes = gib, .footprint_bytes = 2 * gib, .gain = 0.0004}),
              "It may have 1.0 GiB. More would save it almost nothing, so others come first.");
    const SoftHeap hungry{.granted_bytes = gib, .footprint_bytes = 2 * gib, .gain = 0.25};
    EXPECT_EQ(reason_of(hungry),
              "It may have 1.0 GiB. 100 MiB more would save 25.0 % of its work, but other programs need the memory, or gain more "
              "from it.");
    EXPECT_EQ(reason_of(hungry, {.max_bytes = 3 * gib, .weights = {}}),
              "It may have 1.0 GiB. 100 MiB more would save 25.0 % of its work, but all soft memory together may have at most "
              "3.0 GiB.");
}

TEST(SoftText, HasTheOrderOfTmmctl) {
    QList<SoftHeap> heaps{{.process = 1, .gain = 0.1}, {.process = 2, .gain = 0.2}, {.process = 3, .gain = 0.1}};
    sort_by_gain(heaps);
    EXPECT_EQ(heaps[0].process, 2U);
    EXPECT_EQ(heaps[1].process, 1U);
}

TEST(SoftText, AUserWithoutAWeightHasTheUsualOne) {
    const SoftShares shares{.weights = {{1000, 300}}};
    EXPECT_EQ(soft_weight(shares, 1000), 300U);
    EXPECT_EQ(soft_weight(shares, 1001), 100U);
}

TEST(SoftText, AProcessThatEndedHasNoName) {
    EXPECT_FALSE(process_name(static_cast<quint32>(::getpid())).isEmpty());
    EXPECT_TRUE(process_name(0).isEmpty());
}

}  // namespace
}  // namespace tmm::tray
