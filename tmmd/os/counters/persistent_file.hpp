// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PersistentFile: a kernel file that is read often and therefore kept open: opening takes five times as long as reading cpu.stat.
// Called from one thread.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"

namespace tmm::os {

class PersistentFile {
public:
    PersistentFile(const RootDir& root, std::string path) : root_(&root), path_(std::move(path)) {}

    // The file's text now, of a long one the first 4096 bytes. A file that was removed and made again is opened again.
    // Error: it is not there, or cannot be read.
    Result<std::string> read();

private:
    const RootDir* root_;
    std::string path_;
    UniqueFd fd_;
};

}  // namespace tmm::os
