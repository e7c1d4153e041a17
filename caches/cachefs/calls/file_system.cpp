// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/calls/file_system.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "caches/cachefs/calls/calls.hpp"

namespace tmm::caches {
namespace {

void init(void* /*data*/, fuse_conn_info* connection) {
    // The kernel drops its pages of a file whose times or size have changed.
    connection->want |= connection->capable & (FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_PARALLEL_DIROPS | FUSE_CAP_ASYNC_READ);
    // The kernel checks permissions, so it must know the access control lists.
    connection->want |= connection->capable & FUSE_CAP_POSIX_ACL;
    // An open that truncates is two calls then, and the second one takes away set-user-ID bits.
    connection->want &= ~FUSE_CAP_ATOMIC_O_TRUNC;
    connection->max_readahead = UINT32_MAX;
    // The kernel keeps further ones in one queue for all users.
    connection->max_background = UINT16_MAX;
}

}  // namespace

const fuse_lowlevel_ops& FileSystem::operations() {
    static const fuse_lowlevel_ops all = [] {
        fuse_lowlevel_ops calls{};
        calls.init = init;
        add_name_calls(calls);
        add_attribute_calls(calls);
        add_extended_attribute_calls(calls);
        add_file_calls(calls);
        add_folder_calls(calls);
        return calls;
    }();
    return all;
}

std::uint64_t FileSystem::keep_open(std::shared_ptr<void> opened) {
    const auto handle = reinterpret_cast<std::uintptr_t>(opened.get());
    const std::lock_guard lock(open_mutex_);
    open_.emplace(handle, std::move(opened));
    return handle;
}

void FileSystem::close(std::uint64_t handle) {
    std::shared_ptr<void> closed;
    const std::lock_guard lock(open_mutex_);
    if (const auto found = open_.find(handle); found != open_.end()) {
        closed = std::move(found->second);
        open_.erase(found);
    }
}

FileSystem::FileSystem(UniqueFd source, Blocks& blocks, const FileSystemOptions& options)
    : blocks_(blocks),
      options_(options),
      inodes_(blocks, std::move(source), now_ns()),
      fetchers_(options.max_depth > 0 ? options.fetchers : 0, 4 * std::max<std::size_t>(options.max_depth, 1)) {}

}  // namespace tmm::caches
