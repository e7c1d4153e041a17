// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The functions that replace libc's. Reads are served. Functions that open, duplicate and close tell which files are being
// written; those files are left alone, so calls that write need no watching.
//
// Each of these names means itself, not a name that headers give it.
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <optional>
#include <span>

#include "files/next.hpp"
#include "files/shim.hpp"

namespace {

using soft::files::Next;
using soft::files::Reading;

template <class Real>
ssize_t read_watched(int fd, std::span<const iovec> to, std::optional<off64_t> offset, Real&& real) {
    Reading reading(fd, to, offset);
    if (const std::optional<ssize_t> served = reading.serve()) {
        return *served;
    }
    const ssize_t result = real();
    reading.learn(result);
    return result;
}

template <class Real>
ssize_t read_into(int fd, void* to, std::size_t bytes, std::optional<off64_t> offset, Real&& real) {
    if (!soft::files::is_watched(fd)) {
        return real();
    }
    const iovec one{to, bytes};
    return read_watched(fd, {&one, 1}, offset, real);
}

template <class Real>
ssize_t read_into(int fd, const iovec* to, int count, std::optional<off64_t> offset, Real&& real) {
    if (!soft::files::is_watched(fd) || count <= 0 || count > IOV_MAX ||
        !soft::files::is_readable(to, static_cast<std::size_t>(count) * sizeof *to)) {
        return real();
    }
    return read_watched(fd, {to, static_cast<std::size_t>(count)}, offset, real);
}

int opened(int fd, int flags) {
    soft::files::opened(fd, flags);
    return fd;
}

int duplicated(int fd, int copy) {
    soft::files::duplicated(fd, copy);
    return copy;
}

void* mapped(void* at, int flags, int fd) {
    const int type = flags & MAP_TYPE;
    if (at != MAP_FAILED && fd >= 0 && (flags & MAP_ANONYMOUS) == 0 && (type == MAP_SHARED || type == MAP_SHARED_VALIDATE)) {
        soft::files::mapped_shared(fd);
    }
    return at;
}

bool is_duplication(int command) {
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC;
}

using Open = int(const char*, int, ...);
using OpenAt = int(int, const char*, int, ...);
using Read = ssize_t(int, void*, std::size_t);
template <class Offset>
using PRead = ssize_t(int, void*, std::size_t, Offset);
using ReadV = ssize_t(int, const iovec*, int);
template <class Offset>
using PReadV = ssize_t(int, const iovec*, int, Offset);
template <class Offset>
using PReadV2 = ssize_t(int, const iovec*, int, Offset, int);
template <class Offset>
using MMap = void*(void*, std::size_t, int, int, int, Offset);

}  // namespace

extern "C" {

// Optional arguments are passed on as they are found: the real functions know whether they mean anything.

int open(const char* path, int flags, ...) {
    static constinit Next<Open> next("open");
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return opened(next(path, flags, mode), flags);
}
int open64(const char* path, int flags, ...) {
    static constinit Next<Open> next("open64");
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return opened(next(path, flags, mode), flags);
}
int openat(int directory, const char* path, int flags, ...) {
    static constinit Next<OpenAt> next("openat");
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return opened(next(directory, path, flags, mode), flags);
}
int openat64(int directory, const char* path, int flags, ...) {
    static constinit Next<OpenAt> next("openat64");
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return opened(next(directory, path, flags, mode), flags);
}
int creat(const char* path, mode_t mode) {
    static constinit Next<int(const char*, mode_t)> next("creat");
    return opened(next(path, mode), O_WRONLY);
}
int creat64(const char* path, mode_t mode) {
    static constinit Next<int(const char*, mode_t)> next("creat64");
    return opened(next(path, mode), O_WRONLY);
}
// With _FORTIFY_SOURCE the compiler calls these instead. They end the program if an argument is missing or wrong.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
int __open_2(const char* path, int flags) {
    static constinit Next<int(const char*, int)> next("__open_2");
    return opened(next(path, flags), flags);
}
int __open64_2(const char* path, int flags) {
    static constinit Next<int(const char*, int)> next("__open64_2");
    return opened(next(path, flags), flags);
}
int __openat_2(int directory, const char* path, int flags) {
    static constinit Next<int(int, const char*, int)> next("__openat_2");
    return opened(next(directory, path, flags), flags);
}
int __openat64_2(int directory, const char* path, int flags) {
    static constinit Next<int(int, const char*, int)> next("__openat64_2");
    return opened(next(directory, path, flags), flags);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

int close(int fd) {
    static constinit Next<int(int)> next("close");
    // Before the call: afterwards another thread may have the number.
    soft::files::closing(fd);
    return next(fd);
}

int dup(int fd) noexcept {
    static constinit Next<int(int)> next("dup");
    return duplicated(fd, next(fd));
}
int dup2(int fd, int copy) noexcept {
    static constinit Next<int(int, int)> next("dup2");
    return duplicated(fd, next(fd, copy));
}
int dup3(int fd, int copy, int flags) noexcept {
    static constinit Next<int(int, int, int)> next("dup3");
    return duplicated(fd, next(fd, copy, flags));
}
int fcntl(int fd, int command, ...) {
    static constinit Next<int(int, int, ...)> next("fcntl");
    va_list more;
    va_start(more, command);
    void* argument = va_arg(more, void*);
    va_end(more);
    const int result = next(fd, command, argument);
    return is_duplication(command) ? duplicated(fd, result) : result;
}
int fcntl64(int fd, int command, ...) {
    static constinit Next<int(int, int, ...)> next("fcntl64");
    va_list more;
    va_start(more, command);
    void* argument = va_arg(more, void*);
    va_end(more);
    const int result = next(fd, command, argument);
    return is_duplication(command) ? duplicated(fd, result) : result;
}

ssize_t read(int fd, void* to, std::size_t bytes) {
    static constinit Next<Read> next("read");
    return read_into(fd, to, bytes, std::nullopt, [&] { return next(fd, to, bytes); });
}
ssize_t pread(int fd, void* to, std::size_t bytes, off_t offset) {
    static constinit Next<PRead<off_t>> next("pread");
    return read_into(fd, to, bytes, offset, [&] { return next(fd, to, bytes, offset); });
}
ssize_t pread64(int fd, void* to, std::size_t bytes, off64_t offset) {
    static constinit Next<PRead<off64_t>> next("pread64");
    return read_into(fd, to, bytes, offset, [&] { return next(fd, to, bytes, offset); });
}
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
// `room`: the size of the buffer, as far as the compiler knows it. The real functions end the program if it is too small.
ssize_t __read_chk(int fd, void* to, std::size_t bytes, std::size_t room) {
    static constinit Next<ssize_t(int, void*, std::size_t, std::size_t)> next("__read_chk");
    auto real = [&] { return next(fd, to, bytes, room); };
    return bytes > room ? real() : read_into(fd, to, bytes, std::nullopt, real);
}
ssize_t __pread_chk(int fd, void* to, std::size_t bytes, off_t offset, std::size_t room) {
    static constinit Next<ssize_t(int, void*, std::size_t, off_t, std::size_t)> next("__pread_chk");
    auto real = [&] { return next(fd, to, bytes, offset, room); };
    return bytes > room ? real() : read_into(fd, to, bytes, offset, real);
}
ssize_t __pread64_chk(int fd, void* to, std::size_t bytes, off64_t offset, std::size_t room) {
    static constinit Next<ssize_t(int, void*, std::size_t, off64_t, std::size_t)> next("__pread64_chk");
    auto real = [&] { return next(fd, to, bytes, offset, room); };
    return bytes > room ? real() : read_into(fd, to, bytes, offset, real);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
ssize_t readv(int fd, const iovec* to, int count) {
    static constinit Next<ReadV> next("readv");
    return read_into(fd, to, count, std::nullopt, [&] { return next(fd, to, count); });
}
ssize_t preadv(int fd, const iovec* to, int count, off_t offset) {
    static constinit Next<PReadV<off_t>> next("preadv");
    return read_into(fd, to, count, offset, [&] { return next(fd, to, count, offset); });
}
ssize_t preadv64(int fd, const iovec* to, int count, off64_t offset) {
    static constinit Next<PReadV<off64_t>> next("preadv64");
    return read_into(fd, to, count, offset, [&] { return next(fd, to, count, offset); });
}
// With an offset of -1 it is readv(); with flags it does more than read.
ssize_t preadv2(int fd, const iovec* to, int count, off_t offset, int flags) {
    static constinit Next<PReadV2<off_t>> next("preadv2");
    auto real = [&] { return next(fd, to, count, offset, flags); };
    return flags != 0 || offset == -1 ? real() : read_into(fd, to, count, offset, real);
}
ssize_t preadv64v2(int fd, const iovec* to, int count, off64_t offset, int flags) {
    static constinit Next<PReadV2<off64_t>> next("preadv64v2");
    auto real = [&] { return next(fd, to, count, offset, flags); };
    return flags != 0 || offset == -1 ? real() : read_into(fd, to, count, offset, real);
}

void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    static constinit Next<MMap<off_t>> next("mmap");
    return mapped(next(at, bytes, protection, flags, fd, offset), flags, fd);
}
void* mmap64(void* at, std::size_t bytes, int protection, int flags, int fd, off64_t offset) noexcept {
    static constinit Next<MMap<off64_t>> next("mmap64");
    return mapped(next(at, bytes, protection, flags, fd, offset), flags, fd);
}

}  // extern "C"
