// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls about open files.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "caches/cachefs/calls/caller.hpp"
#include "caches/cachefs/calls/calls.hpp"
#include "caches/cachefs/calls/opened.hpp"

namespace tmm::caches {
namespace {

// The store is opened as the caller asks, except for what the kernel does itself, and O_APPEND: pages of a map have their
// place in the file.
int store_flags(int flags) {
    return (flags & ~(O_NOFOLLOW | O_EXCL | O_CREAT | O_DIRECT | O_APPEND)) | O_CLOEXEC;
}

void reply_open(fuse_req_t request, FileSystem& system, const std::shared_ptr<Inode>& inode, UniqueFd opened,
                fuse_file_info* info, const fuse_entry_param* entry) {
    struct stat attributes {};
    if (::fstat(opened.get(), &attributes) != 0)
        return reply(request, errno);
    const bool has_changed = inode->file.check(attributes, now_ns());
    info->keep_cache = inode->was_opened.exchange(true) && !has_changed;
    info->direct_io = system.options().is_direct;
    info->fh = system.keep_open(std::make_shared<OpenFile>(std::move(opened), inode, system.options().max_depth));
    const int sent = entry != nullptr ? fuse_reply_create(request, entry, info) : fuse_reply_open(request, info);
    // An interrupted caller never closes it.
    if (sent == -ENOENT) {
        system.close(info->fh);
        if (entry != nullptr)
            system.inodes().forget(entry->ino, 1);
    }
}

void open(fuse_req_t request, fuse_ino_t number, fuse_file_info* info) {
    with(request, number, [&](FileSystem& system, const auto& inode) {
        UniqueFd opened(::open(path_of(inode->descriptor).c_str(), store_flags(info->flags)));
        if (!opened)
            return reply(request, errno);
        reply_open(request, system, inode, std::move(opened), info, nullptr);
    });
}

void create(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode, fuse_file_info* info) {
    with(request, parent, [&](FileSystem& system, const auto& folder) {
        UniqueFd opened;
        {
            const AsCaller as_caller(request);
            opened = UniqueFd(::openat(folder->descriptor.get(), name,
                                       store_flags(info->flags) | O_CREAT | O_NOFOLLOW | (info->flags & O_EXCL), mode));
        }
        if (!opened)
            return reply(request, errno);
        // Not by name: it may be another file's by now, whose blocks would come from this one.
        UniqueFd original(::open(path_of(opened).c_str(), O_PATH | O_CLOEXEC));
        fuse_entry_param entry;
        if (const int error = refer(system, std::move(original), entry); error != 0)
            return reply(request, error);
        reply_open(request, system, system.inodes().find(entry.ino), std::move(opened), info, &entry);
    });
}

void release(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info* info) {
    system_of(request).close(info->fh);
    reply(request, 0);
}

// Errors that the store keeps for close(2), such as a full disk of a share.
void flush(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info* info) {
    const int copy = ::dup(file_of(info).descriptor.get());
    reply_result(request, copy < 0 ? copy : ::close(copy));
}

void fsync(fuse_req_t request, fuse_ino_t /*number*/, int data_only, fuse_file_info* info) {
    const int descriptor = file_of(info).descriptor.get();
    reply_result(request, data_only != 0 ? ::fdatasync(descriptor) : ::fsync(descriptor));
}

void read_ahead(FileSystem& system, uid_t user, const std::shared_ptr<OpenFile>& open_file, std::uint64_t first,
                std::uint64_t last) {
    Blocks& blocks = system.blocks();
    bool waits = false;
    for (std::uint64_t number = first; number <= last; ++number)
        waits = blocks.look(open_file->inode->file, number) != Blocks::State::there || waits;
    BlockRange range;
    {
        const std::lock_guard lock(open_file->mutex);
        range = open_file->readahead.read(first, last, waits);
    }
    const std::uint64_t size = open_file->inode->file.size();
    const std::uint64_t end = std::min(range.first + range.count, (size + blocks.block_bytes() - 1) / blocks.block_bytes());
    for (std::uint64_t number = range.first; number < end; ++number) {
        system.fetchers().add(user, [&blocks, open_file, number] {
            try {
                blocks.read_ahead(open_file->inode->file, number,
                                  [&](std::uint64_t wanted) { return open_file->fetch(wanted, blocks.block_bytes()); });
            } catch (const std::bad_alloc&) {
                // Who wants the block fetches it.
            }
        });
    }
}

void read(fuse_req_t request, fuse_ino_t number, std::size_t size, off_t offset, fuse_file_info* info) {
    with(request, number, [&](FileSystem& system, const auto& inode) {
        const std::shared_ptr<OpenFile> open_file = file_of(info).shared_from_this();
        const std::size_t block_bytes = system.blocks().block_bytes();
        const auto begin = static_cast<std::uint64_t>(offset);
        const std::uint64_t first = begin / block_bytes;
        const std::uint64_t last = (begin + std::max<std::size_t>(size, 1) - 1) / block_bytes;
        read_ahead(system, fuse_req_ctx(request)->uid, open_file, first, last);
        std::vector<std::shared_ptr<const Block>> held;
        std::vector<iovec> pieces;
        for (std::uint64_t block = first; block <= last; ++block) {
            bool waits = false;
            auto found = system.blocks().read(
                inode->file, block, [&](std::uint64_t wanted) { return open_file->fetch(wanted, block_bytes); }, waits);
            if (!found)
                return reply(request, found.error().code());
            const Block& bytes = **found;
            const std::uint64_t start = block * block_bytes;
            const std::size_t from = begin > start ? begin - start : 0;
            const std::size_t to = std::min<std::uint64_t>(bytes.size(), begin + size - start);
            if (from < to)
                pieces.push_back({const_cast<std::byte*>(bytes.data()) + from, to - from});
            const bool is_last = bytes.size() < block_bytes;
            held.push_back(std::move(*found));
            if (is_last)
                break;
        }
        fuse_reply_iov(request, pieces.data(), static_cast<int>(pieces.size()));
    });
}

void write(fuse_req_t request, fuse_ino_t number, const char* data, std::size_t size, off_t offset, fuse_file_info* info) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        const int descriptor = file_of(info).descriptor.get();
        if (const auto before = attributes_of(*inode); before)
            inode->file.check(*before, now_ns());
        std::size_t written = 0;
        // As the caller has it now.
        const bool appends = (info->flags & O_APPEND) != 0 && info->writepage == 0;
        const AsCaller as_caller(request);
        const auto done = inode->file.write_through(
            static_cast<std::uint64_t>(offset), size, [&]() -> Result<struct stat> {
                while (written < size) {
                    const iovec rest{const_cast<char*>(data) + written, size - written};
                    const ssize_t wrote =
                        ::pwritev2(descriptor, &rest, 1, offset + static_cast<off_t>(written), appends ? RWF_APPEND : 0);
                    if (wrote < 0 && errno == EINTR)
                        continue;
                    if (wrote < 0)
                        return Error::from_errno(errno, "write");
                    written += static_cast<std::size_t>(wrote);
                }
                return attributes_of(*inode);
            });
        if (!done && written == 0)
            return reply(request, done.error().code());
        fuse_reply_write(request, written);
    });
}

void fallocate(fuse_req_t request, fuse_ino_t number, int mode, off_t offset, off_t length, fuse_file_info* info) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        const auto done = inode->file.write_through(
            static_cast<std::uint64_t>(offset), UINT64_MAX, [&]() -> Result<struct stat> {
                if (::fallocate(file_of(info).descriptor.get(), mode, offset, length) != 0)
                    return Error::from_errno(errno, "fallocate");
                return attributes_of(*inode);
            });
        reply(request, done ? 0 : done.error().code());
    });
}

void lseek(fuse_req_t request, fuse_ino_t /*number*/, off_t offset, int whence, fuse_file_info* info) {
    const off_t found = ::lseek(file_of(info).descriptor.get(), offset, whence);
    if (found < 0)
        return reply(request, errno);
    fuse_reply_lseek(request, found);
}

}  // namespace

void add_file_calls(fuse_lowlevel_ops& calls) {
    calls.open = open;
    calls.create = create;
    calls.release = release;
    calls.flush = flush;
    calls.fsync = fsync;
    calls.read = read;
    calls.write = write;
    calls.fallocate = fallocate;
    calls.lseek = lseek;
}

}  // namespace tmm::caches
