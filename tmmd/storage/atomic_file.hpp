// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AtomicFile: a text on disk that is replaced whole or not at all, and believed only if nobody else can have written it. Called
// from one thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::storage {

// Why a file of this type, mode and owner is not to be believed ("is no regular file"); empty if it is. Pure.
std::string why_untrusted(mode_t mode, uid_t owner, uid_t caller);

class AtomicFile {
public:
    // path: below the root directory, in a directory that exists and that only its owner can write to. max_bytes: of the text.
    AtomicFile(const RootDir& root, const std::string& path, std::size_t max_bytes);

    // Replaces what was saved before; waits until the disk has it. Error: the old file is whole, and nothing else is left behind;
    // only when the last step, writing the directory to disk, fails is the new file there already.
    Result<void> save(std::string_view text) const;

    // What was saved last; nothing if nothing was. Error: the file cannot be read, is too long, a symbolic link or no regular
    // file, or someone else than root and the caller may have written it.
    [[nodiscard]] Result<std::optional<std::string>> load() const;

    // Renames the file to NAME.bad, for people to look at, and replaces an older one of that name. No file: nothing to do.
    Result<void> rename_to_bad() const;

    // For messages.
    [[nodiscard]] std::string name() const { return root_->name_of(directory_ + name_); }

private:
    const RootDir* root_;
    std::string directory_;
    std::string name_;
    std::size_t max_bytes_;
};

}  // namespace tmm::storage
