// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/lru/lru_stack.hpp"

#include <gtest/gtest.h>

#include <list>
#include <random>

namespace tmm::core {
namespace {

TEST(LruStack, CountsThePagesUsedSince) {
    LruStack stack;
    EXPECT_FALSE(stack.touch(1, 1));
    EXPECT_FALSE(stack.touch(2, 1));
    EXPECT_FALSE(stack.touch(3, 1));
    EXPECT_EQ(stack.touch(3, 1)->above, Pages(0));
    EXPECT_EQ(stack.touch(1, 1)->above, Pages(2));
    EXPECT_EQ(stack.touch(1, 1)->above, Pages(0));
    EXPECT_EQ(stack.touch(2, 1)->above, Pages(2));
    EXPECT_EQ(stack.pages(), Pages(3));
}

TEST(LruStack, AHugePageCountsAsItsPages) {
    LruStack stack;
    stack.touch(1, 1);
    stack.touch(2, 512);
    const auto place = stack.touch(1, 2);
    EXPECT_EQ(place->above, Pages(512));
    EXPECT_EQ(place->weight, 1U);
    EXPECT_EQ(stack.touch(2, 1)->above, Pages(2)) << "the latest weight of the page";
    EXPECT_EQ(stack.pages(), Pages(3));
}

TEST(LruStack, ARemovedPageIsAboveNone) {
    LruStack stack;
    stack.touch(1, 1);
    stack.touch(2, 1);
    stack.touch(3, 1);
    EXPECT_EQ(stack.remove(2)->above, Pages(1));
    EXPECT_FALSE(stack.remove(2));
    EXPECT_FALSE(stack.contains(2));
    EXPECT_EQ(stack.touch(1, 1)->above, Pages(1));
    EXPECT_FALSE(stack.touch(2, 1)) << "it comes back as a new page";
}

TEST(LruStack, TellsWhatWasUsedSinceTheMark) {
    LruStack stack;
    stack.touch(1, 1);
    stack.mark();
    EXPECT_FALSE(stack.touch(1, 1)->since_mark) << "on top, but used before the mark only";
    EXPECT_TRUE(stack.touch(1, 1)->since_mark);
    stack.mark();
    stack.touch(2, 1);
    EXPECT_FALSE(stack.touch(1, 1)->since_mark);
}

// The same stack as a list that is searched.
class SlowStack {
public:
    std::optional<LruStack::Place> touch(PageKey key, std::uint32_t weight) {
        auto place = remove(key);
        pages_.push_front({key, weight, true});
        return place;
    }
    std::optional<LruStack::Place> remove(PageKey key) {
        LruStack::Place place;
        for (auto page = pages_.begin(); page != pages_.end(); ++page) {
            if (page->key == key) {
                place.weight = page->weight;
                place.since_mark = page->since_mark;
                pages_.erase(page);
                return place;
            }
            place.above += Pages(page->weight);
        }
        return std::nullopt;
    }
    void mark() {
        for (Page& page : pages_)
            page.since_mark = false;
    }

private:
    struct Page {
        PageKey key;
        std::uint32_t weight;
        bool since_mark;
    };
    std::list<Page> pages_;
};

TEST(LruStack, AgreesWithAListOverManyRandomSteps) {
    std::mt19937_64 random(1);
    LruStack stack;
    SlowStack slow;
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    // Long enough to number the slots anew many times.
    for (int step = 0; step < 40'000; ++step) {
        const PageKey key = below(below(2) == 0 ? 10 : 300);
        const auto weight = static_cast<std::uint32_t>(1 + (below(4) == 0 ? below(512) : 0));
        if (below(500) == 0) {
            stack.mark();
            slow.mark();
        }
        const bool removes = below(20) == 0;
        const auto place = removes ? stack.remove(key) : stack.touch(key, weight);
        const auto expected = removes ? slow.remove(key) : slow.touch(key, weight);
        ASSERT_EQ(place.has_value(), expected.has_value()) << step;
        if (place) {
            ASSERT_EQ(place->above, expected->above) << step;
            ASSERT_EQ(place->weight, expected->weight) << step;
            ASSERT_EQ(place->since_mark, expected->since_mark) << step;
        }
    }
}

TEST(LruStack, GrowsWithThePages) {
    LruStack stack;
    constexpr PageKey nr_pages = 20'000;
    for (PageKey key = 0; key < nr_pages; ++key)
        ASSERT_FALSE(stack.touch(key, 1));
    for (int round = 0; round < 4; ++round)
        for (PageKey key = 0; key < nr_pages; ++key)
            ASSERT_EQ(stack.touch(key, 1)->above, Pages(nr_pages - 1))
                << "a loop uses all other pages before it returns to this one";
}

}  // namespace
}  // namespace tmm::core
