// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// StateFile: saves a text that outlives the daemon and a power cut, as a whole or not at all. The caller gives the text its
// meaning. On disk a line goes before it: "tmm-state 1 CRC-32 BYTES". Called from one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/storage/atomic_file.hpp"

namespace tmm::storage {

// Returns the text with the line before it. Pure.
std::string wrap_state(std::string_view text);

// Returns the text without that line. Pure. Error: EBADMSG with the reason, to follow the file's name ("is damaged (checksum)").
Result<std::string> unwrap_state(std::string_view file);

class StateFile {
public:
    static constexpr std::size_t max_bytes = std::size_t{16} << 20;  // of the text

    // path, root: as for AtomicFile.
    StateFile(const RootDir& root, const std::string& path) : file_(root, path, max_bytes + max_header) {}

    // As for AtomicFile. Error of save: EFBIG for a longer text. Error of load, besides: EBADMSG if the content is damaged or of
    // another version.
    Result<void> save(std::string_view text) const;
    [[nodiscard]] Result<std::optional<std::string>> load() const;
    Result<void> rename_to_bad() const { return file_.rename_to_bad(); }

private:
    static constexpr std::size_t max_header = 64;

    AtomicFile file_;
};

}  // namespace tmm::storage
