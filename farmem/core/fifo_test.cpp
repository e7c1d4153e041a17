// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/fifo.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

class FifoTest : public testing::Test {
protected:
    void push(PageNumber number) {
        Page& page = pages_.at(number);
        page.state = Page::State::local;
        fifo_.push(number, page);
    }
    // 0 if there is none.
    PageNumber pop() {
        const Fifo::Popped oldest = fifo_.pop(pages_);
        if (oldest.page)
            oldest.page->state = Page::State::leaving;
        return oldest.number;
    }

    PageTable pages_;
    Fifo fifo_;
};

TEST_F(FifoTest, TheOldestLeavesFirst) {
    push(1);
    push(2);
    EXPECT_EQ(pop(), 1U);
    EXPECT_EQ(pop(), 2U);
    EXPECT_EQ(pop(), 0U);
}

TEST_F(FifoTest, APageThatLeftByAnotherWayIsSkipped) {
    push(1);
    push(2);
    pages_.at(1).state = Page::State::zero;
    EXPECT_EQ(pop(), 2U);
    EXPECT_EQ(pop(), 0U);
}

TEST_F(FifoTest, APageStaysForItsExtraTurns) {
    push(1);
    push(2);
    push(3);
    pages_.at(1).extra_turns = 2;
    EXPECT_EQ(pop(), 2U);
    push(4);
    EXPECT_EQ(pop(), 3U);
    EXPECT_EQ(pop(), 4U) << "the second of them";
    push(5);
    EXPECT_EQ(pop(), 1U);
    EXPECT_EQ(pop(), 5U);
}

TEST_F(FifoTest, AloneItLeavesAllTheSame) {
    push(1);
    pages_.at(1).extra_turns = 2;
    EXPECT_EQ(pop(), 1U);
    EXPECT_EQ(pop(), 0U);
}

}  // namespace
}  // namespace tmm::far
