// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/file_space.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace tmm::far {
namespace {

constexpr std::uint64_t quota = 64 * FileSpace::segment_records;

bool append(FileSpace& space, EntryId entry) {
    const auto places = space.reserve(1);
    if (places)
        space.commit(entry, places->first);
    return places.has_value();
}

TEST(FileSpaceTest, RecordsFollowEachOther) {
    FileSpace space(quota);
    EXPECT_EQ(space.reserve(1)->first, 0U);
    EXPECT_EQ(space.reserve(1)->first, 1U);
    EXPECT_FALSE(space.find(7));
    space.commit(7, 1);
    EXPECT_EQ(space.find(7), 1U);
    EXPECT_EQ(space.nr_records(), 1U);
}

TEST(FileSpaceTest, PlacesAreOfOneSegment) {
    FileSpace space(quota);
    EXPECT_EQ(space.reserve(250)->count, 250U);
    const auto rest = space.reserve(10);
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->first, 250U);
    EXPECT_EQ(rest->count, FileSpace::segment_records - 250);
    for (std::uint64_t i = 0; i < rest->count; ++i)
        space.commit(static_cast<EntryId>(i), rest->first + i);
    EXPECT_EQ(space.reserve(10)->first, FileSpace::segment_records);
}

TEST(FileSpaceTest, TheQuotaHolds) {
    FileSpace space(2 * FileSpace::segment_records);
    EntryId entry = 0;
    while (append(space, entry))
        ++entry;
    EXPECT_EQ(entry, 2 * FileSpace::segment_records);
    for (EntryId gone = 0; gone < FileSpace::segment_records; ++gone)
        space.drop(gone);
    EXPECT_EQ(space.take_emptied(), std::vector<std::uint64_t>{0});
    EXPECT_TRUE(append(space, 0));
}

TEST(FileSpaceTest, ASegmentThatIsUsedAgainIsNotGivenBack) {
    FileSpace space(quota);
    for (EntryId entry = 0; entry < 2 * FileSpace::segment_records; ++entry)
        append(space, entry);
    for (EntryId entry = 0; entry < FileSpace::segment_records; ++entry)
        space.drop(entry);
    append(space, 1);
    EXPECT_TRUE(space.take_emptied().empty());
}

TEST(FileSpaceTest, NoPlaceHasTwoEntriesAndTheFileStaysSmall) {
    FileSpace space(quota);
    std::mt19937 random(1);
    std::set<EntryId> present;
    for (int n = 0; n < 200'000; ++n) {
        const EntryId entry = random() % 2000;
        if (random() % 3 == 0) {
            space.drop(entry);
            present.erase(entry);
        } else if (append(space, entry)) {
            present.insert(entry);
        }
        for (const EntryId moves : space.to_clear())
            ASSERT_TRUE(append(space, moves));
        if (n % 1000 != 0)
            continue;
        std::set<FileSpace::Place> places;
        for (const EntryId one : present)
            ASSERT_TRUE(places.insert(space.find(one).value()).second);
        ASSERT_EQ(space.nr_records(), present.size());
        ASSERT_LE(space.nr_segments(), std::max<std::size_t>(9, 2 * present.size() / FileSpace::segment_records + 2));
    }
}

}  // namespace
}  // namespace tmm::far
