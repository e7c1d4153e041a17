// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls about attributes of a file, and of the whole store.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "caches/cachefs/calls/calls.hpp"
#include "caches/cachefs/calls/opened.hpp"

namespace tmm::caches {
namespace {

void reply_attributes(fuse_req_t request, Inode& inode) {
    struct stat attributes {};
    if (::fstatat(inode.descriptor.get(), "", &attributes, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
        return reply(request, errno);
    if (S_ISREG(attributes.st_mode))
        inode.file.check(attributes, now_ns());
    fuse_reply_attr(request, &attributes, valid_s);
}

void getattr(fuse_req_t request, fuse_ino_t number, fuse_file_info* /*info*/) {
    with(request, number, [&](FileSystem&, const auto& inode) { reply_attributes(request, *inode); });
}

void setattr(fuse_req_t request, fuse_ino_t number, struct stat* wanted, int what, fuse_file_info* info) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        const std::string path = path_of(inode->descriptor);
        if ((what & FUSE_SET_ATTR_MODE) != 0 && ::chmod(path.c_str(), wanted->st_mode) != 0)
            return reply(request, errno);
        if ((what & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID)) != 0) {
            const uid_t uid = (what & FUSE_SET_ATTR_UID) != 0 ? wanted->st_uid : static_cast<uid_t>(-1);
            const gid_t gid = (what & FUSE_SET_ATTR_GID) != 0 ? wanted->st_gid : static_cast<gid_t>(-1);
            if (::fchownat(inode->descriptor.get(), "", uid, gid, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
                return reply(request, errno);
        }
        if ((what & FUSE_SET_ATTR_SIZE) != 0) {
            const auto truncated = inode->file.write_through(
                0, UINT64_MAX, [&]() -> Result<struct stat> {
                    const int done = info != nullptr ? ::ftruncate(file_of(info).descriptor.get(), wanted->st_size)
                                                     : ::truncate(path.c_str(), wanted->st_size);
                    return done == 0 ? attributes_of(*inode) : Error::from_errno(errno, "truncate");
                });
            if (!truncated)
                return reply(request, truncated.error().code());
        }
        if ((what & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME)) != 0) {
            timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
            if ((what & FUSE_SET_ATTR_ATIME_NOW) != 0)
                times[0].tv_nsec = UTIME_NOW;
            else if ((what & FUSE_SET_ATTR_ATIME) != 0)
                times[0] = wanted->st_atim;
            if ((what & FUSE_SET_ATTR_MTIME_NOW) != 0)
                times[1].tv_nsec = UTIME_NOW;
            else if ((what & FUSE_SET_ATTR_MTIME) != 0)
                times[1] = wanted->st_mtim;
            if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0)
                return reply(request, errno);
        }
        reply_attributes(request, *inode);
    });
}

void statfs(fuse_req_t request, fuse_ino_t number) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        struct statvfs state {};
        if (::fstatvfs(inode->descriptor.get(), &state) != 0)
            return reply(request, errno);
        fuse_reply_statfs(request, &state);
    });
}

}  // namespace

void add_attribute_calls(fuse_lowlevel_ops& calls) {
    calls.getattr = getattr;
    calls.setattr = setattr;
    calls.statfs = statfs;
}

}  // namespace tmm::caches
