// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PersistentFile: reads a kernel file often, and therefore keeps it open: opening takes five times as long as reading cpu.stat.
// Called from one thread.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"

namespace tmm::os {

class PersistentFile {
public:
    // path: below the root directory. root must outlive it.
    PersistentFile(const RootDir& root, std::string path) : root_(&root), path_(std::move(path)) {}

    // Returns the file's text now, about 1 MiB of it at most; as for RootDir::read_file() within a ReadOnce. It opens a file
    // again that was removed and made again. Error: it is missing, or cannot be read.
    Result<std::string> read();

private:
    Result<std::string> read_now();

    const RootDir* root_;
    std::string path_;
    UniqueFd fd_;
};

}  // namespace tmm::os
