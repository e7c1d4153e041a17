// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks: the read blocks of files, in soft memory. The kernel or the heap may take them at any time; the next read fetches them
// again. CachedFile: what is known of one file; all who have it open share it.
//
// A block never shows an older content than the last write that ended through write_through(). Changes by others are seen when
// check() is told the file's attributes.
//
// All functions are thread-safe. They throw std::bad_alloc, and change nothing then.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "softlib/cache.hpp"

namespace tmm::caches {

using Block = std::vector<std::byte>;

/// A file's content, as far as its attributes tell one from another.
struct ContentStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t size = 0;
    /// Not 0: the content of this number, which only this process knows. The attributes alone do not tell: the file changed so
    /// lately that a further change might leave its times as they are.
    std::uint64_t number = 0;

    friend bool operator==(const ContentStamp&, const ContentStamp&) = default;
};

class CachedFile;

/// Counts since the start.
struct BlockStatistics {
    /// Reads that found the block, that waited for another's fetch, and that fetched it.
    std::uint64_t hits = 0;
    std::uint64_t joined = 0;
    std::uint64_t fetched = 0;
    /// Blocks that were fetched ahead.
    std::uint64_t ahead = 0;
    /// Times that a file's content changed behind the cache.
    std::uint64_t changed = 0;
    /// Bytes of the blocks that are there now, about.
    std::size_t bytes = 0;
};

class Blocks {
public:
    /// Reads the block with this number of the file: less than block_bytes at its end. The error is that of the store.
    using Fetch = std::function<Result<Block>(std::uint64_t number)>;

    struct Options {
        std::size_t block_bytes = std::size_t{128} << 10;
    };
    Blocks(soft::heap& heap, const Options& options);

    /// Returns the block. Of all who miss it at the same time one fetches it, the others wait. `waits` says whether it was there
    /// at once.
    Result<std::shared_ptr<const Block>> read(CachedFile& file, std::uint64_t number, const Fetch& fetch, bool& waits);
    /// Fetches the block unless it is there or under way.
    void read_ahead(CachedFile& file, std::uint64_t number, const Fetch& fetch);
    enum class State : std::uint8_t { there, under_way, missing };
    /// What a read of the block would meet now.
    State look(CachedFile& file, std::uint64_t number);

    [[nodiscard]] std::size_t block_bytes() const { return block_bytes_; }
    [[nodiscard]] BlockStatistics statistics() const;

private:
    friend class CachedFile;
    struct Key {
        ContentStamp stamp;
        std::uint64_t number = 0;

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    Result<std::shared_ptr<const Block>> fetch_for(CachedFile& file, std::uint64_t number, const Fetch& fetch,
                                                   std::unique_lock<std::mutex>& lock);

    const std::size_t block_bytes_;
    soft::cache<Key, Block, Hash> cache_;
    std::atomic<std::uint64_t> hits_ = 0;
    std::atomic<std::uint64_t> joined_ = 0;
    std::atomic<std::uint64_t> fetched_ = 0;
    std::atomic<std::uint64_t> ahead_ = 0;
    std::atomic<std::uint64_t> changed_ = 0;
};

class CachedFile {
public:
    /// `now_ns`: the present time of the clock that gives files their times, in nanoseconds since 1970.
    CachedFile(Blocks& blocks, const struct stat& attributes, std::int64_t now_ns);

    /// Compares the file's attributes with those that were seen last. If its content may have changed, forgets its blocks and
    /// returns true. A change by others right after one by write_through(), in the same step of the store's clock (some
    /// milliseconds), is not seen.
    bool check(const struct stat& attributes, std::int64_t now_ns);
    /// Calls change(), which changes the content of [offset, offset + size) and returns the file's attributes afterwards, and
    /// then forgets the blocks of it. A size of UINT64_MAX: of all that follows.
    Result<void> write_through(std::uint64_t offset, std::uint64_t size, const std::function<Result<struct stat>()>& change);

    /// The size of the file when its attributes were seen last, in bytes.
    [[nodiscard]] std::uint64_t size() const;

private:
    friend class Blocks;
    /// A block on its way. Who waits for it gets what it brings, if no write ended meanwhile.
    struct Transfer {
        bool is_done = false;
        bool is_current = false;
        Result<std::shared_ptr<const Block>> block{nullptr};
    };
    void forget_all(const struct stat& attributes, std::int64_t now_ns);

    Blocks& blocks_;
    mutable std::mutex mutex_;
    std::condition_variable done_;
    ContentStamp stamp_;
    /// The attributes that were seen last. The stamp stays as it is through writes by write_through().
    ContentStamp seen_;
    /// Others changed the file so lately that a further change might leave its times as they are.
    bool is_young_ = false;
    /// Writes that ended, and contents that were forgotten.
    std::uint64_t writes_ = 0;
    std::unordered_map<std::uint64_t, std::shared_ptr<Transfer>> transfers_;
};

}  // namespace tmm::caches
