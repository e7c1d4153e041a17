// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/blocks.hpp"

#include <algorithm>

namespace tmm::caches {
namespace {

// File systems step their times by some milliseconds, some network shares by a second or two.
constexpr std::int64_t coarsest_time_ns = 2'000'000'000;
// A write over more blocks than these forgets all of the file.
constexpr std::uint64_t max_erased_blocks = 4096;

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

ContentStamp stamp_of(const struct stat& attributes) {
    return {attributes.st_dev,
            attributes.st_ino,
            nanoseconds(attributes.st_mtim),
            nanoseconds(attributes.st_ctim),
            static_cast<std::uint64_t>(attributes.st_size),
            0};
}

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

}  // namespace

std::size_t Blocks::Hash::operator()(const Key& key) const noexcept {
    std::uint64_t hash = 0;
    for (const std::uint64_t word :
         {key.stamp.device, key.stamp.inode, static_cast<std::uint64_t>(key.stamp.modified_ns),
          static_cast<std::uint64_t>(key.stamp.changed_ns), key.stamp.size, key.stamp.number, key.number}) {
        hash = (hash ^ word) * 0x9e37'79b9'7f4a'7c15U;
        hash ^= hash >> 32U;
    }
    return hash;
}

Blocks::Blocks(soft::heap& heap, const Options& options) : block_bytes_(options.block_bytes), cache_(heap, "file blocks", {}) {}

Result<std::shared_ptr<const Block>> Blocks::read(CachedFile& file, std::uint64_t number, const Fetch& fetch, bool& waits) {
    waits = false;
    std::unique_lock lock(file.mutex_);
    for (;;) {
        if (const auto found = file.transfers_.find(number); found != file.transfers_.end()) {
            const std::shared_ptr<CachedFile::Transfer> transfer = found->second;
            waits = true;
            file.done_.wait(lock, [&] { return transfer->is_done; });
            ++joined_;
            if (transfer->is_current)
                return transfer->block;
            continue;
        }
        const Key key{file.stamp_, number};
        lock.unlock();
        if (std::shared_ptr<const Block> block = cache_.try_pin(key)) {
            ++hits_;
            return block;
        }
        lock.lock();
        // Somebody else may have begun meanwhile.
        if (file.transfers_.contains(number))
            continue;
        waits = true;
        ++fetched_;
        return fetch_for(file, number, fetch, lock);
    }
}

Blocks::State Blocks::look(CachedFile& file, std::uint64_t number) {
    std::unique_lock lock(file.mutex_);
    if (file.transfers_.contains(number))
        return State::under_way;
    const Key key{file.stamp_, number};
    lock.unlock();
    // The copy is not in vain: the read that follows shares it.
    return cache_.try_pin(key) ? State::there : State::missing;
}

void Blocks::read_ahead(CachedFile& file, std::uint64_t number, const Fetch& fetch) {
    if (look(file, number) != State::missing)
        return;
    std::unique_lock lock(file.mutex_);
    if (file.transfers_.contains(number))
        return;
    ++ahead_;
    // Who reads the block later meets the error, if it lasts.
    (void)fetch_for(file, number, fetch, lock);
}

Result<std::shared_ptr<const Block>> Blocks::fetch_for(CachedFile& file, std::uint64_t number, const Fetch& fetch,
                                                       std::unique_lock<std::mutex>& lock) {
    const auto transfer = std::make_shared<CachedFile::Transfer>();
    file.transfers_.emplace(number, transfer);
    const Key key{file.stamp_, number};
    const std::uint64_t writes = file.writes_;
    lock.unlock();
    Result<std::shared_ptr<const Block>> result(nullptr);
    try {
        Result<Block> read = fetch(number);
        if (read)
            result = std::shared_ptr<const Block>(std::make_shared<const Block>(*std::move(read)));
        else
            result = read.error();
    } catch (const std::bad_alloc&) {
        result = Error(ENOMEM, "no memory for a block");
    }
    lock.lock();
    file.transfers_.erase(number);
    transfer->is_done = true;
    transfer->is_current = file.writes_ == writes;
    transfer->block = result;
    file.done_.notify_all();
    // Under the lock: a write that ends later finds the block and erases it.
    if (transfer->is_current && result) {
        try {
            cache_.put(key, **result);
        } catch (const std::bad_alloc&) {
            // It is read again, then.
        }
    }
    return result;
}

BlockStatistics Blocks::statistics() const {
    return {hits_, joined_, fetched_, ahead_, changed_, cache_.statistics().bytes};
}

CachedFile::CachedFile(Blocks& blocks, const struct stat& attributes, std::int64_t now_ns) : blocks_(blocks) {
    forget_all(attributes, now_ns);
}

void CachedFile::forget_all(const struct stat& attributes, std::int64_t now_ns) {
    stamp_ = seen_ = stamp_of(attributes);
    is_young_ = now_ns - std::max(seen_.modified_ns, seen_.changed_ns) < coarsest_time_ns;
    if (is_young_)
        stamp_.number = next_number();
    ++writes_;
}

bool CachedFile::check(const struct stat& attributes, std::int64_t now_ns) {
    const std::lock_guard lock(mutex_);
    if (stamp_of(attributes) == seen_ && !is_young_)
        return false;
    ++blocks_.changed_;
    forget_all(attributes, now_ns);
    return true;
}

std::uint64_t CachedFile::size() const {
    const std::lock_guard lock(mutex_);
    return seen_.size;
}

Result<void> CachedFile::write_through(std::uint64_t offset, std::uint64_t size,
                                       const std::function<Result<struct stat>()>& change) {
    const Result<struct stat> after = change();
    const std::lock_guard lock(mutex_);
    ++writes_;
    if (!after) {
        // Nobody knows how much of it was written.
        stamp_.number = next_number();
        return after.error();
    }
    // Where the file grew, its last block was shorter.
    const std::uint64_t first = std::min(offset, seen_.size) / blocks_.block_bytes();
    const std::uint64_t before = seen_.size;
    seen_ = stamp_of(*after);
    const std::uint64_t end = size == UINT64_MAX ? UINT64_MAX : std::max(offset + size, seen_.size > before ? seen_.size : 0);
    const std::uint64_t last = (std::max<std::uint64_t>(end, 1) - 1) / blocks_.block_bytes();
    is_young_ = false;
    if (last > first && last - first >= max_erased_blocks) {
        stamp_.number = next_number();
    } else {
        for (std::uint64_t number = first; number <= last; ++number)
            blocks_.cache_.erase({stamp_, number});
    }
    return {};
}

}  // namespace tmm::caches
