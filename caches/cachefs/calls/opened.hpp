// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel has open.
#pragma once

#include <dirent.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "caches/cachefs/blocks/blocks.hpp"
#include "caches/cachefs/blocks/inodes.hpp"
#include "caches/cachefs/blocks/readahead.hpp"
#include "caches/cachefs/calls/file_system.hpp"

namespace tmm::caches {

// An open file, with what its reader does. Jobs of the fetchers hold it, too.
struct OpenFile : std::enable_shared_from_this<OpenFile> {
    OpenFile(UniqueFd opened, std::shared_ptr<Inode> of, std::uint64_t max_depth)
        : descriptor(std::move(opened)), inode(std::move(of)), readahead(max_depth) {}

    // Reads one block of the store.
    Result<Block> fetch(std::uint64_t number, std::size_t block_bytes) const {
        Block block(block_bytes);
        std::size_t filled = 0;
        while (filled < block.size()) {
            const ssize_t read = ::pread(descriptor.get(), block.data() + filled, block.size() - filled,
                                         static_cast<off_t>(number * block_bytes + filled));
            if (read < 0 && errno == EINTR)
                continue;
            if (read < 0)
                return Error::from_errno(errno, "read");
            if (read == 0)
                break;
            filled += static_cast<std::size_t>(read);
        }
        block.resize(filled);
        return block;
    }

    const UniqueFd descriptor;
    const std::shared_ptr<Inode> inode;
    std::mutex mutex;
    Readahead readahead;
};

struct OpenFolder {
    explicit OpenFolder(DIR* opened) : stream(opened) {}
    ~OpenFolder() { ::closedir(stream); }
    OpenFolder(const OpenFolder&) = delete;
    OpenFolder& operator=(const OpenFolder&) = delete;

    DIR* stream;
    // An entry that was read and did not fit the last reply.
    dirent* entry = nullptr;
    off_t offset = 0;
};

inline OpenFile& file_of(const fuse_file_info* info) {
    return *reinterpret_cast<OpenFile*>(info->fh);
}
inline OpenFolder& folder_of(const fuse_file_info* info) {
    return *reinterpret_cast<OpenFolder*>(info->fh);
}

}  // namespace tmm::caches
