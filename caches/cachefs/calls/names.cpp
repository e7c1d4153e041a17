// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls that find, make, move and remove names.
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "caches/cachefs/calls/caller.hpp"
#include "caches/cachefs/calls/calls.hpp"

namespace tmm::caches {
namespace {

void reply_entry(fuse_req_t request, FileSystem& system, const Inode& folder, const char* name) {
    UniqueFd original(::openat(folder.descriptor.get(), name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    fuse_entry_param entry;
    if (const int error = refer(system, std::move(original), entry); error != 0)
        return reply(request, error);
    // The kernel takes the reference only if it hears of it.
    if (fuse_reply_entry(request, &entry) == -ENOENT)
        system.inodes().forget(entry.ino, 1);
}

void lookup(fuse_req_t request, fuse_ino_t parent, const char* name) {
    with(request, parent, [&](FileSystem& system, const auto& folder) { reply_entry(request, system, *folder, name); });
}

void forget(fuse_req_t request, fuse_ino_t number, std::uint64_t references) {
    system_of(request).inodes().forget(number, references);
    fuse_reply_none(request);
}

void forget_multi(fuse_req_t request, std::size_t count, fuse_forget_data* forgotten) {
    for (std::size_t entry = 0; entry < count; ++entry)
        system_of(request).inodes().forget(forgotten[entry].ino, forgotten[entry].nlookup);
    fuse_reply_none(request);
}

void readlink(fuse_req_t request, fuse_ino_t number) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        std::string target(PATH_MAX + 1, '\0');
        const ssize_t size = ::readlinkat(inode->descriptor.get(), "", target.data(), target.size());
        if (size < 0)
            return reply(request, errno);
        if (static_cast<std::size_t>(size) == target.size())
            return reply(request, ENAMETOOLONG);
        target.resize(static_cast<std::size_t>(size));
        fuse_reply_readlink(request, target.c_str());
    });
}

// Makes a new name in the folder by make(), as the caller, and replies with what has it.
template <class Make>
void make_entry(fuse_req_t request, fuse_ino_t parent, const char* name, Make&& make) {
    with(request, parent, [&](FileSystem& system, const auto& folder) {
        int made = 0;
        {
            const AsCaller as_caller(request);
            made = make(folder->descriptor.get());
        }
        if (made < 0)
            return reply(request, errno);
        reply_entry(request, system, *folder, name);
    });
}

void mknod(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode, dev_t device) {
    make_entry(request, parent, name, [&](int folder) { return ::mknodat(folder, name, mode, device); });
}

void mkdir(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode) {
    make_entry(request, parent, name, [&](int folder) { return ::mkdirat(folder, name, mode); });
}

void symlink(fuse_req_t request, const char* target, fuse_ino_t parent, const char* name) {
    make_entry(request, parent, name, [&](int folder) { return ::symlinkat(target, folder, name); });
}

void link(fuse_req_t request, fuse_ino_t number, fuse_ino_t parent, const char* name) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        make_entry(request, parent, name, [&](int folder) {
            return ::linkat(AT_FDCWD, path_of(inode->descriptor).c_str(), folder, name, AT_SYMLINK_FOLLOW);
        });
    });
}

void unlink(fuse_req_t request, fuse_ino_t parent, const char* name) {
    with(request, parent,
         [&](FileSystem&, const auto& folder) { reply_result(request, ::unlinkat(folder->descriptor.get(), name, 0)); });
}

void rmdir(fuse_req_t request, fuse_ino_t parent, const char* name) {
    with(request, parent, [&](FileSystem&, const auto& folder) {
        reply_result(request, ::unlinkat(folder->descriptor.get(), name, AT_REMOVEDIR));
    });
}

void rename(fuse_req_t request, fuse_ino_t parent, const char* name, fuse_ino_t new_parent, const char* new_name,
            unsigned flags) {
    with(request, parent, [&](FileSystem& system, const auto& folder) {
        const std::shared_ptr<Inode> new_folder = system.inodes().find(new_parent);
        if (!new_folder)
            return reply(request, ESTALE);
        reply_result(request, ::renameat2(folder->descriptor.get(), name, new_folder->descriptor.get(), new_name, flags));
    });
}

}  // namespace

void add_name_calls(fuse_lowlevel_ops& calls) {
    calls.lookup = lookup;
    calls.forget = forget;
    calls.forget_multi = forget_multi;
    calls.readlink = readlink;
    calls.mknod = mknod;
    calls.mkdir = mkdir;
    calls.symlink = symlink;
    calls.link = link;
    calls.unlink = unlink;
    calls.rmdir = rmdir;
    calls.rename = rename;
}

}  // namespace tmm::caches
