// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "base/temp_tree.hpp"
#include "farmem/stores/doubled_store.hpp"
#include "farmem/stores/file_store.hpp"
#include "farmem/stores/memory_store.hpp"
#include "farmem/stores/open_store.hpp"
#include "farmem/stores/seal.hpp"

namespace tmm::far {
namespace {

using PageBytes = std::array<char, page_bytes>;

PageBytes page_of(EntryId entry, Version version) {
    PageBytes page;
    std::mt19937_64 random(entry * 1'000'003 + version);
    for (std::size_t i = 0; i < page.size(); i += sizeof(std::uint64_t)) {
        const std::uint64_t word = random();
        std::memcpy(page.data() + i, &word, sizeof word);
    }
    return page;
}

bool put(Store& store, EntryId entry, Version version) {
    const PageBytes page = page_of(entry, version);
    Store::Put one{.entry = entry, .version = version, .page = page.data(), .is_stored = false};
    store.put({&one, 1});
    return one.is_stored;
}

// Found, and then it has the right bytes.
bool get(Store& store, EntryId entry, Version version) {
    PageBytes page{};
    Store::Get one{.entry = entry, .version = version, .page = page.data(), .is_found = false};
    store.get({&one, 1});
    if (one.is_found) {
        EXPECT_EQ(page, page_of(entry, version)) << entry;
    }
    return one.is_found;
}

void drop(Store& store, EntryId entry) {
    store.drop({&entry, 1});
}

void check(Store& store) {
    std::map<EntryId, Version> stored;
    std::mt19937_64 random(1);
    for (Version version = 1; version < 20'000; ++version) {
        const EntryId entry = random() % 3000;
        if (random() % 4 == 0) {
            drop(store, entry);
            stored.erase(entry);
        } else {
            ASSERT_TRUE(put(store, entry, version));
            stored[entry] = version;
        }
    }
    for (EntryId entry = 0; entry < 3000; ++entry) {
        const auto found = stored.find(entry);
        ASSERT_EQ(get(store, entry, found == stored.end() ? 1 : found->second), found != stored.end());
        ASSERT_FALSE(get(store, entry, 1'000'000)) << "another version is another page";
    }
}

// Pages come and go in batches, so that a batch often begins where all before it is gone.
void check_batches(Store& store) {
    constexpr std::size_t nr_entries = 60;
    std::vector<PageBytes> pages(nr_entries);
    std::vector<EntryId> entries(nr_entries);
    for (Version version = 1; version <= 30; ++version) {
        std::vector<Store::Put> puts;
        for (EntryId entry = 0; entry < nr_entries; ++entry) {
            entries[entry] = entry;
            pages[entry] = page_of(entry, version);
            puts.push_back({.entry = entry, .version = version, .page = pages[entry].data(), .is_stored = false});
        }
        store.put(puts);
        for (const Store::Put& one : puts) {
            ASSERT_TRUE(one.is_stored);
            ASSERT_TRUE(get(store, one.entry, version)) << one.entry << " " << version;
        }
        if (version % 3 != 0)
            store.drop(entries);
    }
}

TEST(MemoryStoreTest, GivesBackWhatItGot) {
    MemoryStore store(5000);
    check(store);
}

TEST(MemoryStoreTest, TheQuotaHolds) {
    MemoryStore store(1);
    EXPECT_TRUE(put(store, 5, 1));
    EXPECT_TRUE(put(store, 5, 2)) << "takes the place of the former";
    EXPECT_FALSE(put(store, 6, 3));
    drop(store, 5);
    EXPECT_TRUE(put(store, 6, 3));
}

TEST(FileStoreTest, GivesBackWhatItGot) {
    const TempTree tree;
    const auto store = FileStore::make(tree.path().string(), 100'000);
    ASSERT_TRUE(store) << store.error().message();
    check(**store);
}

TEST(FileStoreTest, GivesBackBatches) {
    const TempTree tree;
    const auto store = FileStore::make(tree.path().string(), 100'000);
    ASSERT_TRUE(store) << store.error().message();
    check_batches(**store);
}

TEST(FileStoreTest, TheQuotaHolds) {
    const TempTree tree;
    const auto store = FileStore::make(tree.path().string(), FileSpace::segment_records);
    ASSERT_TRUE(store);
    EntryId entry = 0;
    while (put(**store, entry, entry + 1))
        ++entry;
    EXPECT_EQ(entry, FileSpace::segment_records);
    EXPECT_TRUE(get(**store, 0, 1));
}

TEST(SealTest, OnlyTheSamePageOfTheSameProgramOpens) {
    const SealKey key = SealKey::make();
    Seal seal(key);
    const PageBytes page = page_of(1, 2);
    SealedPage sealed;
    seal.close(1, 2, page.data(), sealed);
    PageBytes opened{};
    EXPECT_TRUE(Seal(key).open(1, 2, sealed, opened.data()));
    EXPECT_EQ(opened, page);
    const PageBytes before = opened = {};
    EXPECT_FALSE(seal.open(2, 2, sealed, opened.data())) << "another page";
    EXPECT_FALSE(seal.open(1, 1, sealed, opened.data())) << "another version";
    EXPECT_FALSE(Seal(SealKey::make()).open(1, 2, sealed, opened.data())) << "another program";
    for (const std::size_t at : {std::size_t{0}, seal_tag_bytes, sealed_bytes - 1}) {
        SealedPage changed = sealed;
        changed[at] ^= 1;
        EXPECT_FALSE(seal.open(1, 2, changed, opened.data())) << at;
    }
    EXPECT_EQ(opened, before) << "nothing of it came out";
}

// Loses what it likes.
class ForgetfulStore : public MemoryStore {
public:
    using MemoryStore::MemoryStore;
    [[nodiscard]] bool is_evictable() const override { return true; }
};

TEST(DoubledStoreTest, WhatTheFastOneLosesComesFromTheSafeOne) {
    auto owned = std::make_unique<ForgetfulStore>(5000);
    Store& fast = *owned;
    DoubledStore store(std::move(owned), std::make_unique<MemoryStore>(5000));
    for (EntryId entry = 0; entry < 100; ++entry)
        EXPECT_TRUE(put(store, entry, 1));
    for (EntryId entry = 0; entry < 100; entry += 2)
        drop(fast, entry);
    put(fast, 1, 7);
    std::vector<PageBytes> pages(100);
    std::vector<Store::Get> gets;
    for (EntryId entry = 0; entry < 100; ++entry)
        gets.push_back({.entry = entry, .version = 1, .page = pages[entry].data(), .is_found = false});
    store.get(gets);
    for (EntryId entry = 0; entry < 100; ++entry) {
        EXPECT_TRUE(gets[entry].is_found);
        EXPECT_EQ(pages[entry], page_of(entry, 1));
    }
}

TEST(DoubledStoreTest, OnlyWhatTheSafeOneHasIsStored) {
    DoubledStore store(std::make_unique<ForgetfulStore>(5000), std::make_unique<MemoryStore>(0));
    EXPECT_FALSE(put(store, 0, 1));
}

TEST(DoubledStoreTest, OfTwoThatMayLoseRecordsBothHaveIt) {
    DoubledStore store(std::make_unique<ForgetfulStore>(1), std::make_unique<ForgetfulStore>(5000));
    EXPECT_TRUE(put(store, 0, 1));
    EXPECT_FALSE(put(store, 1, 1));
}

TEST(OpenStoreTest, AnEvictableStoreIsNeverAlone) {
    EXPECT_TRUE(open_store("memory"));
    EXPECT_TRUE(open_store("memory,quota=1G"));
    EXPECT_EQ((*open_store("none"))->name(), "none");
    EXPECT_TRUE(open_store("file=/var/tmp,quota=1G"));
    EXPECT_EQ(open_store("memcached=localhost:11211").error().code(), EINVAL);
    EXPECT_EQ(open_store("memcached=/a,copy=/a").error().code(), EINVAL);
    EXPECT_EQ(open_store("copy=/a").error().code(), EINVAL);
    EXPECT_EQ(open_store("memcached=/a,copy=/b,file=/var/tmp").error().code(), EINVAL);
    for (const char* const spec : {"", "disk", "memory=1", "file=", "memory,file=/tmp", "quota=x", "file=/nowhere/at/all"})
        EXPECT_FALSE(open_store(spec)) << spec;
}

}  // namespace
}  // namespace tmm::far
