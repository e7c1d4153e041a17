// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/calls/calls.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <string>
#include <utility>

namespace tmm::caches {

std::int64_t now_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string path_of(const UniqueFd& descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor.get());
}

Result<struct stat> attributes_of(const Inode& inode) {
    struct stat attributes {};
    if (::fstatat(inode.descriptor.get(), "", &attributes, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
        return Error::from_errno(errno, "stat");
    return attributes;
}

int refer(FileSystem& system, UniqueFd original, fuse_entry_param& entry) {
    if (!original)
        return errno;
    entry = {};
    if (::fstatat(original.get(), "", &entry.attr, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    const auto [inode, number] = system.inodes().refer(std::move(original), entry.attr, now_ns());
    if (S_ISREG(entry.attr.st_mode))
        inode->file.check(entry.attr, now_ns());
    entry.ino = number;
    entry.attr_timeout = entry.entry_timeout = valid_s;
    return 0;
}

}  // namespace tmm::caches
