// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/shim.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "files/descriptors.hpp"
#include "files/file_cache.hpp"
#include "files/patterns.hpp"
#include "files/try_rw_lock.hpp"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

namespace soft::files {
namespace {

// All of this exists before any constructor has run and is never destroyed.
constinit Descriptors descriptors;
// The process that the rest belongs to; 0: there is nothing to do. A child of vfork() shares the memory but not the descriptors
// of its parent; in one of a bare clone(), nobody would release the locks.
constinit std::atomic<pid_t> owner{0};
constinit const Patterns* patterns = nullptr;
constinit std::atomic<FileCache*> cache{nullptr};
constinit TryRwLock making_cache;
constinit std::atomic<std::uint64_t> hits{0};
constinit std::atomic<std::uint64_t> misses{0};
constinit std::atomic<std::uint64_t> served_bytes{0};

[[gnu::tls_model("initial-exec")]] constinit thread_local bool is_inside = false;
// Of the fork that the thread is about to do.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool cache_is_locked = false;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool child_is_usable = false;

// Surrounds all work here: the calls that it makes, and a signal handler in between, get the real functions.
class Inside {
public:
    Inside() noexcept : was_inside_(is_inside), errno_(errno) { is_inside = true; }
    ~Inside() {
        is_inside = was_inside_;
        errno = errno_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    /// Whether there is something to do.
    [[nodiscard]] bool is_due() const noexcept {
        const pid_t process = owner.load(std::memory_order_acquire);
        return !was_inside_ && process != 0 && process == getpid();
    }

private:
    bool was_inside_;
    int errno_;
};

// While it lives, the thread is neither signalled nor cancelled, and a thread that the heap starts never gets the program's
// signals.
class Undisturbed {
public:
    Undisturbed() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_before_);
    }
    ~Undisturbed() {
        pthread_setcancelstate(cancel_before_, nullptr);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

    /// A signal handler runs with its signal blocked, and may have interrupted malloc().
    [[nodiscard]] bool may_be_in_a_handler() const noexcept { return sigisemptyset(&before_) == 0; }

private:
    sigset_t before_;
    int cancel_before_ = 0;
};

std::optional<FileState> state_of_descriptor(int fd) noexcept {
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return state_of(status);
}

bool is_chosen(int fd) noexcept {
    char link[32];
    char path[max_path_bytes + 2];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) {
        return false;
    }
    path[length] = '\0';
    struct statfs system;
    return patterns->match(path) && fstatfs(fd, &system) == 0 &&
           is_local_file_system(static_cast<std::uint64_t>(system.f_type) & UINT32_MAX);
}

// Faults the pages in as an access would, but reports if there are none. `bytes`: no more than a call reads.
bool populate(const void* at, std::size_t bytes, int how) noexcept {
    if (bytes == 0) {
        return true;
    }
    const auto page = static_cast<std::size_t>(getpagesize());
    const std::size_t before = reinterpret_cast<std::uintptr_t>(at) % page;
    auto* first = static_cast<char*>(const_cast<void*>(at)) - before;
    return madvise(first, (before + bytes + page - 1) / page * page, how) == 0;
}

// With signals blocked. Returns nullptr if another thread is making the cache. Without memory for it the lock stays locked, for
// good.
FileCache* made_cache() {
    if (cache.load(std::memory_order_acquire) == nullptr && making_cache.try_lock()) {
        if (cache.load(std::memory_order_relaxed) == nullptr) {
            cache.store(new FileCache(soft::heap::process()), std::memory_order_release);
        }
        making_cache.unlock();
    }
    return cache.load(std::memory_order_acquire);
}

// fork().

void before_fork() {
    FileCache* there = cache.load(std::memory_order_acquire);
    cache_is_locked = there != nullptr && there->lock();
    child_is_usable = (cache_is_locked || there == nullptr) && owner.load(std::memory_order_relaxed) == getpid();
}

void after_fork_in_parent() {
    if (cache_is_locked) {
        cache.load(std::memory_order_relaxed)->unlock();
    }
}

void after_fork_in_child() {
    owner.store(child_is_usable ? getpid() : 0, std::memory_order_relaxed);
    for (std::atomic<std::uint64_t>* count : {&hits, &misses, &served_bytes}) {
        count->store(0, std::memory_order_relaxed);
    }
    after_fork_in_parent();
}

[[gnu::constructor]] void start() {
    const char* list = secure_getenv("SOFTLIB_FILES");
    if (list == nullptr || *list == '\0') {
        return;
    }
    const Inside inside;
    try {
        std::vector<std::string> complaints;
        patterns = new Patterns(list, complaints);
        for (const std::string& complaint : complaints) {
            dprintf(STDERR_FILENO, "softlib-files: SOFTLIB_FILES: %s\n", complaint.c_str());
        }
    } catch (const std::bad_alloc&) {
        return;
    }
    if (!patterns->empty() && pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0) {
        owner.store(getpid(), std::memory_order_release);
    }
}

[[gnu::destructor]] void report() {
    const Inside inside;
    const char* wanted = secure_getenv("SOFTLIB_FILES_STATS");
    if (!inside.is_due() || wanted == nullptr || std::strcmp(wanted, "1") != 0) {
        return;
    }
    FileCache* there = cache.load(std::memory_order_acquire);
    const FileCache::Counts counts = there != nullptr ? there->counts() : FileCache::Counts{};
    dprintf(STDERR_FILENO, "softlib-files: %zu files, %zu blocks, %ju hits, %ju misses, %ju dropped, %ju bytes served\n",
            counts.files, counts.blocks, static_cast<std::uintmax_t>(hits.load()), static_cast<std::uintmax_t>(misses.load()),
            static_cast<std::uintmax_t>(counts.dropped), static_cast<std::uintmax_t>(served_bytes.load()));
}

}  // namespace

bool is_watched(int fd) noexcept {
    return descriptors.use_of(fd) == Descriptors::Use::reader;
}

void opened(int fd, int flags) noexcept {
    const Inside inside;
    if (fd < 0 || !inside.is_due()) {
        return;
    }
    const std::optional<FileState> file = (flags & O_PATH) == 0 ? state_of_descriptor(fd) : std::nullopt;
    if (!file) {
        descriptors.clear(fd);
    } else if ((flags & O_ACCMODE) != O_RDONLY) {
        descriptors.set(fd, {Descriptors::Use::writer, file->id});
    } else {
        descriptors.set(fd, {is_chosen(fd) ? Descriptors::Use::reader : Descriptors::Use::none, file->id});
    }
}

void closing(int fd) noexcept {
    if (descriptors.use_of(fd) == Descriptors::Use::none) {
        return;
    }
    const Inside inside;
    if (inside.is_due()) {
        descriptors.clear(fd);
    }
}

void duplicated(int fd, int copy) noexcept {
    const Inside inside;
    if (copy >= 0 && copy != fd && inside.is_due()) {
        descriptors.set(copy, descriptors.look_up(fd));
    }
}

void mapped_shared(int fd) noexcept {
    const Inside inside;
    if (!inside.is_due() || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR) {
        return;
    }
    // For good: nobody sees when the last mapping goes.
    if (const std::optional<FileState> file = state_of_descriptor(fd)) {
        descriptors.bars().raise(file->id);
    }
}

bool is_readable(const void* at, std::size_t bytes) noexcept {
    const Inside inside;
    return populate(at, bytes, MADV_POPULATE_READ);
}

bool Reading::is_cacheable() noexcept {
    const std::optional<FileState> file = state_of_descriptor(fd_);
    const Descriptors::Known known = descriptors.look_up(fd_);
    if (!file || known.use != Descriptors::Use::reader || known.id != file->id || descriptors.bars().is_barred(file->id)) {
        return false;
    }
    file_ = *file;
    timespec now;
    // The clock that sets the times of files.
    if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0 || !is_settled(file_.version, now.tv_sec)) {
        return false;
    }
    const int flags = fcntl(fd_, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && (flags & (O_DIRECT | O_PATH)) == 0;
}

bool Reading::is_whole_and_writable() const noexcept {
    std::size_t left = length_;
    for (std::size_t i = 0; left > 0; ++i) {
        const std::size_t part = std::min(left, to_[i].iov_len);
        if (!populate(to_[i].iov_base, part, MADV_POPULATE_WRITE)) {
            return false;
        }
        left -= part;
    }
    FileCache* there = cache.load(std::memory_order_acquire);
    return there != nullptr && there->read(file_, static_cast<std::uint64_t>(offset_), to_, length_);
}

std::optional<ssize_t> Reading::serve() {
    const Inside inside;
    // The kernel reads at most this in one call. Larger sums and overflows are its own matter.
    constexpr std::size_t max_room = INT_MAX & ~4095;
    std::size_t room = 0;
    for (const iovec& part : to_) {
        if (part.iov_len > max_room - room) {
            return std::nullopt;
        }
        room += part.iov_len;
    }
    if (room == 0 || !inside.is_due() || !is_cacheable()) {
        return std::nullopt;
    }
    offset_ = at_ ? *at_ : lseek(fd_, 0, SEEK_CUR);
    const auto size = static_cast<std::int64_t>(file_.version.size_bytes);
    if (offset_ < 0 || offset_ >= size) {
        return std::nullopt;
    }
    length_ = static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(room), size - offset_));
    if (!is_whole_and_writable()) {
        misses.fetch_add(1, std::memory_order_relaxed);
        return std::nullopt;
    }
    const std::optional<ssize_t> result = at_ ? static_cast<ssize_t>(length_) : claim();
    if (result) {
        hits.fetch_add(1, std::memory_order_relaxed);
        served_bytes.fetch_add(static_cast<std::uint64_t>(*result), std::memory_order_relaxed);
    }
    return result;
}

// The kernel moves the offset in one step and returns its end. So this call has a piece of the file that no other call in any
// thread or process gets. If somebody moved it since it was read, it is another piece.
std::optional<ssize_t> Reading::claim() {
    const auto length = static_cast<std::int64_t>(length_);
    const std::int64_t end = lseek(fd_, length, SEEK_CUR);
    if (end < 0) {
        return std::nullopt;
    }
    if (end - length == offset_) {
        return static_cast<ssize_t>(length_);
    }
    const std::size_t got = read_really(end - length);
    if (got < length_) {
        lseek(fd_, static_cast<std::int64_t>(got) - length, SEEK_CUR);
    }
    // The real call has to say whether this is the end or an error.
    return got > 0 ? std::optional<ssize_t>(static_cast<ssize_t>(got)) : std::nullopt;
}

std::size_t Reading::read_really(std::int64_t offset) const {
    std::size_t done = 0;
    for (std::size_t i = 0; done < length_; ++i) {
        const std::size_t part = std::min(length_ - done, to_[i].iov_len);
        const ssize_t got = pread(fd_, to_[i].iov_base, part, offset + static_cast<std::int64_t>(done));
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        if (got < static_cast<ssize_t>(part)) {
            break;
        }
    }
    return done;
}

void Reading::learn(ssize_t result) noexcept {
    if (length_ == 0 || result <= 0) {
        return;
    }
    const Inside inside;
    const Undisturbed undisturbed;
    if (undisturbed.may_be_in_a_handler()) {
        return;
    }
    const auto offset = static_cast<std::uint64_t>(offset_);
    const std::uint64_t end = offset + std::min(length_, static_cast<std::size_t>(result));
    try {
        keep_blocks(offset / block_bytes, (end - 1) / block_bytes);
    } catch (const std::exception&) {
        // Without memory they are not kept.
    }
}

void Reading::keep_blocks(std::uint64_t first, std::uint64_t last) const {
    FileCache* there = made_cache();
    if (there == nullptr) {
        return;
    }
    // Not the caller's buffer: other threads may be reading into the same one.
    const auto content = std::make_unique_for_overwrite<std::array<std::byte, block_bytes>>();
    for (std::uint64_t block = first; block <= last; ++block) {
        if (there->holds(file_, block)) {
            continue;
        }
        const std::size_t bytes = FileCache::bytes_of(file_, block);
        const ssize_t got = pread(fd_, content->data(), bytes, static_cast<off_t>(block * block_bytes));
        // A write in between has changed the times before the content.
        if (got != static_cast<ssize_t>(bytes) || state_of_descriptor(fd_) != file_) {
            return;
        }
        there->put(file_, block, {content->data(), bytes});
    }
}

}  // namespace soft::files
