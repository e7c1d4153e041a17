// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/blocks.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "softlib/heap.hpp"

namespace tmm::caches {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t now_ns = 1000 * second_ns;

class BlocksTest : public testing::Test {
protected:
    // A file whose content has this version: each block says so.
    Result<Block> fetch(std::uint64_t number) {
        ++fetches_;
        return Block(blocks_.block_bytes(), std::byte(version_ * 16 + number));
    }
    int read(CachedFile& file, std::uint64_t number) {
        bool waits = false;
        const auto block = blocks_.read(
            file, number, [this](std::uint64_t wanted) { return fetch(wanted); }, waits);
        waited_ = waits;
        return block && *block ? std::to_integer<int>((**block)[0]) : -1;
    }
    struct stat attributes() const {
        struct stat attributes {};
        attributes.st_dev = 1;
        attributes.st_ino = 7;
        attributes.st_size = 1 << 20;
        attributes.st_mtim.tv_sec = modified_s_;
        attributes.st_ctim.tv_sec = modified_s_;
        return attributes;
    }
    Result<void> write(CachedFile& file, std::uint64_t offset, std::uint64_t size) {
        return file.write_through(
            offset, size, [this]() -> Result<struct stat> {
                ++version_;
                ++modified_s_;
                return attributes();
            });
    }

    soft::heap heap_{{.limit_bytes = 64 << 20, .background = false}};
    Blocks blocks_{heap_, {.block_bytes = 4096}};
    int version_ = 1;
    int fetches_ = 0;
    bool waited_ = false;
    std::int64_t modified_s_ = 500;
};

TEST_F(BlocksTest, FetchesABlockOnce) {
    CachedFile file(blocks_, attributes(), now_ns);
    EXPECT_EQ(read(file, 3), 19);
    EXPECT_TRUE(waited_);
    EXPECT_EQ(read(file, 3), 19);
    EXPECT_FALSE(waited_);
    EXPECT_EQ(fetches_, 1);
    EXPECT_EQ(blocks_.statistics().hits, 1U);
}

TEST_F(BlocksTest, FindsTheBlocksOfAFileThatWasForgottenMeanwhile) {
    {
        CachedFile file(blocks_, attributes(), now_ns);
        read(file, 0);
    }
    CachedFile again(blocks_, attributes(), now_ns);
    EXPECT_EQ(read(again, 0), 16);
    EXPECT_EQ(fetches_, 1);
}

TEST_F(BlocksTest, SeesChangesBehindIt) {
    CachedFile file(blocks_, attributes(), now_ns);
    read(file, 0);
    EXPECT_FALSE(file.check(attributes(), now_ns));
    version_ = 2;
    modified_s_ += 1;
    EXPECT_TRUE(file.check(attributes(), now_ns));
    EXPECT_EQ(read(file, 0), 32);
}

TEST_F(BlocksTest, TrustsNoAttributesOfAFileThatChangedLately) {
    modified_s_ = now_ns / second_ns;
    CachedFile file(blocks_, attributes(), now_ns);
    read(file, 0);
    // Another change in the same step of the store's clock.
    version_ = 2;
    EXPECT_TRUE(file.check(attributes(), now_ns));
    EXPECT_EQ(read(file, 0), 32);
    CachedFile again(blocks_, attributes(), now_ns);
    version_ = 3;
    EXPECT_EQ(read(again, 0), 48);
    // Later the attributes are enough.
    EXPECT_TRUE(file.check(attributes(), now_ns + 3 * second_ns));
    read(file, 0);
    EXPECT_FALSE(file.check(attributes(), now_ns + 4 * second_ns));
}

TEST_F(BlocksTest, AWriteForgetsTheBlocksThatItChanges) {
    CachedFile file(blocks_, attributes(), now_ns);
    for (std::uint64_t number = 0; number < 4; ++number)
        read(file, number);
    ASSERT_TRUE(write(file, 4096 + 100, 4096));
    EXPECT_EQ(read(file, 0), 16);
    EXPECT_EQ(read(file, 1), 33);
    EXPECT_EQ(read(file, 2), 34);
    EXPECT_EQ(read(file, 3), 19);
    // The write's own time is no change by others.
    EXPECT_FALSE(file.check(attributes(), now_ns));
}

TEST_F(BlocksTest, AWriteBeyondTheEndForgetsTheFormerLastBlock) {
    CachedFile file(blocks_, attributes(), now_ns);
    const std::uint64_t last = (1 << 20) / 4096 - 1;
    read(file, last);
    ASSERT_TRUE(write(file, 1 << 20, 1));
    read(file, last);
    EXPECT_EQ(fetches_, 1) << "the file ended at a block's end";
    ASSERT_TRUE(write(file, (1 << 20) + 4096, 1));
    EXPECT_EQ(read(file, last + 1) / 16, 3);
}

TEST_F(BlocksTest, ATruncationForgetsAll) {
    CachedFile file(blocks_, attributes(), now_ns);
    read(file, 5);
    ASSERT_TRUE(write(file, 0, UINT64_MAX));
    EXPECT_EQ(read(file, 5), 37);
}

TEST_F(BlocksTest, AFailedWriteForgetsAll) {
    CachedFile file(blocks_, attributes(), now_ns);
    read(file, 0);
    EXPECT_FALSE(file.write_through(0, 1, [] { return Result<struct stat>(Error(EIO, "broken")); }));
    EXPECT_EQ(read(file, 0), 16);
    EXPECT_EQ(fetches_, 2);
}

TEST_F(BlocksTest, ABlockReadWhileItIsWrittenIsNotKept) {
    CachedFile file(blocks_, attributes(), now_ns);
    bool waits = false;
    (void)blocks_.read(
        file, 0,
        [this, &file](std::uint64_t number) {
            Result<Block> old = fetch(number);
            EXPECT_TRUE(write(file, 0, 10));
            return old;
        },
        waits);
    EXPECT_EQ(read(file, 0), 32);
}

TEST_F(BlocksTest, OthersWaitForAFetchUnderWay) {
    CachedFile file(blocks_, attributes(), now_ns);
    std::thread other;
    bool waits = false;
    int seen = 0;
    (void)blocks_.read(
        file, 2,
        [&](std::uint64_t number) {
            other = std::thread([&] {
                bool other_waits = false;
                const auto block = blocks_.read(
                    file, 2, [this](std::uint64_t wanted) { return fetch(wanted); }, other_waits);
                seen = std::to_integer<int>((**block)[0]);
            });
            return fetch(number);
        },
        waits);
    other.join();
    EXPECT_EQ(seen, 18);
    EXPECT_EQ(fetches_, 1);
}

TEST_F(BlocksTest, AnErrorIsNotKept) {
    CachedFile file(blocks_, attributes(), now_ns);
    bool waits = false;
    const auto failed = blocks_.read(
        file, 0, [](std::uint64_t) { return Result<Block>(Error(EIO, "no answer")); }, waits);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code(), EIO);
    EXPECT_EQ(read(file, 0), 16);
}

TEST_F(BlocksTest, ReadsAheadOnce) {
    CachedFile file(blocks_, attributes(), now_ns);
    const Blocks::Fetch fetch_one = [this](std::uint64_t number) { return fetch(number); };
    blocks_.read_ahead(file, 1, fetch_one);
    blocks_.read_ahead(file, 1, fetch_one);
    EXPECT_EQ(fetches_, 1);
    EXPECT_EQ(read(file, 1), 17);
    EXPECT_FALSE(waited_);
    EXPECT_EQ(blocks_.statistics().ahead, 1U);
}

TEST_F(BlocksTest, BlocksThatTheHeapTookAreFetchedAgain) {
    CachedFile file(blocks_, attributes(), now_ns);
    for (std::uint64_t number = 0; number < 64; ++number)
        read(file, number);
    heap_.seal();
    heap_.release(64 << 20);
    const int before = fetches_;
    for (std::uint64_t number = 0; number < 64; ++number)
        EXPECT_EQ(read(file, number), (16 + static_cast<int>(number)) % 256);
    EXPECT_GT(fetches_, before);
}

}  // namespace
}  // namespace tmm::caches
