// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "files/descriptors.hpp"
#include "files/file_cache.hpp"
#include "files/patterns.hpp"
#include "softlib/heap.hpp"

namespace soft::files {
namespace {

TEST(Patterns, MatchAbsolutePathsWithinDirectories) {
    std::vector<std::string> complaints;
    const Patterns patterns("/data/*.mbtiles:/etc/host[r-t]::/tmp/?", complaints);
    EXPECT_TRUE(complaints.empty());
    EXPECT_TRUE(patterns.match("/data/world.mbtiles"));
    EXPECT_TRUE(patterns.match("/etc/hosts"));
    EXPECT_TRUE(patterns.match("/tmp/x"));
    EXPECT_FALSE(patterns.match("/data/old/world.mbtiles"));
    EXPECT_FALSE(patterns.match("/data/world.mbtiles (deleted)"));
    EXPECT_FALSE(patterns.match("/tmp/xy"));
    EXPECT_FALSE(patterns.match(""));
}

TEST(Patterns, NamesWhatItLeavesOut) {
    std::vector<std::string> complaints;
    const std::string max_path = "/" + std::string(max_path_bytes - 1, 'x');
    const Patterns patterns("data/*:" + max_path + ":" + max_path + "x:/a", complaints);
    ASSERT_EQ(complaints.size(), 2U);
    EXPECT_EQ(complaints[0], "'data/*' is ignored: patterns are absolute paths, like /data/*.mbtiles");
    EXPECT_NE(complaints[1].find("longer than 255 bytes"), std::string::npos);
    EXPECT_TRUE(patterns.match("/a"));
    EXPECT_TRUE(patterns.match(max_path.c_str()));
    EXPECT_FALSE(patterns.match((max_path + "x").c_str()));
}

TEST(Patterns, ThereMayBeNone) {
    std::vector<std::string> complaints;
    EXPECT_TRUE(Patterns("", complaints).empty());
    EXPECT_TRUE(Patterns("::", complaints).empty());
    EXPECT_TRUE(Patterns("relative", complaints).empty());
}

TEST(FileVersion, IsSettledAMinuteAfterTheInodesLastChange) {
    FileVersion version{.size_bytes = 1, .modified_s = 0, .changed_s = 1000};
    EXPECT_FALSE(is_settled(version, 1000));
    EXPECT_FALSE(is_settled(version, 1000 + settling_s));
    EXPECT_TRUE(is_settled(version, 1001 + settling_s));
    EXPECT_FALSE(is_settled(version, 900)) << "the clock was set back";
    version.modified_s = 5000;
    EXPECT_TRUE(is_settled(version, 1001 + settling_s)) << "programs may set that one";
}

TEST(FileVersion, OnlyLocalFileSystemsAreKnown) {
    EXPECT_TRUE(is_local_file_system(0xef53));
    EXPECT_FALSE(is_local_file_system(0x6969)) << "NFS";
    EXPECT_FALSE(is_local_file_system(0x65735546)) << "FUSE";
    EXPECT_FALSE(is_local_file_system(0x9fa0)) << "proc";
}

class DescriptorsTest : public testing::Test {
protected:
    using Use = Descriptors::Use;
    const FileId file{1, 2};
    std::unique_ptr<Descriptors> descriptors = std::make_unique<Descriptors>();
    bool barred() { return descriptors->bars().is_barred(file); }
};

TEST_F(DescriptorsTest, RememberReaders) {
    EXPECT_EQ(descriptors->use_of(3), Use::none);
    descriptors->set(3, {Use::reader, file});
    EXPECT_EQ(descriptors->use_of(3), Use::reader);
    EXPECT_EQ(descriptors->look_up(3).id, file);
    EXPECT_FALSE(barred());
    descriptors->clear(3);
    EXPECT_EQ(descriptors->use_of(3), Use::none);
}

TEST_F(DescriptorsTest, AFileIsBarredAsLongAsSomeWriterIsThere) {
    descriptors->set(3, {Use::writer, file});
    descriptors->set(4, descriptors->look_up(3));
    descriptors->clear(3);
    EXPECT_TRUE(barred());
    descriptors->set(4, {Use::writer, file});
    EXPECT_TRUE(barred());
    descriptors->set(4, {Use::reader, {7, 7}});
    EXPECT_FALSE(barred());
    descriptors->clear(4);
    EXPECT_FALSE(barred());
}

TEST_F(DescriptorsTest, AWriterOfAHighNumberBarsForGood) {
    descriptors->set(1'000'000, {Use::writer, file});
    descriptors->clear(1'000'000);
    EXPECT_TRUE(barred());
    EXPECT_EQ(descriptors->use_of(1'000'000), Use::none);
    EXPECT_EQ(descriptors->use_of(-1), Use::none);
}

TEST(TryRwLock, LetsInReadersOrOneWriterAndNobodyWaits) {
    TryRwLock lock;
    EXPECT_TRUE(lock.try_lock_shared());
    EXPECT_TRUE(lock.try_lock_shared());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock_shared();
    lock.unlock_shared();
    EXPECT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock_shared());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    EXPECT_TRUE(lock.try_lock_shared());
}

// The byte at a place of a version, so that each block differs from any other.
std::byte byte_at(const FileState& file, std::uint64_t offset) {
    return static_cast<std::byte>(
        (offset * 31 + offset / block_bytes * 7 + file.id.inode * 3 + static_cast<std::uint64_t>(file.version.changed_s) * 5) &
        0xff);
}

class FileCacheTest : public testing::Test {
protected:
    soft::heap heap{{.limit_bytes = std::size_t{64} << 20, .reserve_bytes = std::size_t{128} << 20, .background = false}};
    FileCache cache{heap, {.files = 3, .blocks = 8}};

    static FileState file(std::uint64_t inode, std::uint64_t size, std::int64_t changed = 1) {
        return {{1, inode}, {.size_bytes = size, .changed_s = changed}};
    }
    static void put(FileCache& cache, const FileState& file, std::uint64_t block) {
        std::vector<std::byte> content(FileCache::bytes_of(file, block));
        for (std::size_t i = 0; i < content.size(); ++i) {
            content[i] = byte_at(file, block * block_bytes + i);
        }
        cache.put(file, block, content);
    }
    void put(const FileState& file, std::uint64_t block) { put(cache, file, block); }
    // Whether it is there; then it has to be right.
    static bool has(FileCache& cache, const FileState& file, std::uint64_t offset, std::size_t length, std::size_t cut) {
        std::vector<std::byte> buffer(length);
        cut = std::min(cut, length);
        const iovec parts[] = {{buffer.data(), cut}, {buffer.data(), 0}, {buffer.data() + cut, length - cut}};
        if (!cache.read(file, offset, parts, length)) {
            return false;
        }
        for (std::size_t i = 0; i < length; ++i) {
            if (buffer[i] != byte_at(file, offset + i)) {
                ADD_FAILURE() << "wrong byte at " << offset + i;
                return true;
            }
        }
        return true;
    }
    bool has(const FileState& file, std::uint64_t offset, std::size_t length) { return has(cache, file, offset, length, 1); }
};

TEST_F(FileCacheTest, BlocksOfAFileAreAsLongAsTheFileIs) {
    EXPECT_EQ(FileCache::bytes_of(file(1, 65537), 0), 65536U);
    EXPECT_EQ(FileCache::bytes_of(file(1, 65537), 1), 1U);
    EXPECT_EQ(FileCache::bytes_of(file(1, 65537), 2), 0U);
    EXPECT_EQ(FileCache::bytes_of(file(1, 0), 0), 0U);
}

TEST_F(FileCacheTest, GivesAnyPartOfWhatItHas) {
    const FileState some = file(1, 3 * block_bytes + 5);
    EXPECT_FALSE(has(some, 0, 1));
    for (const std::uint64_t block : {0, 1, 3}) {
        put(some, block);
        EXPECT_TRUE(cache.holds(some, block));
    }
    EXPECT_FALSE(cache.holds(some, 2));
    for (const std::uint64_t offset : {0, 1, 4070, 4080, 4096, 65535, 65536, 100000}) {
        for (const std::size_t length : {1, 100, 4080, 5000, 31000}) {
            EXPECT_TRUE(has(some, offset, length)) << offset << "+" << length;
        }
    }
    EXPECT_TRUE(has(some, 0, 2 * block_bytes));
    EXPECT_TRUE(has(some, 3 * block_bytes, 5));
    EXPECT_FALSE(has(some, 2 * block_bytes - 1, 2));
    EXPECT_FALSE(has(some, 0, 4 * block_bytes - 65531));
}

TEST_F(FileCacheTest, AnotherVersionIsAnotherContent) {
    const FileState old = file(1, 100000);
    put(old, 0);
    put(old, 1);
    for (FileState other : {file(1, 100001), file(1, 100000, 2), file(2, 100000)}) {
        EXPECT_FALSE(has(other, 0, 10));
    }
    const FileState now = file(1, 100000, 2);
    put(now, 1);
    EXPECT_TRUE(has(now, 70000, 10));
    EXPECT_FALSE(has(old, 70000, 10));
    EXPECT_FALSE(has(now, 0, 10));
    EXPECT_EQ(cache.counts().dropped, 2U);
}

TEST_F(FileCacheTest, TheFileThatWasNotUsedForLongestGoes) {
    for (std::uint64_t inode = 1; inode <= 3; ++inode) {
        put(file(inode, 10), 0);
    }
    EXPECT_TRUE(has(file(1, 10), 0, 10));
    put(file(4, 10), 0);
    EXPECT_TRUE(has(file(1, 10), 0, 10));
    EXPECT_FALSE(has(file(2, 10), 0, 10));
    EXPECT_EQ(cache.counts().files, 3U);
    EXPECT_EQ(cache.counts().dropped, 1U);
}

TEST_F(FileCacheTest, KeepsToItsNumberOfBlocks) {
    const FileState small = file(1, 10);
    const FileState large = file(2, 100 * block_bytes);
    put(small, 0);
    for (std::uint64_t block = 0; block < 100; ++block) {
        put(large, block);
        EXPECT_TRUE(cache.holds(large, block));
        EXPECT_LE(cache.counts().blocks, 8U);
    }
    EXPECT_FALSE(has(small, 0, 10));
}

TEST_F(FileCacheTest, WhatTheKernelTookIsNotThereAndCanBePutAgain) {
    const FileState some = file(1, 4 * block_bytes);
    for (std::uint64_t seed = 1; seed < 40; ++seed) {
        for (std::uint64_t block = 0; block < 4; ++block) {
            if (!cache.holds(some, block)) {
                put(some, block);
            }
            has(some, block * block_bytes + seed * 300, 3000);
        }
        EXPECT_TRUE(has(some, 0, 4 * block_bytes));
        heap.seal();
        heap.lose_pages(0.02, seed);
    }
    heap.release(heap.statistics().segment_bytes);
    EXPECT_FALSE(has(some, 0, 1));
}

TEST_F(FileCacheTest, WhoHasToWaitFindsNothing) {
    const FileState some = file(1, 10);
    put(some, 0);
    ASSERT_TRUE(cache.lock());
    EXPECT_FALSE(has(some, 0, 10));
    EXPECT_FALSE(cache.holds(some, 0));
    put(file(2, 10), 0);
    EXPECT_FALSE(cache.lock());
    cache.unlock();
    EXPECT_TRUE(has(some, 0, 10));
    EXPECT_FALSE(has(file(2, 10), 0, 10));
}

TEST_F(FileCacheTest, ManyThreadsGetRightBytesWhileVersionsAndMemoryGo) {
    std::atomic<std::int64_t> version{1};
    std::atomic<std::uint64_t> found{0};
    auto work = [&](unsigned seed) {
        std::mt19937 dice(seed);
        for (int i = 0; i < 3000; ++i) {
            const FileState some = file(1 + dice() % 4, 2 * block_bytes, version);
            const std::uint64_t offset = dice() % (2 * block_bytes);
            const std::size_t length = 1 + dice() % (2 * block_bytes - offset);
            if (has(cache, some, offset, length, dice() % length)) {
                ++found;
            } else if (dice() % 8 == 0) {
                put(cache, some, dice() % 2);
            }
            if (dice() % 500 == 0) {
                ++version;
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i) {
        threads.emplace_back(work, i);
    }
    for (std::uint64_t seed = 1; seed < 50; ++seed) {
        heap.seal();
        heap.lose_pages(0.01, seed);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace soft::files
