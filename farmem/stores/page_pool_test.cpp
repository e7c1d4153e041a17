// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/page_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

namespace tmm::far {
namespace {

TEST(PagePoolTest, GivesEachPageOnceAndEmptyBlocksBack) {
    PagePool pool;
    std::vector<char*> pages;
    std::set<char*> taken;
    std::mt19937 random(1);
    for (int step = 0; step < 20'000; ++step) {
        if (pages.empty() || random() % 5 != 0) {
            char* const page = pool.take();
            ASSERT_TRUE(page);
            EXPECT_TRUE(taken.insert(page).second);
            std::memset(page, step, page_bytes);
            pages.push_back(page);
        } else {
            std::swap(pages[random() % pages.size()], pages.back());
            taken.erase(pages.back());
            pool.give_back(pages.back());
            pages.pop_back();
        }
    }
    EXPECT_LE(pool.nr_blocks(), pages.size() / PagePool::block_pages + 2);
    for (char* const page : pages)
        pool.give_back(page);
    EXPECT_EQ(pool.nr_blocks(), 0U);
}

}  // namespace
}  // namespace tmm::far
