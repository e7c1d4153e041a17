// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Segments that are used again: objects beside those of a pool that has gone, counts of dropped objects, and tags that begin
// anew.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "softlib/pool.hpp"
#include "src/segments/segment_space.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

class ReuseTest : public SoftTest {};

template <class T>
std::size_t nr_there(const std::vector<unique_ptr<T>>& objects) {
    std::size_t there = 0;
    for (const auto& one : objects) {
        there += one.is_there() ? 1 : 0;
    }
    return there;
}

TEST_F(ReuseTest, APoolThatGoesCostsOthersNoObject) {
    constexpr std::size_t objects = 50'000;
    using Small = std::array<std::uint64_t, 3>;
    pool<Small> smalls(heap, "smalls", [] { return Small{}; });
    pool<std::string> strings(heap, "strings", [] { return std::string(); });
    std::vector<unique_ptr<Small>> kept;
    std::vector<unique_ptr<std::string>> kept_strings;
    {
        pool<std::uint64_t> fixed(heap, "fixed", [] { return std::uint64_t{0}; });
        pool<std::string> sized(heap, "sized", [] { return std::string(); });
        std::vector<unique_ptr<std::uint64_t>> numbers;
        std::vector<unique_ptr<std::string>> others;
        for (std::size_t i = 0; i < objects; ++i) {
            numbers.push_back(fixed.make(i));
            kept.push_back(smalls.make(Small{i}));
            others.push_back(sized.make(std::string(i % 300, 'o')));
            kept_strings.push_back(strings.make(std::string(i % 100, 's')));
        }
    }
    // Takes the place of the pools that have gone, with objects of another size.
    pool<std::array<char, 100>> next(heap, "next", [] { return std::array<char, 100>{}; });
    const auto another = next.make(std::array<char, 100>{});
    pool<std::string> next_sized(heap, "next sized", [] { return std::string(); });
    const auto one_more = next_sized.make("one more");
    heap.seal();
    EXPECT_GT(heap.evacuate(), 0U);
    EXPECT_EQ(nr_there(kept), objects);
    EXPECT_EQ(nr_there(kept_strings), objects);
    EXPECT_EQ(heap.statistics().evicted_objects, 0U);
    for (std::size_t i = 0; i < objects; ++i) {
        ASSERT_EQ(kept[i].try_get(), Small{i});
        ASSERT_EQ(kept_strings[i].try_get(), std::string(i % 100, 's'));
    }
}

// A program may make and destroy a pool of the same type again and again.
TEST_F(ReuseTest, PoolsThatComeAndGoTakeNoMoreMemory) {
    std::size_t metadata = 0;
    for (int round = 0; round < 100; ++round) {
        pool<int> numbers(heap, "numbers", [] { return 1; });
        pool<std::string> strings(heap, "strings", [] { return std::string(); });
        const auto number = numbers.make(round);
        const auto string = strings.make("one");
        ASSERT_EQ(number.try_get(), round);
        if (round == 0) {
            metadata = heap.statistics().metadata_bytes;
        }
    }
    EXPECT_EQ(heap.statistics().metadata_bytes, metadata - 2 * detail::Chunk::words_bytes);
}

TEST_F(ReuseTest, ObjectsThatTheKernelTookDoNotCountOnceTheyHaveGone) {
    pool<std::string> strings(heap, "strings", [] { return std::string(); });
    std::vector<unique_ptr<std::string>> kept;
    for (std::size_t i = 0; i < 20'000; ++i) {
        kept.push_back(strings.make(std::string(i % 2000, 'x')));
    }
    heap.seal();
    const std::size_t before = heap.statistics().live_bytes;
    EXPECT_GT(before, 19 * mebibyte);
    heap.lose_pages(0.5, 1);
    kept.resize(kept.size() / 2);
    EXPECT_NEAR(static_cast<double>(heap.statistics().live_bytes), static_cast<double>(before) / 2,
                static_cast<double>(before) / 10);
    kept.clear();
    // Drops that the thread has not yet subtracted are allowed for.
    EXPECT_LE(heap.statistics().live_bytes, mebibyte);
    EXPECT_GE(heap.evacuate(), 18 * mebibyte);
    EXPECT_LE(heap.statistics().segment_bytes, 2 * mebibyte);
}

TEST_F(ReuseTest, ObjectsOverSeveralSegmentsThatTheKernelTookDoNotCountEither) {
    pool<std::string> strings(heap, "strings", [] { return std::string(); });
    std::vector<unique_ptr<std::string>> kept;
    for (std::size_t i = 0; i < 5; ++i) {
        kept.push_back(strings.make(std::string(5 * mebibyte, 'x')));
    }
    lose_all();
    kept.clear();
    EXPECT_LE(heap.statistics().live_bytes, 2 * 64 * 1024U);
    heap.evacuate();
    EXPECT_EQ(heap.statistics().segment_bytes, 0U);
}

// A small heap, so that the same segment is used again each time.
class TagTest : public testing::Test {
protected:
    static constexpr std::uint32_t nr_uses = 1U << detail::tag_bits;

    TagTest() { os.small_pages = true; }
    detail::FakeOs os;
};

// The object's place gets the same tag again while a reader asks where to put its copy.
TEST_F(TagTest, AReadDuringWhichTagsBeginAnewFindsNoOtherObject) {
    soft::heap heap({.limit_bytes = 2 * mebibyte, .reserve_bytes = 2 * mebibyte, .background = false, .os = &os});
    detail::TypedPool<std::string> strings(heap, "strings", [] { return std::string(); });
    const auto victim = strings.new_entry("victim", 6);
    std::string read;
    detail::InOnePiece into([&](std::size_t bytes) {
        for (std::uint32_t use = 0; use < nr_uses; ++use) {
            heap.seal();
            heap.release(100 * mebibyte);
            const char other[] = "others";
            strings.free_entry(strings.new_entry(other, 6));
        }
        read.resize(bytes);
        return read.data();
    });
    EXPECT_FALSE(detail::PoolBase::read_sized(victim, into)) << read;
    strings.free_entry(victim);
}

/// Two segments in a row, both free, with these tags.
TEST_F(TagTest, AnObjectOverSegmentsTakesNoneOfThemBack) {
    struct Tags {
        std::uint16_t first;
        std::uint16_t second;
        std::uint16_t both;
        bool sweeps;
    };
    constexpr std::uint16_t half = nr_uses / 2;
    for (const Tags tags :
         {Tags{5, 5, 5, false}, Tags{5, 9, 9, false}, Tags{9, 5, 9, false}, Tags{nr_uses - 1, 2, 2, true},
          Tags{2, nr_uses - 1, 2, true}, Tags{0, nr_uses - 1, 0, true}, Tags{half - 1, half + 1, half + 1, true}}) {
        detail::SegmentSpace space(os, 4);
        for (int i = 0; i < 2; ++i) {
            ASSERT_NE(space.take_run(detail::Stream::fresh, detail::pages_per_segment, 4).segment, nullptr);
        }
        for (std::uint32_t i = 0; i < 2; ++i) {
            space.finish(space.segment_at(i));
        }
        space.close_open();
        while (detail::Segment* segment = space.claim_oldest()) {
            space.retire(*segment);
        }
        space.swept();
        const auto set = [&](std::uint32_t segment, std::uint16_t tag) {
            detail::tag_at(space.segment_at(segment).base) = static_cast<std::uint16_t>(tag | detail::tag_flags);
        };
        set(0, tags.first);
        set(1, tags.second);
        const detail::Segment* head = space.take_span(2, 4);
        ASSERT_EQ(head, &space.segment_at(0));
        EXPECT_EQ(detail::current_tag(space.segment_at(0).base), tags.both);
        EXPECT_EQ(detail::current_tag(space.segment_at(1).base), tags.both);
        EXPECT_EQ(space.wants_sweep(), tags.sweeps) << tags.first << ' ' << tags.second;
    }
}

}  // namespace
}  // namespace soft
