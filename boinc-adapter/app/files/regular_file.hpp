// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads files in the client's folder. Its users may put a named pipe or a link there at any moment, which must not stop the
// adapter: the file that is opened is the one that is looked at.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::boinc {

struct RegularFile {
    std::string text;
    struct stat status {};
};

// Returns the status of an open file. Error: EINVAL if it is no regular one.
Result<struct stat> status_of_regular(int fd, const std::string& name);

// Reads a regular file and never waits for another. flags: 0 or O_NOFOLLOW. Error: EINVAL if it is another kind, EFBIG if it is
// longer than max_bytes.
Result<RegularFile> read_regular(const RootDir& folder, const char* name, int flags, std::size_t max_bytes);

}  // namespace tmm::boinc
