// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "files/file_state.hpp"
#include "files/try_rw_lock.hpp"
#include "softlib/detail/pool_base.hpp"

namespace soft::files {

inline constexpr std::uint64_t block_bytes = 65536;

/// Blocks of files in soft memory: 64 KiB each, the last one of a file shorter. The blocks belong to one version of their file;
/// another version has other content. All functions are thread-safe and none waits: a thread that cannot get the table finds
/// nothing in it, or puts nothing into it.
class FileCache {
public:
    struct Limits {
        /// At the limits, the least recently used files go.
        std::size_t files = 4096;
        /// Each takes about 64 bytes of ordinary memory, also if the kernel took its content.
        std::size_t blocks = std::size_t{1} << 20;
    };
    struct Counts {
        std::size_t files = 0;
        std::size_t blocks = 0;
        /// Blocks dropped for another version, or because of the limits.
        std::uint64_t dropped = 0;
    };

    explicit FileCache(soft::heap& heap) : FileCache(heap, Limits{}) {}
    FileCache(soft::heap& heap, const Limits& limits) : limits_(limits), pool_(heap) {}
    ~FileCache();
    FileCache(const FileCache&) = delete;
    FileCache& operator=(const FileCache&) = delete;

    /// Copies `length` bytes from `offset` on to `to`, which has room for them; 0 < `length`, within the file. Returns true if it
    /// copied all; otherwise it may have copied some. Does not allocate.
    [[nodiscard]] bool read(const FileState& file, std::uint64_t offset, std::span<const iovec> to, std::size_t length) noexcept;
    /// Whether the block is there now.
    [[nodiscard]] bool holds(const FileState& file, std::uint64_t block) noexcept;
    /// Stores a block. `content`: all of its bytes.
    void put(const FileState& file, std::uint64_t block, std::span<const std::byte> content) noexcept;
    [[nodiscard]] Counts counts() noexcept;

    /// Before fork(). Returns false if other threads keep the table; then the child cannot use it.
    [[nodiscard]] bool lock() noexcept;
    void unlock() noexcept { lock_.unlock(); }

    /// Size of the block, in bytes.
    [[nodiscard]] static std::size_t bytes_of(const FileState& file, std::uint64_t block) noexcept;

private:
    class BlockPool : public detail::PoolBase {
    public:
        explicit BlockPool(soft::heap& heap) : detail::PoolBase(heap, "files", 0) {}
    };
    struct File {
        FileVersion version;
        std::unordered_map<std::uint64_t, detail::AtomicWord*> blocks;
        std::atomic<std::uint64_t> last_used{0};
    };
    struct Hash {
        std::size_t operator()(const FileId& id) const noexcept { return hash_of(id); }
    };
    using Files = std::unordered_map<FileId, File, Hash>;

    // With the lock held, shared or not.
    [[nodiscard]] File* find(const FileState& file) noexcept;
    [[nodiscard]] bool copy(const File& file, std::uint64_t offset, std::byte* to, std::size_t bytes) noexcept;
    // With the lock held alone.
    File& make_file(const FileState& file);
    void drop_blocks(File& file) noexcept;
    /// Drops the least recently used file other than `but`.
    bool drop_oldest(const File* but);

    const Limits limits_;
    BlockPool pool_;
    TryRwLock lock_;
    Files files_;
    std::size_t blocks_ = 0;
    std::uint64_t dropped_ = 0;
    /// Advances with each block that is put.
    std::atomic<std::uint64_t> clock_{0};
};

}  // namespace soft::files
