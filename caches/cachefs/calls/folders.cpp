// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls about open folders.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "caches/cachefs/calls/calls.hpp"
#include "caches/cachefs/calls/opened.hpp"

namespace tmm::caches {
namespace {

void opendir(fuse_req_t request, fuse_ino_t number, fuse_file_info* info) {
    with(request, number, [&](FileSystem& system, const auto& inode) {
        const int opened = ::openat(inode->descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (opened < 0)
            return reply(request, errno);
        DIR* stream = ::fdopendir(opened);
        if (stream == nullptr) {
            ::close(opened);
            return reply(request, ENOMEM);
        }
        info->fh = system.keep_open(std::make_shared<OpenFolder>(stream));
        if (fuse_reply_open(request, info) == -ENOENT)
            system.close(info->fh);
    });
}

void readdir(fuse_req_t request, fuse_ino_t number, std::size_t size, off_t offset, fuse_file_info* info) {
    with(request, number, [&](FileSystem&, const auto&) {
        OpenFolder& folder = folder_of(info);
        if (offset != folder.offset) {
            ::seekdir(folder.stream, offset);
            folder.entry = nullptr;
            folder.offset = offset;
        }
        std::string reply_text(size, '\0');
        std::size_t used = 0;
        for (;;) {
            if (folder.entry == nullptr) {
                errno = 0;
                folder.entry = ::readdir(folder.stream);
                if (folder.entry == nullptr && errno != 0 && used == 0)
                    return reply(request, errno);
                if (folder.entry == nullptr)
                    break;
            }
            struct stat attributes {};
            attributes.st_ino = folder.entry->d_ino;
            attributes.st_mode = static_cast<mode_t>(folder.entry->d_type) << 12U;
            const std::size_t needs = fuse_add_direntry(request, reply_text.data() + used, size - used, folder.entry->d_name,
                                                        &attributes, folder.entry->d_off);
            if (needs > size - used)
                break;
            used += needs;
            folder.offset = folder.entry->d_off;
            folder.entry = nullptr;
        }
        fuse_reply_buf(request, reply_text.data(), used);
    });
}

void releasedir(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info* info) {
    system_of(request).close(info->fh);
    reply(request, 0);
}

void fsyncdir(fuse_req_t request, fuse_ino_t /*number*/, int data_only, fuse_file_info* info) {
    const int descriptor = ::dirfd(folder_of(info).stream);
    reply_result(request, data_only != 0 ? ::fdatasync(descriptor) : ::fsync(descriptor));
}

}  // namespace

void add_folder_calls(fuse_lowlevel_ops& calls) {
    calls.opendir = opendir;
    calls.readdir = readdir;
    calls.releasedir = releasedir;
    calls.fsyncdir = fsyncdir;
}

}  // namespace tmm::caches
