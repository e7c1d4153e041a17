// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AtomicFile: replaces a text on disk as a whole or not at all, and loads it only if no other user can have written it. Called
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

// Returns why a file of this type, mode and owner is not to be trusted ("is no regular file"); empty if it is. Pure.
std::string why_untrusted(mode_t mode, uid_t owner, uid_t caller);

class AtomicFile {
public:
    // path: below the root directory, in an existing directory that only its owner can write to. max_bytes: of the text. root
    // must outlive it.
    AtomicFile(const RootDir& root, const std::string& path, std::size_t max_bytes);

    // Replaces the saved text and waits until it is on disk. Error: the old file is whole, and no temporary file remains. The one
    // exception is a failure to write the directory to disk, the last step: then the new file is already in place.
    Result<void> save(std::string_view text) const;

    // Returns the saved text; nothing if there is none. Error: the file cannot be read, is too long, a symbolic link or no
    // regular file; or a user other than root and the caller may have written it.
    [[nodiscard]] Result<std::optional<std::string>> load() const;

    // Renames the file to NAME.bad, so that people can examine it. It replaces an older one of that name. No file: it does
    // nothing.
    Result<void> rename_to_bad() const;

    // The file's name, for messages.
    [[nodiscard]] std::string name() const { return root_->name_of(directory_ + name_); }

private:
    const RootDir* root_;
    std::string directory_;
    std::string name_;
    std::size_t max_bytes_;
};

}  // namespace tmm::storage
