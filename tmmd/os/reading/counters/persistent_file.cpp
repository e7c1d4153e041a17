// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/persistent_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

namespace tmm::os {

namespace {

constexpr std::size_t max_bytes = 1 << 20;
constexpr std::size_t max_line = 1024;

// Returns nothing, with errno set, if the file behind fd cannot be read or its name no longer leads to it.
std::optional<std::string> read_start(int fd) {
    // Reading a removed cgroup's file fails with ENODEV; a removed file of an ordinary file system can still be read.
    struct stat status {};
    if (::fstat(fd, &status) < 0)
        return std::nullopt;
    if (status.st_nlink == 0) {
        errno = ENOENT;
        return std::nullopt;
    }
    std::array<char, 4096> buffer;
    std::string text;
    for (;;) {
        const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return std::nullopt;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        // To read on at the end would have the kernel make the text once more. It returns whole lines of a list, as many as a
        // page has room for.
        if (got == 0 || static_cast<std::size_t>(got) + max_line < buffer.size() || text.size() >= max_bytes)
            return text;
    }
}

}  // namespace

Result<std::string> PersistentFile::read() {
    return root_->read_once(path_, [this] { return read_now(); });
}

Result<std::string> PersistentFile::read_now() {
    if (fd_) {
        if (auto text = read_start(fd_.get()))
            return *std::move(text);
        fd_.reset();
    }
    auto opened = root_->open_file(path_, O_RDONLY);
    if (!opened)
        return std::move(opened).error();
    auto text = read_start(opened->get());
    if (!text)
        return Error::from_errno(errno, root_->name_of(path_));
    fd_ = *std::move(opened);
    return *std::move(text);
}

}  // namespace tmm::os
