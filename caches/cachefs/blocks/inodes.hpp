// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inodes: the files and folders that the kernel knows by a number, each with an O_PATH descriptor of its original. A number is
// used once, so the kernel never takes one file for another. Thread-safe.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "caches/cachefs/blocks/blocks.hpp"

namespace tmm::caches {

struct Inode {
    Inode(UniqueFd original, Blocks& blocks, const struct stat& attributes, std::int64_t now_ns)
        : descriptor(std::move(original)), file(blocks, attributes, now_ns) {}

    const UniqueFd descriptor;
    CachedFile file;
    /// Somebody opened it before: the kernel may have pages of it, which are good unless the content has changed since.
    std::atomic<bool> was_opened = false;
};

class Inodes {
public:
    /// The number of the root, as in FUSE.
    static constexpr std::uint64_t root = 1;

    /// `root_folder`: an O_PATH descriptor. Throws std::system_error if its attributes cannot be read.
    Inodes(Blocks& blocks, UniqueFd root_folder, std::int64_t now_ns);

    /// nullptr: there is none with this number.
    [[nodiscard]] std::shared_ptr<Inode> find(std::uint64_t number) const;
    /// The inode of this original, and its number. Counts one more reference of the kernel's.
    std::pair<std::shared_ptr<Inode>, std::uint64_t> refer(UniqueFd original, const struct stat& attributes, std::int64_t now_ns);
    /// The kernel drops `references` of these.
    void forget(std::uint64_t number, std::uint64_t references);

private:
    using Original = std::pair<dev_t, ino_t>;
    struct Known {
        std::shared_ptr<Inode> inode;
        Original original;
        std::uint64_t references = 0;
    };
    Blocks& blocks_;
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, Known> known_;
    std::map<Original, std::uint64_t> numbers_;
    std::uint64_t last_ = root;
};

}  // namespace tmm::caches
