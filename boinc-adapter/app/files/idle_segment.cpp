// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/idle_segment.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <tuple>

namespace tmm::boinc {

namespace {

bool is_reader(const Version& version) {
    constexpr int major = 8;
    constexpr int minor = 2;
    constexpr int release = 10;
    return std::tie(version.major, version.minor, version.release) >= std::tie(major, minor, release);
}

}  // namespace

std::optional<IdleTimes> idle_times(const std::optional<Version>& reader,
                                    const std::function<std::optional<std::chrono::duration<double>>()>& idle,
                                    std::chrono::milliseconds wall) {
    using std::chrono::seconds;
    if (!reader || !is_reader(*reader))
        return {};
    const auto passed = idle();
    if (!passed)
        return {};
    return IdleTimes{std::chrono::floor<seconds>(wall), std::chrono::floor<seconds>(wall - *passed)};
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

Result<void> IdleSegment::write(const IdleTimes& times) {
    struct stat status {};
    // Somebody removed it: the next client would find nothing.
    if (file_ && (::fstat(file_.get(), &status) != 0 || status.st_nlink == 0))
        file_.reset();
    if (!file_) {
        auto opened = open();
        if (!opened)
            return opened;
    }
    const std::array<std::int64_t, 2> numbers{times.now.count(), times.last_input.count()};
    if (::pwrite(file_.get(), numbers.data(), sizeof numbers, 0) != static_cast<ssize_t>(sizeof numbers))
        return Error::from_errno(errno, folder_.name_of(name));
    return {};
}

}  // namespace tmm::boinc
