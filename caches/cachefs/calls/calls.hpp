// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What all calls of FUSE share. Each call replies once. FUSE's threads make several at a time.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "caches/cachefs/blocks/inodes.hpp"
#include "caches/cachefs/calls/file_system.hpp"

namespace tmm::caches {

// How long the kernel answers for itself; changes behind our back are seen that late at most.
inline constexpr double valid_s = 1;

void add_name_calls(fuse_lowlevel_ops& calls);
void add_attribute_calls(fuse_lowlevel_ops& calls);
void add_extended_attribute_calls(fuse_lowlevel_ops& calls);
void add_file_calls(fuse_lowlevel_ops& calls);
void add_folder_calls(fuse_lowlevel_ops& calls);

inline FileSystem& system_of(fuse_req_t request) {
    return **static_cast<std::unique_ptr<FileSystem>*>(fuse_req_userdata(request));
}
inline void reply(fuse_req_t request, int error) {
    fuse_reply_err(request, error);
}
// result: of a system call, which has left its errno if it is negative.
inline void reply_result(fuse_req_t request, int result) {
    fuse_reply_err(request, result < 0 ? errno : 0);
}

// Calls work(FileSystem&, const std::shared_ptr<Inode>&). Answers for what it throws, and for a number that nobody knows.
template <class Work>
void with(fuse_req_t request, fuse_ino_t number, Work&& work) noexcept {
    try {
        FileSystem& system = system_of(request);
        const std::shared_ptr<Inode> inode = system.inodes().find(number);
        if (!inode)
            return reply(request, ESTALE);
        work(system, inode);
    } catch (const std::bad_alloc&) {
        reply(request, ENOMEM);
    }
}

// Nanoseconds since 1970.
std::int64_t now_ns();
// A path that stands for the file of a descriptor, for calls that take no O_PATH descriptor.
std::string path_of(const UniqueFd& descriptor);
Result<struct stat> attributes_of(const Inode& inode);
// Fills the reply for an original; an errno code otherwise. original: an O_PATH descriptor; an invalid one has left its errno.
int refer(FileSystem& system, UniqueFd original, fuse_entry_param& entry);

}  // namespace tmm::caches
