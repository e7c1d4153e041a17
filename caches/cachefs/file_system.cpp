// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/fsuid.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caches/cachefs/readahead.hpp"

namespace tmm::caches {
namespace {

// How long the kernel answers for itself; changes behind our back are seen that late at most.
constexpr double valid_s = 1;
// A caller with more groups is asked for twice.
constexpr std::size_t max_usual_groups = 64;

std::int64_t now_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// A path that stands for the file of a descriptor, for calls that take no O_PATH descriptor.
std::string path_of(const UniqueFd& descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor.get());
}

// Sets the groups of this thread only, unlike setgroups(3).
void set_thread_groups(const std::vector<gid_t>& groups) {
    ::syscall(SYS_setgroups, groups.size(), groups.data());
}

// Empty if the caller is of another PID namespace: the kernel tells no process then.
std::vector<gid_t> groups_of_caller(fuse_req_t request) {
    std::vector<gid_t> groups(max_usual_groups);
    for (;;) {
        const int count = fuse_req_getgroups(request, static_cast<int>(groups.size()), groups.data());
        const bool fits = count <= static_cast<int>(groups.size());
        groups.resize(static_cast<std::size_t>(std::max(count, 0)));
        if (fits)
            return groups;
    }
}

// The thread acts as the caller, where root serves several users: new files are the caller's, and a write takes away set-user-ID
// bits. The thread's file system ids and groups are its own.
class AsCaller {
public:
    explicit AsCaller(fuse_req_t request) : is_root_(::geteuid() == 0) {
        if (is_root_) {
            const fuse_ctx* caller = fuse_req_ctx(request);
            set_thread_groups(groups_of_caller(request));
            ::setfsgid(caller->gid);
            ::setfsuid(caller->uid);
        }
    }
    ~AsCaller() {
        const int error = errno;
        if (is_root_) {
            ::setfsuid(0);
            ::setfsgid(0);
            set_thread_groups({});
        }
        errno = error;
    }
    AsCaller(const AsCaller&) = delete;
    AsCaller& operator=(const AsCaller&) = delete;

private:
    const bool is_root_;
};

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

OpenFile& file_of(const fuse_file_info* info) {
    return *reinterpret_cast<OpenFile*>(info->fh);
}
OpenFolder& folder_of(const fuse_file_info* info) {
    return *reinterpret_cast<OpenFolder*>(info->fh);
}

}  // namespace

// The calls of FUSE. Each replies once.
struct Calls {
    static FileSystem& system(fuse_req_t request) {
        return **static_cast<std::unique_ptr<FileSystem>*>(fuse_req_userdata(request));
    }
    static void reply(fuse_req_t request, int error) { fuse_reply_err(request, error); }
    static void reply_result(fuse_req_t request, int result) { fuse_reply_err(request, result < 0 ? errno : 0); }

    // Calls work(FileSystem&, Inode&) and answers for what it throws, and for a number that nobody knows.
    template <class Work>
    static void with(fuse_req_t request, fuse_ino_t number, Work&& work) noexcept {
        try {
            FileSystem& system_ = system(request);
            const std::shared_ptr<Inode> inode = system_.inodes_.find(number);
            if (!inode)
                return reply(request, ESTALE);
            work(system_, inode);
        } catch (const std::bad_alloc&) {
            reply(request, ENOMEM);
        }
    }

    static void init(void* /*data*/, fuse_conn_info* connection) {
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

    // Fills the reply for the entry of the folder; an errno code otherwise.
    static int look_up(FileSystem& system_, const Inode& folder, const char* name, fuse_entry_param& entry) {
        return refer(system_, UniqueFd(::openat(folder.descriptor.get(), name, O_PATH | O_NOFOLLOW | O_CLOEXEC)), entry);
    }
    // The same for an O_PATH descriptor; an invalid one has left its errno.
    static int refer(FileSystem& system_, UniqueFd original, fuse_entry_param& entry) {
        if (!original)
            return errno;
        entry = {};
        if (::fstatat(original.get(), "", &entry.attr, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
            return errno;
        const auto [inode, number] = system_.inodes_.refer(std::move(original), entry.attr, now_ns());
        if (S_ISREG(entry.attr.st_mode))
            inode->file.check(entry.attr, now_ns());
        entry.ino = number;
        entry.attr_timeout = entry.entry_timeout = valid_s;
        return 0;
    }
    static void reply_entry(fuse_req_t request, FileSystem& system_, const Inode& folder, const char* name) {
        fuse_entry_param entry;
        if (const int error = look_up(system_, folder, name, entry); error != 0)
            return reply(request, error);
        // The kernel takes the reference only if it hears of it.
        if (fuse_reply_entry(request, &entry) == -ENOENT)
            system_.inodes_.forget(entry.ino, 1);
    }

    static void lookup(fuse_req_t request, fuse_ino_t parent, const char* name) {
        with(request, parent, [&](FileSystem& system_, const auto& folder) { reply_entry(request, system_, *folder, name); });
    }
    static void forget(fuse_req_t request, fuse_ino_t number, std::uint64_t references) {
        system(request).inodes_.forget(number, references);
        fuse_reply_none(request);
    }
    static void forget_multi(fuse_req_t request, std::size_t count, fuse_forget_data* forgotten) {
        for (std::size_t entry = 0; entry < count; ++entry)
            system(request).inodes_.forget(forgotten[entry].ino, forgotten[entry].nlookup);
        fuse_reply_none(request);
    }

    static void reply_attributes(fuse_req_t request, Inode& inode) {
        struct stat attributes {};
        if (::fstatat(inode.descriptor.get(), "", &attributes, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
            return reply(request, errno);
        if (S_ISREG(attributes.st_mode))
            inode.file.check(attributes, now_ns());
        fuse_reply_attr(request, &attributes, valid_s);
    }
    static void getattr(fuse_req_t request, fuse_ino_t number, fuse_file_info* /*info*/) {
        with(request, number, [&](FileSystem&, const auto& inode) { reply_attributes(request, *inode); });
    }
    static void setattr(fuse_req_t request, fuse_ino_t number, struct stat* wanted, int what, fuse_file_info* info) {
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
    static Result<struct stat> attributes_of(const Inode& inode) {
        struct stat attributes {};
        if (::fstatat(inode.descriptor.get(), "", &attributes, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
            return Error::from_errno(errno, "stat");
        return attributes;
    }

    static void readlink(fuse_req_t request, fuse_ino_t number) {
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
    static void make_entry(fuse_req_t request, fuse_ino_t parent, const char* name, Make&& make) {
        with(request, parent, [&](FileSystem& system_, const auto& folder) {
            int made = 0;
            {
                const AsCaller as_caller(request);
                made = make(folder->descriptor.get());
            }
            if (made < 0)
                return reply(request, errno);
            reply_entry(request, system_, *folder, name);
        });
    }
    static void mknod(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode, dev_t device) {
        make_entry(request, parent, name, [&](int folder) { return ::mknodat(folder, name, mode, device); });
    }
    static void mkdir(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode) {
        make_entry(request, parent, name, [&](int folder) { return ::mkdirat(folder, name, mode); });
    }
    static void symlink(fuse_req_t request, const char* target, fuse_ino_t parent, const char* name) {
        make_entry(request, parent, name, [&](int folder) { return ::symlinkat(target, folder, name); });
    }
    static void link(fuse_req_t request, fuse_ino_t number, fuse_ino_t parent, const char* name) {
        with(request, number, [&](FileSystem&, const auto& inode) {
            make_entry(request, parent, name, [&](int folder) {
                return ::linkat(AT_FDCWD, path_of(inode->descriptor).c_str(), folder, name, AT_SYMLINK_FOLLOW);
            });
        });
    }
    static void unlink(fuse_req_t request, fuse_ino_t parent, const char* name) {
        with(request, parent,
             [&](FileSystem&, const auto& folder) { reply_result(request, ::unlinkat(folder->descriptor.get(), name, 0)); });
    }
    static void rmdir(fuse_req_t request, fuse_ino_t parent, const char* name) {
        with(request, parent, [&](FileSystem&, const auto& folder) {
            reply_result(request, ::unlinkat(folder->descriptor.get(), name, AT_REMOVEDIR));
        });
    }
    static void rename(fuse_req_t request, fuse_ino_t parent, const char* name, fuse_ino_t new_parent, const char* new_name,
                       unsigned flags) {
        with(request, parent, [&](FileSystem& system_, const auto& folder) {
            const std::shared_ptr<Inode> new_folder = system_.inodes_.find(new_parent);
            if (!new_folder)
                return reply(request, ESTALE);
            reply_result(request, ::renameat2(folder->descriptor.get(), name, new_folder->descriptor.get(), new_name, flags));
        });
    }

    // The store is opened as the caller asks, except for what the kernel does itself, and O_APPEND: pages of a map have their
    // place in the file.
    static int store_flags(int flags) { return (flags & ~(O_NOFOLLOW | O_EXCL | O_CREAT | O_DIRECT | O_APPEND)) | O_CLOEXEC; }

    static void reply_open(fuse_req_t request, FileSystem& system_, const std::shared_ptr<Inode>& inode, UniqueFd opened,
                           fuse_file_info* info, const fuse_entry_param* entry) {
        struct stat attributes {};
        if (::fstat(opened.get(), &attributes) != 0)
            return reply(request, errno);
        const bool has_changed = inode->file.check(attributes, now_ns());
        info->keep_cache = inode->was_opened.exchange(true) && !has_changed;
        info->direct_io = system_.options_.is_direct;
        info->fh = system_.keep_open(std::make_shared<OpenFile>(std::move(opened), inode, system_.options_.max_depth));
        const int sent = entry != nullptr ? fuse_reply_create(request, entry, info) : fuse_reply_open(request, info);
        // An interrupted caller never closes it.
        if (sent == -ENOENT) {
            system_.close(info->fh);
            if (entry != nullptr)
                system_.inodes_.forget(entry->ino, 1);
        }
    }
    static void open(fuse_req_t request, fuse_ino_t number, fuse_file_info* info) {
        with(request, number, [&](FileSystem& system_, const auto& inode) {
            UniqueFd opened(::open(path_of(inode->descriptor).c_str(), store_flags(info->flags)));
            if (!opened)
                return reply(request, errno);
            reply_open(request, system_, inode, std::move(opened), info, nullptr);
        });
    }
    static void create(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode, fuse_file_info* info) {
        with(request, parent, [&](FileSystem& system_, const auto& folder) {
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
            if (const int error = refer(system_, std::move(original), entry); error != 0)
                return reply(request, error);
            reply_open(request, system_, system_.inodes_.find(entry.ino), std::move(opened), info, &entry);
        });
    }
    static void release(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info* info) {
        system(request).close(info->fh);
        reply(request, 0);
    }
    // Errors that the store keeps for close(2), such as a full disk of a share.
    static void flush(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info* info) {
        const int copy = ::dup(file_of(info).descriptor.get());
        reply_result(request, copy < 0 ? copy : ::close(copy));
    }
    static void fsync(fuse_req_t request, fuse_ino_t /*number*/, int data_only, fuse_file_info* info) {
        const int descriptor = file_of(info).descriptor.get();
        reply_result(request, data_only != 0 ? ::fdatasync(descriptor) : ::fsync(descriptor));
    }

    static void read_ahead(FileSystem& system_, uid_t user, const std::shared_ptr<OpenFile>& open_file, std::uint64_t first,
                           std::uint64_t last) {
        Blocks& blocks = system_.blocks_;
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
            system_.fetchers_.add(user, [&blocks, open_file, number] {
                try {
                    blocks.read_ahead(open_file->inode->file, number,
                                      [&](std::uint64_t wanted) { return open_file->fetch(wanted, blocks.block_bytes()); });
                } catch (const std::bad_alloc&) {
                    // Who wants the block fetches it.
                }
            });
        }
    }
    static void read(fuse_req_t request, fuse_ino_t number, std::size_t size, off_t offset, fuse_file_info* info) {
        with(request, number, [&](FileSystem& system_, const auto& inode) {
            const std::shared_ptr<OpenFile> open_file = file_of(info).shared_from_this();
            const std::size_t block_bytes = system_.blocks_.block_bytes();
            const auto begin = static_cast<std::uint64_t>(offset);
            const std::uint64_t first = begin / block_bytes;
            const std::uint64_t last = (begin + std::max<std::size_t>(size, 1) - 1) / block_bytes;
            read_ahead(system_, fuse_req_ctx(request)->uid, open_file, first, last);
            std::vector<std::shared_ptr<const Block>> held;
            std::vector<iovec> pieces;
            for (std::uint64_t block = first; block <= last; ++block) {
                bool waits = false;
                auto found = system_.blocks_.read(
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
    static void write(fuse_req_t request, fuse_ino_t number, const char* data, std::size_t size, off_t offset,
                      fuse_file_info* info) {
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
    static void fallocate(fuse_req_t request, fuse_ino_t number, int mode, off_t offset, off_t length, fuse_file_info* info) {
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
    static void lseek(fuse_req_t request, fuse_ino_t /*number*/, off_t offset, int whence, fuse_file_info* info) {
        const off_t found = ::lseek(file_of(info).descriptor.get(), offset, whence);
        if (found < 0)
            return reply(request, errno);
        fuse_reply_lseek(request, found);
    }

    static void opendir(fuse_req_t request, fuse_ino_t number, fuse_file_info* info) {
        with(request, number, [&](FileSystem& system_, const auto& inode) {
            const int opened = ::openat(inode->descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (opened < 0)
                return reply(request, errno);
            DIR* stream = ::fdopendir(opened);
            if (stream == nullptr) {
                ::close(opened);
                return reply(request, ENOMEM);
            }
            info->fh = system_.keep_open(std::make_shared<OpenFolder>(stream));
            if (fuse_reply_open(request, info) == -ENOENT)
                system_.close(info->fh);
        });
    }
    static void readdir(fuse_req_t request, fuse_ino_t number, std::size_t size, off_t offset, fuse_file_info* info) {
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
    static void releasedir(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info* info) {
        system(request).close(info->fh);
        reply(request, 0);
    }
    static void fsyncdir(fuse_req_t request, fuse_ino_t /*number*/, int data_only, fuse_file_info* info) {
        const int descriptor = ::dirfd(folder_of(info).stream);
        reply_result(request, data_only != 0 ? ::fdatasync(descriptor) : ::fsync(descriptor));
    }
    static void statfs(fuse_req_t request, fuse_ino_t number) {
        with(request, number, [&](FileSystem&, const auto& inode) {
            struct statvfs state {};
            if (::fstatvfs(inode->descriptor.get(), &state) != 0)
                return reply(request, errno);
            fuse_reply_statfs(request, &state);
        });
    }

    static std::string statistics(const FileSystem& system_) {
        const BlockStatistics counts = system_.blocks_.statistics();
        std::string text;
        for (const auto& [name, value] : {std::pair<const char*, std::uint64_t>{"hits", counts.hits},
                                          {"joined", counts.joined},
                                          {"fetched", counts.fetched},
                                          {"ahead", counts.ahead},
                                          {"changed", counts.changed},
                                          {"bytes", counts.bytes}})
            text += std::string(name) + " " + std::to_string(value) + "\n";
        return text;
    }
    static void reply_sized(fuse_req_t request, std::size_t size, const std::string& value) {
        if (size == 0)
            fuse_reply_xattr(request, value.size());
        else if (size < value.size())
            reply(request, ERANGE);
        else
            fuse_reply_buf(request, value.data(), value.size());
    }
    static void getxattr(fuse_req_t request, fuse_ino_t number, const char* name, std::size_t size) {
        with(request, number, [&](FileSystem& system_, const auto& inode) {
            if (number == Inodes::root && std::strcmp(name, statistics_attribute) == 0)
                return reply_sized(request, size, statistics(system_));
            std::string value(size, '\0');
            const ssize_t got = ::getxattr(path_of(inode->descriptor).c_str(), name, value.data(), size);
            // The kernel lets nobody in where it cannot read a list. A store that knows none has none.
            if (got < 0 && errno == EOPNOTSUPP && std::string_view(name).starts_with("system.posix_acl_"))
                return reply(request, ENODATA);
            if (got < 0)
                return reply(request, errno);
            if (size == 0)
                fuse_reply_xattr(request, static_cast<std::size_t>(got));
            else
                fuse_reply_buf(request, value.data(), static_cast<std::size_t>(got));
        });
    }
    static void listxattr(fuse_req_t request, fuse_ino_t number, std::size_t size) {
        with(request, number, [&](FileSystem&, const auto& inode) {
            std::string names(size, '\0');
            const ssize_t got = ::listxattr(path_of(inode->descriptor).c_str(), names.data(), size);
            if (got < 0)
                return reply(request, errno);
            if (size == 0)
                fuse_reply_xattr(request, static_cast<std::size_t>(got));
            else
                fuse_reply_buf(request, names.data(), static_cast<std::size_t>(got));
        });
    }
    static void setxattr(fuse_req_t request, fuse_ino_t number, const char* name, const char* value, std::size_t size,
                         int flags) {
        with(request, number, [&](FileSystem&, const auto& inode) {
            reply_result(request, ::setxattr(path_of(inode->descriptor).c_str(), name, value, size, flags));
        });
    }
    static void removexattr(fuse_req_t request, fuse_ino_t number, const char* name) {
        with(request, number, [&](FileSystem&, const auto& inode) {
            reply_result(request, ::removexattr(path_of(inode->descriptor).c_str(), name));
        });
    }
};

const fuse_lowlevel_ops& FileSystem::operations() {
    static const fuse_lowlevel_ops all = [] {
        fuse_lowlevel_ops ops{};
        ops.init = Calls::init;
        ops.lookup = Calls::lookup;
        ops.forget = Calls::forget;
        ops.forget_multi = Calls::forget_multi;
        ops.getattr = Calls::getattr;
        ops.setattr = Calls::setattr;
        ops.readlink = Calls::readlink;
        ops.mknod = Calls::mknod;
        ops.mkdir = Calls::mkdir;
        ops.symlink = Calls::symlink;
        ops.link = Calls::link;
        ops.unlink = Calls::unlink;
        ops.rmdir = Calls::rmdir;
        ops.rename = Calls::rename;
        ops.open = Calls::open;
        ops.create = Calls::create;
        ops.read = Calls::read;
        ops.write = Calls::write;
        ops.flush = Calls::flush;
        ops.release = Calls::release;
        ops.fsync = Calls::fsync;
        ops.opendir = Calls::opendir;
        ops.readdir = Calls::readdir;
        ops.releasedir = Calls::releasedir;
        ops.fsyncdir = Calls::fsyncdir;
        ops.statfs = Calls::statfs;
        ops.getxattr = Calls::getxattr;
        ops.listxattr = Calls::listxattr;
        ops.setxattr = Calls::setxattr;
        ops.removexattr = Calls::removexattr;
        ops.fallocate = Calls::fallocate;
        ops.lseek = Calls::lseek;
        return ops;
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
