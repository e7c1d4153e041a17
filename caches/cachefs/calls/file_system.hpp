// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FileSystem: shows a folder of a slow store as it is, and answers reads from blocks in soft memory. Writes go through to the
// store at once. FUSE's threads call it, several at a time.
#pragma once

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/unique_fd.hpp"
#include "caches/cachefs/blocks/blocks.hpp"
#include "caches/cachefs/blocks/fetchers.hpp"
#include "caches/cachefs/blocks/inodes.hpp"

namespace tmm::caches {

struct FileSystemOptions {
    /// Read-ahead of a sequential reader, in blocks; 0: none.
    std::uint64_t max_depth = 128;
    /// Threads that fetch ahead.
    std::size_t fetchers = 16;
    /// The kernel keeps no pages of files. Then each byte is in memory once, and programs cannot map files shared and writable.
    bool is_direct = false;
};

/// The extended attribute of the root that shows the counts, one `name value` a line.
inline constexpr const char* statistics_attribute = "user.tmm-cachefs";

class FileSystem {
public:
    /// `source`: an O_PATH descriptor of the folder to show. Throws std::system_error without threads or if the folder cannot be
    /// read.
    FileSystem(UniqueFd source, Blocks& blocks, const FileSystemOptions& options);

    /// For fuse_session_new(). The user data is a std::unique_ptr<FileSystem>, which is set before the session's loop begins.
    static const fuse_lowlevel_ops& operations();

    Blocks& blocks() { return blocks_; }
    Inodes& inodes() { return inodes_; }
    Fetchers& fetchers() { return fetchers_; }
    [[nodiscard]] const FileSystemOptions& options() const { return options_; }
    /// Returns the number of an open file or folder for the kernel, which is its address; it stays until close().
    std::uint64_t keep_open(std::shared_ptr<void> opened);
    void close(std::uint64_t handle);

private:
    Blocks& blocks_;
    const FileSystemOptions options_;
    Inodes inodes_;
    std::mutex open_mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<void>> open_;
    Fetchers fetchers_;
};

}  // namespace tmm::caches
