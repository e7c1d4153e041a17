// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Objects of bare pools that are shared instead of copied.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "softlib/pool.hpp"
#include "softlib/testing.hpp"
#include "tests/forks.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

class PinsTest : public SoftTest {
protected:
    using Texts = pool<std::string, int>;
    using Text = unique_ptr<std::string, int>;
    static constexpr std::size_t text_bytes = 1000;

    int rebuilds = 0;
    Texts texts{heap, "texts", [this](int n) {
                    ++rebuilds;
                    return text(n);
                }};

    static std::string text(int n) { return std::string(text_bytes, static_cast<char>('a' + n % 26)); }
    std::vector<Text> made(int number) {
        std::vector<Text> all;
        for (int n = 0; n < number; ++n) {
            all.push_back(texts.make(text(n)));
        }
        return all;
    }
    std::size_t pinned_bytes() const { return texts.statistics().pinned_bytes; }
};

TEST_F(PinsTest, AllWhoPinAnObjectShareIt) {
    const Text one = texts.make(text(1));
    const auto first = one.pin(1);
    EXPECT_EQ(*first, text(1));
    EXPECT_EQ(one.pin(1), first);
    EXPECT_EQ(one.try_pin(), first);
    EXPECT_EQ(rebuilds, 0);
    EXPECT_EQ(pinned_bytes(), text_bytes);
}

TEST_F(PinsTest, PinRebuildsWhatIsGoneAndTryPinDoesNot) {
    const Text one = texts.make();
    EXPECT_EQ(one.try_pin(), nullptr);
    EXPECT_EQ(*one.pin(1), text(1));
    EXPECT_EQ(one.pin(1), one.try_pin());
    EXPECT_EQ(rebuilds, 1);
    heap.set_limit(0);
    EXPECT_EQ(*one.pin(1), text(1));
}

TEST_F(PinsTest, APinnedObjectStaysWhateverBecomesOfIt) {
    std::shared_ptr<const std::string> held;
    {
        Texts others(heap, "others", text);
        Text one = others.make(text(1));
        held = one.try_pin();
        lose_all();
        EXPECT_EQ(one.pin(1), held);
        one.write(text(2));
        EXPECT_EQ(*one.try_pin(), text(2));
        one.clear();
        EXPECT_EQ(one.try_pin(), nullptr);
        EXPECT_EQ(others.statistics().pinned_bytes, 0U);
        one.reset();
    }
    EXPECT_EQ(*held, text(1));
}

TEST_F(PinsTest, AnotherObjectInTheSameEntryIsAnotherOne) {
    Text one = texts.make(text(1));
    const auto held = one.try_pin();
    one = texts.make();
    EXPECT_EQ(one.try_pin(), nullptr);
    one.write(text(2));
    EXPECT_EQ(*one.try_pin(), text(2));
    EXPECT_EQ(*held, text(1));
}

TEST_F(PinsTest, PinnedObjectsKeepToTheirLimitAndHeldOnesStay) {
    constexpr int limit = 40;
    texts.set_pinned_limit(limit * text_bytes);
    const std::vector<Text> all = made(1000);
    const auto held = all[7].try_pin();
    for (int n = 0; n < 1000; ++n) {
        ASSERT_EQ(*all[n].try_pin(), text(n));
        ASSERT_LE(pinned_bytes(), limit * text_bytes);
    }
    EXPECT_EQ(all[7].try_pin(), held);

    // Beyond the limit each one has its own.
    std::vector<std::shared_ptr<const std::string>> more;
    for (int n = 0; n < 1000; ++n) {
        more.push_back(all[n].try_pin());
    }
    EXPECT_EQ(pinned_bytes(), limit * text_bytes);
    EXPECT_NE(all[999].try_pin(), more[999]);
    texts.set_pinned_limit(0);
    EXPECT_EQ(pinned_bytes(), limit * text_bytes);
    more.clear();
    texts.set_pinned_limit(0);
    EXPECT_EQ(pinned_bytes(), text_bytes);
}

TEST_F(PinsTest, ThoseThatNobodyHoldsAreSoftAgain) {
    const std::vector<Text> all = made(4);
    const auto held = all[0].try_pin();
    // Pinned twice, so the heap leaves it once.
    EXPECT_EQ(all[1].try_pin(), all[1].try_pin());
    all[2].try_pin();
    EXPECT_EQ(pinned_bytes(), 3 * text_bytes);
    heap.shrink(0);
    EXPECT_EQ(pinned_bytes(), 2 * text_bytes);
    heap.set_limit(32 * mebibyte);
    EXPECT_EQ(pinned_bytes(), text_bytes);
    heap.release(0);
    EXPECT_EQ(pinned_bytes(), text_bytes);
    EXPECT_EQ(all[0].try_pin(), held);
    EXPECT_EQ(*all[1].try_pin(), text(1));
    EXPECT_EQ(rebuilds, 0);
}

TEST_F(PinsTest, AHeapThatGrowsLeavesThem) {
    const std::vector<Text> all = made(1);
    all[0].try_pin();
    heap.set_limit(64 * mebibyte);
    heap.set_limit(96 * mebibyte);
    EXPECT_EQ(pinned_bytes(), text_bytes);
}

TEST_F(PinsTest, TestsLoseAndValidateThemToo) {
    const Text one = texts.make(text(1));
    const auto held = one.try_pin();
    lose_reads(1);
    EXPECT_EQ(one.try_pin(), nullptr);
    lose_reads(0);
    EXPECT_EQ(*one.pin(1), text(1));
    EXPECT_EQ(rebuilds, 1);
    EXPECT_EQ(*held, text(1));

    validate_reads(1);
    EXPECT_EQ(*one.pin(1), text(1));
    EXPECT_EQ(*one.pin(2), text(1));
    validate_reads(0);
    EXPECT_EQ(texts.statistics().validated, 2U);
    EXPECT_EQ(texts.statistics().mismatches, 1U);
}

// Its destructor needs the pool that pins it.
struct Holder {
    std::shared_ptr<void> held;
};

}  // namespace

template <>
struct serializer<Holder> {
    static inline std::shared_ptr<void> next;
    static std::size_t size(const Holder& /*holder*/) { return 1; }
    static void save(const Holder& /*holder*/, std::span<std::byte> to) { to[0] = std::byte{1}; }
    static Holder load(std::span<const std::byte> /*from*/) { return {std::move(next)}; }
};

namespace {

TEST_F(PinsTest, AValueMayUseThePoolWhenItIsDestroyed) {
    pool<Holder> holders(heap, "holders", [] { return Holder{}; });
    holders.set_pinned_limit(1);
    const auto first = holders.make(Holder{});
    const auto second = holders.make(Holder{});
    const auto dropped = [&] {
        auto object = std::make_shared<unique_ptr<Holder>>(holders.make(Holder{}));
        serializer<Holder>::next = object;
    };
    dropped();
    first.try_pin();
    dropped();
    // Displaces the first one.
    second.try_pin();
    dropped();
    second.write(Holder{});
    second.try_pin();
    dropped();
    heap.release(0);
    heap.release(0);
    serializer<Holder>::next.reset();
    EXPECT_EQ(holders.statistics().objects, 2U);
    EXPECT_EQ(holders.statistics().pinned_bytes, 0U);
}

// Small objects of a fixed size are written another way.
template <class Number>
void pin_and_read_while_others_write(heap& heap) {
    pool<Number> numbers(heap, "numbers", [] { return Number{}; });
    const auto number = numbers.make(Number{});
    std::atomic<bool> ends{false};
    std::thread writer([&] {
        Number next{};
        for (int n = 1; n < 3000; ++n) {
            next.fill(n);
            number.write(next);
            if (n % 100 == 0) {
                heap.shrink(2 * mebibyte);
            }
        }
        ends = true;
    });
    int newest = 0;
    while (!ends) {
        const auto pinned = number.try_pin();
        const int first = pinned ? pinned->front() : newest;
        EXPECT_TRUE(!pinned || pinned->back() == first);
        EXPECT_GE(first, newest);
        newest = first;
        if (const auto read = number.try_get()) {
            EXPECT_GE(read->front(), newest);
            newest = read->front();
        }
    }
    writer.join();
}

TEST_F(PinsTest, NobodyPinsAnOlderSmallValueThanWasRead) {
    pin_and_read_while_others_write<std::array<int, 8>>(heap);
}

TEST_F(PinsTest, NobodyPinsAnOlderLargeValueThanWasRead) {
    pin_and_read_while_others_write<std::array<int, 3000>>(heap);
}

TEST_F(PinsTest, AChildMayPinWhileThreadsOfItsParentDid) {
    if (!forks_beside_threads_work()) {
        GTEST_SKIP() << "children that were forked beside threads do not work here (QEMU's user mode)";
    }
    pool<std::string> pool(heap, "forked", [] { return text(1); });
    const auto one = pool.make(text(1));
    std::atomic<bool> ends{false};
    std::latch begun{1};
    std::thread other([&] {
        begun.count_down();
        while (!ends) {
            one.try_pin();
        }
    });
    begun.wait();
    for (int i = 0; i < 50; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            _exit(*one.pin() == text(1) ? 0 : 1);
        }
        int status = 1;
        EXPECT_TRUE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    ends = true;
    other.join();
    EXPECT_EQ(*one.pin(), text(1));
}

}  // namespace
}  // namespace soft
