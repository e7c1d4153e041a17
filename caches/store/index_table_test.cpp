// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/index_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>

namespace tmm::caches {
namespace {

Slot slot_of(std::uint32_t hash, std::uint64_t entry) {
    Slot slot{};
    slot.hash = hash;
    slot.entry_eighths = entry;
    return slot;
}

// `mask` leaves few different hashes, or many of them near the end of the table.
void compare_with_map(std::uint32_t from, std::uint32_t mask) {
    std::mt19937 random(1);
    IndexTable table;
    std::map<std::uint32_t, std::uint64_t> model;
    for (std::uint64_t step = 1; step < 60'000; ++step) {
        // Grows, then shrinks, and so on.
        const bool grows = step / 6000 % 2 == 0;
        const std::uint32_t hash = from + (static_cast<std::uint32_t>(random()) & mask);
        Slot* found = table.find(hash);
        const auto known = model.find(hash);
        ASSERT_EQ(found != nullptr, known != model.end());
        if (found != nullptr) {
            ASSERT_EQ(found->entry_eighths, known->second);
        }
        if (random() % 4 != 0 ? grows : !grows) {
            if (found == nullptr) {
                ASSERT_EQ(table.insert(slot_of(hash, step))->entry_eighths, step);
                model.emplace(hash, step);
            }
        } else if (found != nullptr) {
            table.erase(found);
            model.erase(known);
        }
        ASSERT_EQ(table.size(), model.size());
    }
    std::size_t seen = 0;
    table.each([&](const Slot& slot) {
        ++seen;
        ASSERT_EQ(model.at(static_cast<std::uint32_t>(slot.hash)), slot.entry_eighths);
    });
    ASSERT_EQ(seen, model.size());
}

constexpr std::uint32_t max_hash = (1U << index_hash_bits) - 1;

TEST(IndexTable, IsAMap) {
    compare_with_map(0, max_hash);
}

TEST(IndexTable, IsAMapOfFewKeys) {
    compare_with_map(0, 0xff);
}

TEST(IndexTable, IsAMapOfKeysThatAllWantItsEnd) {
    compare_with_map(max_hash - 0xfff, 0xfff);
}

TEST(IndexTable, TakesAboutTwentyBytesAnItem) {
    std::mt19937 random(1);
    IndexTable table;
    double worst = 0;
    double sum = 0;
    constexpr std::size_t items = 200'000;
    for (std::size_t i = 1; i <= items; ++i) {
        std::uint32_t hash = 0;
        do {
            hash = static_cast<std::uint32_t>(random()) & max_hash;
        } while (table.find(hash) != nullptr);
        table.insert(slot_of(hash, i));
        const double each = static_cast<double>(table.bytes()) / static_cast<double>(i);
        worst = i > items / 2 ? std::max(worst, each) : 0;
        sum += i > items / 2 ? each : 0;
    }
    EXPECT_LT(worst, 23.5);
    EXPECT_LT(sum / (items / 2), 21);
}

TEST(IndexTable, SweepsEachOnceInPiecesAndBecomesSmaller) {
    IndexTable table;
    std::mt19937 random(1);
    while (table.size() < 10'000) {
        const std::uint32_t hash = static_cast<std::uint32_t>(random()) & max_hash;
        if (table.find(hash) == nullptr) {
            table.insert(slot_of(hash, 1 + hash % 4));
        }
    }
    std::size_t odd = 0;
    table.each([&](const Slot& slot) { odd += slot.entry_eighths == 2 ? 1 : 0; });
    const std::size_t before = table.bytes();
    std::size_t seen = 0;
    std::size_t from = 0;
    do {
        from = table.sweep(
            from, 100,
            [&](const Slot& slot) {
                ++seen;
                return slot.entry_eighths != 2;
            },
            [](const Slot&) {});
    } while (from != 0);
    EXPECT_EQ(seen, 10'000U);
    EXPECT_EQ(table.size(), odd);
    EXPECT_LT(table.bytes(), before / 2);
    EXPECT_EQ(table.sweep(
                  0, SIZE_MAX / 2, [](const Slot&) { return true; }, [](const Slot&) {}),
              0U);
    EXPECT_EQ(table.bytes(), 0U);
}

}  // namespace
}  // namespace tmm::caches
