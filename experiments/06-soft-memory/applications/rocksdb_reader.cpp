// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-rocksdb [--peer=BYTES]: reads a RocksDB database by a power law. Blocks that its small cache evicts stay in soft memory
// or, with --peer, in RocksDB's own NewCompressedSecondaryCache of so many bytes. Makes the database in DIR/rocksdb the first
// time.
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/table.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "options.hpp"
#include "popularity.hpp"
#include "progress.hpp"
#include "soft_secondary_cache.hpp"

namespace {

constexpr std::size_t primary_bytes = 8 << 20;
constexpr std::size_t block_bytes = 16 << 10;
constexpr std::size_t value_bytes = 1000;

void check(const rocksdb::Status& status) {
    if (!status.ok()) {
        std::fprintf(stderr, "soft-rocksdb: %s\n", status.ToString().c_str());
        std::exit(1);
    }
}

std::string key_of(std::uint32_t item) {
    std::string key(10, '0');
    std::snprintf(key.data(), key.size(), "%09u", item);
    return key;
}

// A half can be compressed away.
std::string value_of(std::uint32_t item) {
    std::mt19937 random(item);
    std::string value(value_bytes, 'x');
    for (std::size_t i = 0; i < value_bytes; i += 2)
        value[i] = static_cast<char>(random());
    return value;
}

std::unique_ptr<rocksdb::DB> open_database(const std::string& path, std::uint32_t items,
                                           std::shared_ptr<rocksdb::SecondaryCache> second_tier) {
    rocksdb::LRUCacheOptions cache(primary_bytes, 0, false, 0);
    cache.secondary_cache = std::move(second_tier);
    rocksdb::BlockBasedTableOptions table;
    table.block_size = block_bytes;
    table.block_cache = rocksdb::NewLRUCache(cache);
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compression = rocksdb::kZSTD;
    options.lowest_used_cache_tier = rocksdb::CacheTier::kNonVolatileBlockTier;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    // No page cache stands behind the tiers, where the file system allows it.
    options.use_direct_reads = true;
    rocksdb::DB* opened = nullptr;
    if (!rocksdb::DB::Open(options, path, &opened).ok()) {
        options.use_direct_reads = false;
        check(rocksdb::DB::Open(options, path, &opened));
    }
    std::unique_ptr<rocksdb::DB> database(opened);
    std::string last;
    if (!database->Get({}, key_of(items - 1), &last).ok()) {
        for (std::uint32_t item = 0; item < items; ++item)
            check(database->Put({}, key_of(item), value_of(item)));
        check(database->Flush({}));
        check(database->CompactRange({}, nullptr, nullptr));
    }
    return database;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace tmm::soft_memory;
    constexpr std::string_view peer_option = "--peer=";
    std::shared_ptr<rocksdb::SecondaryCache> second_tier = std::make_shared<SoftSecondaryCache>();
    if (argc > 1 && std::string_view(argv[1]).starts_with(peer_option)) {
        rocksdb::CompressedSecondaryCacheOptions peer;
        peer.capacity = std::strtoull(argv[1] + peer_option.size(), nullptr, 10);
        second_tier = rocksdb::NewCompressedSecondaryCache(peer);
        argv[1] = argv[0];
        --argc;
        ++argv;
    }
    const Options options(argc, argv, 400'000);
    const auto database = open_database(options.dir + "/rocksdb", options.items, std::move(second_tier));
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    Progress progress("rocksdb");
    Popularity popularity(options.items, 0.9, 3);
    std::string value;
    while (progress.seconds() < options.seconds) {
        const std::uint32_t item = popularity.draw(options.phase(progress.seconds()));
        const auto blocks_read = rocksdb::get_perf_context()->block_read_count;
        const auto start = std::chrono::steady_clock::now();
        check(database->Get({}, key_of(item), &value));
        if (rocksdb::get_perf_context()->block_read_count != blocks_read)
            progress.rebuilt(std::chrono::steady_clock::now() - start);
        progress.request();
    }
}
