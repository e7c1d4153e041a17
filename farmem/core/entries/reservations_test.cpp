// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/entries/reservations.hpp"

#include <gtest/gtest.h>

namespace tmm::far {

namespace {

TEST(Reservations, APageKeepsItsEntry) {
    Reservations reservations(10);
    const EntryId entry = reservations.evict(1, no_entry)->entry;
    EXPECT_EQ(reservations.came_back(entry), entry);
    EXPECT_EQ(reservations.nr_reserved(), 1U);
    EXPECT_EQ(reservations.evict(1, entry)->entry, entry);
    EXPECT_EQ(reservations.counts().evictions, 2U);
    EXPECT_EQ(reservations.counts().allocations, 1U);
    EXPECT_EQ(reservations.nr_reserved(), 0U);
}

TEST(Reservations, AFullPartitionCancelsTheLatestHotReservation) {
    Reservations reservations(4);
    for (PageNumber page = 0; page < 4; ++page)
        reservations.evict(page, no_entry);
    for (EntryId entry = 0; entry < 3; ++entry)
        EXPECT_EQ(reservations.came_back(entry), entry);
    reservations.is_hot(0);
    reservations.is_hot(1);
    reservations.is_hot(no_entry);
    const auto evicted = reservations.evict(7, no_entry);
    EXPECT_EQ(evicted->entry, 1U);
    EXPECT_EQ(evicted->has_lost, 1U);
    EXPECT_EQ(reservations.evict(8, no_entry)->has_lost, 0U);
    EXPECT_EQ(reservations.evict(9, no_entry)->has_lost, 2U);
    EXPECT_FALSE(reservations.evict(10, no_entry));
    EXPECT_EQ(reservations.counts().cancellations, 3U);
}

TEST(Reservations, APageThatLeavesIsNoLongerHot) {
    Reservations reservations(2);
    reservations.evict(0, no_entry);
    reservations.evict(1, no_entry);
    reservations.came_back(0);
    reservations.is_hot(0);
    reservations.evict(0, 0);
    reservations.came_back(0);
    reservations.came_back(1);
    EXPECT_EQ(reservations.evict(2, no_entry)->has_lost, 1U);
}

TEST(Reservations, AFreedEntryIsUsedAgain) {
    Reservations reservations(1);
    reservations.evict(0, no_entry);
    reservations.free(0);
    EXPECT_EQ(reservations.evict(1, no_entry)->entry, 0U);
    reservations.came_back(0);
    reservations.free(0);
    EXPECT_EQ(reservations.nr_reserved(), 0U);
    EXPECT_FALSE(reservations.evict(2, no_entry)->has_lost);
}

TEST(Reservations, CanBeSwitchedOff) {
    Reservations forgetful(4, {.keep = false});
    EXPECT_EQ(forgetful.came_back(forgetful.evict(0, no_entry)->entry), no_entry);
    EXPECT_EQ(forgetful.nr_used(), 0U);
    Reservations plain(2, {.hot = false});
    for (PageNumber page = 0; page < 2; ++page)
        plain.came_back(plain.evict(page, no_entry)->entry);
    plain.is_hot(0);
    EXPECT_EQ(plain.evict(2, no_entry)->has_lost, 1U);
}

}  // namespace

}  // namespace tmm::far
