// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/regular_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace tmm::boinc {

Result<struct stat> status_of_regular(int fd, const std::string& name) {
    struct stat status {};
    if (::fstat(fd, &status) != 0)
        return Error::from_errno(errno, name);
    if (!S_ISREG(status.st_mode))
        return Error(EINVAL, name + " is no regular file");
    return status;
}

Result<RegularFile> read_regular(const RootDir& folder, const char* name, int flags, std::size_t max_bytes) {
    const auto file = folder.open_file(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags);
    if (!file)
        return file.error();
    const std::string full_name = folder.name_of(name);
    const auto status = status_of_regular(file->get(), full_name);
    if (!status)
        return status.error();
    RegularFile read{{}, *status};
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t got = ::read(file->get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error::from_errno(errno, full_name);
        if (got == 0)
            return read;
        read.text.append(buffer.data(), static_cast<std::size_t>(got));
        if (read.text.size() > max_bytes)
            return Error::from_errno(EFBIG, full_name);
    }
}

}  // namespace tmm::boinc
