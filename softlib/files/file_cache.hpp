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
#include "softlib/pool_base.hpp"

namespace soft::files {

inline constexpr std::uint64_t block_bytes = 65536;

/// Parts of files in soft memory: blocks of 64 KiB, the last one of a file shorter. What is there belongs to one version of its
/// file; another version is another content.
///
/// All functions are thread-safe and none waits: who cannot have the table just now finds nothing in it, or puts nothing into it.
class FileCache {
public:
    struct Limits {
        /// Beyond them those files go that were not used for longest.
        std::size_t files = 4096;
        /// About 64 bytes of ordinary memory each, also of those whose content the kernel took.
        std::size_t blocks = std::size_t{1} << 20;
    };
    struct Counts {
        std::size_t files = 0;
        std::size_t blocks = 0;
        /// Because of another version, or of the limits.
        std::uint64_t dropped = 0;
    };

    explicit FileCache(soft::heap& heap) : FileCache(heap, Limits{}) {}
    FileCache(soft::heap& heap, const Limits& limits) : limits_(limits), pool_(heap) {}
    ~FileCache();
    FileCache(const FileCache&) = delete;
    FileCache& operator=(const FileCache&) = delete;

    /// Copies `length` bytes (> 0, not beyond the end of the file) from `offset` on, all of them or, if it returns false, an
    /// unspecified part. `to` has room for them. Does not allocate.
    [[nodiscard]] bool read(const FileState& file, std::uint64_t offset, std::span<const iovec> to, std::size_t length) noexcept;
    /// Whether the block is there now.
    [[nodiscard]] bool holds(const FileState& file, std::uint64_t block) noexcept;
    /// content: all of the block.
    void put(const FileState& file, std::uint64_t block, std::span<const std::byte> content) noexcept;
    [[nodiscard]] Counts counts() noexcept;

    /// Before fork(): false if others did not leave the table, which is of no use in the child then.
    [[nodiscard]] bool lock() noexcept;
    void unlock() noexcept { lock_.unlock(); }

    /// What belongs into the block.
    [[nodiscard]] static std::size_t bytes_of(const FileState& file, std::uint64_t block) noexcept;

private:
    class BlockPool : public pool_base {
    public:
        explicit BlockPool(soft::heap& heap) : pool_base(heap, "files", 0) {}
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

    // With the gate entered or closed.
    [[nodiscard]] File* find(const FileState& file) noexcept;
    [[nodiscard]] bool copy(const File& file, std::uint64_t offset, std::byte* to, std::size_t bytes) noexcept;
    // With the gate closed.
    File& make_file(const FileState& file);
    void drop_blocks(File& file) noexcept;
    /// But not this one.
    bool drop_oldest(const File* but);

    const Limits limits_;
    BlockPool pool_;
    TryRwLock lock_;
    Files files_;
    std::size_t blocks_ = 0;
    std::uint64_t dropped_ = 0;
    /// Ticks with each block that is put.
    std::atomic<std::uint64_t> clock_{0};
};

}  // namespace soft::files
