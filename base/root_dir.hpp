// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RootDir: a directory below which all kernel files are read and written: "/" in main(), a temporary tree in tests.
// Paths are relative to it ("sys/kernel/mm/tmm/total"); a leading slash is ignored. Not thread-safe to move, else stateless.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace tmm {

class RootDir {
public:
    // Error: the path is missing or no directory.
    static Result<RootDir> open(const std::string& path);

    // A directory below this one, as a root of its own.
    [[nodiscard]] Result<RootDir> subdir(std::string_view path) const;

    // The same, but without any symbolic link on the way, and never out of this directory: for paths that somebody else may
    // shape. Error: ELOOP for a link, EXDEV for "..".
    [[nodiscard]] Result<RootDir> subdir_without_links(std::string_view path) const;

    // The whole text of a file, at most max_bytes (more is an error, EFBIG).
    [[nodiscard]] Result<std::string> read_file(std::string_view path, std::size_t max_bytes = 1 << 20) const;

    // Opens an existing file, never creates or truncates one, and hands text to it in a single write(2): what control files ask
    // for. A short write is an error.
    [[nodiscard]] Result<void> write_file(std::string_view path, std::string_view text) const;

    // Opens an existing file with O_CLOEXEC and the flags given (O_RDONLY, O_RDWR, ...).
    [[nodiscard]] Result<UniqueFd> open_file(std::string_view path, int flags) const;

    // Names of the directories directly in path, sorted; symbolic links are left out.
    [[nodiscard]] Result<std::vector<std::string>> list_dirs(std::string_view path) const;

    // Names of the regular files directly in path, sorted.
    [[nodiscard]] Result<std::vector<std::string>> list_files(std::string_view path) const;

    // Names of whatever is directly in path, sorted.
    [[nodiscard]] Result<std::vector<std::string>> list_names(std::string_view path) const;

    [[nodiscard]] bool exists(std::string_view path) const;

    [[nodiscard]] int fd() const { return fd_.get(); }
    // The path given to open(), with path appended: for messages.
    [[nodiscard]] std::string name_of(std::string_view path) const;

private:
    RootDir(UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}
    [[nodiscard]] Result<std::vector<std::string>> list(std::string_view path, std::optional<std::uint8_t> wanted_type) const;

    UniqueFd fd_;
    std::string name_;
};

}  // namespace tmm
