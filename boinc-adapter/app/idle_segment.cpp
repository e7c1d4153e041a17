// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/idle_segment.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <tuple>

namespace tmm::boinc {

bool IdleSegment::is_read_by(const Version& version) {
    constexpr int major = 8;
    constexpr int minor = 2;
    constexpr int release = 10;
    return std::tie(version.major, version.minor, version.release) >= std::tie(major, minor, release);
}

Result<void> IdleSegment::open() {
    constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    constexpr mode_t mode = 0644;  // the client is another user
    UniqueFd file(::openat(folder_.fd(), name, flags | O_CREAT | O_EXCL, mode));
    if (!file && errno == EEXIST)
        file = UniqueFd(::openat(folder_.fd(), name, flags));
    struct stat status {};
    if (file && ::fstat(file.get(), &status) != 0)
        return Error::from_errno(errno, folder_.name_of(name));
    // EACCES, ELOOP: another user's, or a link.
    const bool is_others = file ? !S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_nlink != 1 ||
                                      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0
                                : errno == EACCES || errno == EPERM || errno == ELOOP || errno == EISDIR || errno == ENXIO;
    if (is_others)
        return Error(EEXIST, folder_.name_of(name) + " belongs to another program");
    if (!file)
        return Error::from_errno(errno, folder_.name_of(name));
    // The unit's umask does not count here.
    if (::fchmod(file.get(), mode) != 0)
        return Error::from_errno(errno, folder_.name_of(name));
    file_ = std::move(file);
    return {};
}

Result<void> IdleSegment::write(std::chrono::seconds now, std::chrono::seconds last_input) {
    struct stat status {};
    // Somebody removed it: the next client would find nothing.
    if (file_ && (::fstat(file_.get(), &status) != 0 || status.st_nlink == 0))
        file_.reset();
    if (!file_) {
        auto opened = open();
        if (!opened)
            return opened;
    }
    const std::array<std::int64_t, 2> times{now.count(), last_input.count()};
    if (::pwrite(file_.get(), times.data(), sizeof times, 0) != static_cast<ssize_t>(sizeof times))
        return Error::from_errno(errno, folder_.name_of(name));
    return {};
}

}  // namespace tmm::boinc
