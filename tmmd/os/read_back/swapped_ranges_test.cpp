// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/swapped_ranges.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

constexpr std::uint64_t swap_page = 4096;

class SwappedRangesTest : public testing::Test {
protected:
    // Makes a pagemap of so many pages, with these swapped.
    UniqueFd pagemap(std::uint64_t pages, const std::set<std::uint64_t>& swapped) {
        std::string text;
        for (std::uint64_t i = 0; i < pages; ++i) {
            const std::uint64_t entry = swapped.contains(i) ? std::uint64_t{1} << 62 : std::uint64_t{1} << 63;
            text.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        }
        tree_.file("pagemap", text);
        return root_.open_file("pagemap", O_RDONLY).value();
    }
    static core::MappingUse mapping(std::uint64_t begin, std::uint64_t end, std::uint64_t swapped) {
        return {.begin = begin * swap_page,
                .end = end * swap_page,
                .swapped = Bytes(swapped * swap_page),
                .resident = {},
                .referenced = {}};
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
};

TEST_F(SwappedRangesTest, ShortGapsDoNotEndARange) {
    const std::vector mappings{mapping(10, 90, 4)};
    SwappedRanges ranges(pagemap(100, {5, 12, 13, 30, 48, 95}), mappings, Bytes(swap_page));
    const SwappedPages found = ranges.next(core::Pages(100));
    EXPECT_EQ(found.pages, core::Pages(4)) << "not those of other mappings";
    EXPECT_EQ(found.ranges, (std::vector<AddressRange>{{12 * swap_page, 31 * swap_page}, {48 * swap_page, 49 * swap_page}}))
        << "gaps of 16 and 17";
    EXPECT_TRUE(ranges.at_end());
}

TEST_F(SwappedRangesTest, AStepHasAtMostSoManyPages) {
    const std::vector mappings{mapping(0, 10, 10), mapping(50, 60, 10)};
    SwappedRanges ranges(pagemap(100, {0, 1, 2, 3, 4, 50, 51}), mappings, Bytes(swap_page));
    EXPECT_EQ(ranges.next(core::Pages(3)).ranges, (std::vector<AddressRange>{{0, 3 * swap_page}}));
    const SwappedPages second = ranges.next(core::Pages(3));
    EXPECT_EQ(second.ranges, (std::vector<AddressRange>{{3 * swap_page, 5 * swap_page}, {50 * swap_page, 51 * swap_page}}));
    EXPECT_FALSE(ranges.at_end());
    EXPECT_EQ(ranges.next(core::Pages(3)).ranges, (std::vector<AddressRange>{{51 * swap_page, 52 * swap_page}}));
    EXPECT_TRUE(ranges.at_end());
    EXPECT_EQ(ranges.next(core::Pages(3)).pages, core::Pages(0));
}

TEST_F(SwappedRangesTest, MappingsComeInTheirOrder) {
    const std::vector mappings{mapping(50, 60, 1), mapping(0, 10, 1)};
    SwappedRanges ranges(pagemap(100, {5, 55}), mappings, Bytes(swap_page));
    EXPECT_EQ(ranges.next(core::Pages(100)).ranges,
              (std::vector<AddressRange>{{55 * swap_page, 56 * swap_page}, {5 * swap_page, 6 * swap_page}}));
}

TEST_F(SwappedRangesTest, ARangeStaysInItsMapping) {
    const std::vector mappings{mapping(0, 10, 1), mapping(12, 20, 1)};
    SwappedRanges ranges(pagemap(100, {9, 12}), mappings, Bytes(swap_page));
    EXPECT_EQ(ranges.next(core::Pages(100)).ranges,
              (std::vector<AddressRange>{{9 * swap_page, 10 * swap_page}, {12 * swap_page, 13 * swap_page}}));
}

TEST_F(SwappedRangesTest, AProcessThatHasEndedHasNoMemory) {
    const std::vector mappings{mapping(1000, 2000, 500)};
    SwappedRanges ranges(pagemap(100, {5}), mappings, Bytes(swap_page));
    EXPECT_EQ(ranges.next(core::Pages(100)).pages, core::Pages(0));
    EXPECT_TRUE(ranges.at_end());
}

TEST_F(SwappedRangesTest, OneCallLooksAtAPartOfAHugeMapping) {
    std::string name = tree_.file("pagemap", "").path() / "pagemap";
    constexpr std::uint64_t last = (SwappedRanges::entries_per_read * SwappedRanges::reads_per_call) + 5;
    ASSERT_EQ(::truncate(name.c_str(), (last + 1) * sizeof(std::uint64_t)), 0);
    UniqueFd file(::open(name.c_str(), O_RDWR | O_CLOEXEC));
    const std::uint64_t entry = std::uint64_t{1} << 62;
    ASSERT_EQ(::pwrite(file.get(), &entry, sizeof entry, last * sizeof entry), static_cast<ssize_t>(sizeof entry));
    const std::vector mappings{mapping(0, std::uint64_t{1} << 35, 1)};
    SwappedRanges ranges(std::move(file), mappings, Bytes(swap_page));
    EXPECT_EQ(ranges.next(core::Pages(100)).pages, core::Pages(0));
    EXPECT_FALSE(ranges.at_end());
    EXPECT_EQ(ranges.next(core::Pages(100)).ranges, (std::vector<AddressRange>{{last * swap_page, (last + 1) * swap_page}}));
    EXPECT_TRUE(ranges.at_end()) << "all that is swapped was found";
}

}  // namespace
}  // namespace tmm::os
