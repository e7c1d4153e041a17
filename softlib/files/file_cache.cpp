// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/file_cache.hpp"

#include <sched.h>

#include <algorithm>
#include <new>

#include "softlib/detail/read_sampling.hpp"

namespace soft::files {

using detail::AtomicWord;

FileCache::~FileCache() {
    for (auto& [id, file] : files_) {
        drop_blocks(file);
    }
}

std::size_t FileCache::bytes_of(const FileState& file, std::uint64_t block) noexcept {
    const std::uint64_t begin = block * block_bytes;
    return static_cast<std::size_t>(std::min(block_bytes, file.version.size_bytes - std::min(file.version.size_bytes, begin)));
}

bool FileCache::lock() noexcept {
    // Readers hold it for as long as they copy.
    for (int i = 0; i < 100; ++i) {
        if (lock_.try_lock()) {
            return true;
        }
        sched_yield();
    }
    return false;
}

FileCache::File* FileCache::find(const FileState& file) noexcept {
    const auto at = files_.find(file.id);
    return at != files_.end() && at->second.version == file.version ? &at->second : nullptr;
}

bool FileCache::copy(const File& file, std::uint64_t offset, std::byte* to, std::size_t bytes) noexcept {
    while (bytes > 0) {
        const std::uint64_t skip = offset % block_bytes;
        const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block_bytes - skip));
        const auto block = file.blocks.find(offset / block_bytes);
        if (block == file.blocks.end()) {
            return false;
        }
        if (detail::wants_sample()) {
            pool_.sample_read(block->second);
        }
        if (!BlockPool::read_part(block->second, static_cast<std::size_t>(skip), to, part)) {
            return false;
        }
        offset += part;
        to += part;
        bytes -= part;
    }
    return true;
}

bool FileCache::read(const FileState& file, std::uint64_t offset, std::span<const iovec> to, std::size_t length) noexcept {
    if (!lock_.try_lock_shared()) {
        return false;
    }
    File* found = find(file);
    bool whole = found != nullptr;
    for (std::size_t i = 0; whole && length > 0; ++i) {
        const std::size_t part = std::min(length, to[i].iov_len);
        whole = copy(*found, offset, static_cast<std::byte*>(to[i].iov_base), part);
        offset += part;
        length -= part;
    }
    if (whole) {
        found->last_used.store(clock_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    lock_.unlock_shared();
    return whole;
}

bool FileCache::holds(const FileState& file, std::uint64_t block) noexcept {
    if (!lock_.try_lock_shared()) {
        return false;
    }
    bool held = false;
    if (const File* found = find(file)) {
        const auto at = found->blocks.find(block);
        held = at != found->blocks.end() && pool_.holds(at->second);
    }
    lock_.unlock_shared();
    return held;
}

void FileCache::put(const FileState& file, std::uint64_t block, std::span<const std::byte> content) noexcept {
    if (!lock()) {
        return;
    }
    try {
        File& into = make_file(file);
        auto at = into.blocks.find(block);
        if (at == into.blocks.end()) {
            while (blocks_ >= limits_.blocks && drop_oldest(&into)) {
            }
            if (blocks_ >= limits_.blocks) {
                drop_blocks(into);
            }
            // Without an entry the block is not cached.
            AtomicWord* entry = pool_.new_entry();
            try {
                at = into.blocks.emplace(block, entry).first;
            } catch (...) {
                pool_.free_entry(entry);
                throw;
            }
            ++blocks_;
        }
        pool_.store(at->second, content.data(), content.size());
        into.last_used.store(clock_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    } catch (const std::bad_alloc&) {
        // Without memory it is not cached.
    }
    unlock();
}

FileCache::Counts FileCache::counts() noexcept {
    if (!lock()) {
        return {};
    }
    const Counts counts{files_.size(), blocks_, dropped_};
    unlock();
    return counts;
}

FileCache::File& FileCache::make_file(const FileState& file) {
    auto at = files_.find(file.id);
    if (at == files_.end()) {
        while (files_.size() >= limits_.files && drop_oldest(nullptr)) {
        }
        at = files_.try_emplace(file.id).first;
        at->second.version = file.version;
    } else if (at->second.version != file.version) {
        drop_blocks(at->second);
        at->second.version = file.version;
    }
    return at->second;
}

void FileCache::drop_blocks(File& file) noexcept {
    for (const auto& [block, entry] : file.blocks) {
        pool_.free_entry(entry);
    }
    blocks_ -= file.blocks.size();
    dropped_ += file.blocks.size();
    file.blocks.clear();
}

bool FileCache::drop_oldest(const File* but) {
    auto oldest = files_.end();
    for (auto at = files_.begin(); at != files_.end(); ++at) {
        if (&at->second != but && (oldest == files_.end() || at->second.last_used < oldest->second.last_used)) {
            oldest = at;
        }
    }
    if (oldest == files_.end()) {
        return false;
    }
    drop_blocks(oldest->second);
    files_.erase(oldest);
    return true;
}

}  // namespace soft::files
