// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// StateFile: a text that outlives the daemon and the machine's power, whole or not at all. What the text means is its owner's
// matter. On disk a line goes before it: "tmm-state 1 CRC-32 BYTES". Called from one thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::app {

// The text with the line before it. Pure.
std::string wrap_state(std::string_view text);

// The text without that line. Pure. Error: EBADMSG with what is wrong, to follow the file's name ("is damaged (checksum)").
Result<std::string> unwrap_state(std::string_view file);

// Why a file of this type, mode and owner is not to be believed ("is no regular file"); empty if it is. Pure.
std::string why_untrusted(mode_t mode, uid_t owner, uid_t caller);

class StateFile {
public:
    static constexpr std::size_t max_bytes = std::size_t{16} << 20;  // of the text

    // path: below the root directory, in a directory that exists and that only its owner can write to.
    StateFile(const RootDir& root, const std::string& path);

    // Replaces what was saved before; waits until the disk has it. Error: the old file is whole, and nothing else is left behind;
    // only when the last step, writing the directory to disk, fails is the new file there already.
    Result<void> save(std::string_view text) const;

    // What was saved last; nothing if nothing was. Error: EBADMSG when the content is damaged or of another version; others when
    // the file cannot be read, is too long, a symbolic link or no regular file, or someone else than root and the caller may have
    // written it.
    [[nodiscard]] Result<std::optional<std::string>> load() const;

    // Renames the file to NAME.bad, for people to look at, and replaces an older one of that name. No file: nothing to do.
    Result<void> set_aside() const;

private:
    const RootDir& root_;
    std::string directory_;
    std::string name_;
};

}  // namespace tmm::app
