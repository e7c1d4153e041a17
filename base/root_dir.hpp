// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RootDir: reads and writes kernel files below one directory: "/" in main(), a temporary tree in tests. Paths are relative to it
// ("sys/kernel/mm/tmm/total"); a leading slash is ignored. Errors hold the errno of the failed call and the name of the file.
// Thread-safe except for moves. Within a ReadOnce, read_file() may return the text of an earlier call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/read_once.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace tmm {

class RootDir {
public:
    // Opens a directory. Error: the path is missing or is no directory.
    static Result<RootDir> open(const std::string& path);

    // Returns a directory below this one, as a root of its own.
    [[nodiscard]] Result<RootDir> subdir(std::string_view path) const;

    // Does the same without following any symbolic link, and never leaves this directory: for paths that somebody else may shape.
    // Error: ELOOP for a link, EXDEV for "..".
    [[nodiscard]] Result<RootDir> subdir_without_links(std::string_view path) const;

    // Returns the whole text of a file. Error: EFBIG if it has more than max_bytes.
    [[nodiscard]] Result<std::string> read_file(std::string_view path, std::size_t max_bytes = 1 << 20) const;

    // Returns the text of a file that the caller reads in its own way, for example one that it keeps open; see ReadOnce.
    [[nodiscard]] Result<std::string> read_once(std::string_view path, const std::function<Result<std::string>()>& read) const {
        return texts_->get(name_of(path), read);
    }
    [[nodiscard]] ReadTexts& texts() const { return *texts_; }

    // Writes text to an existing file in a single write(2), as control files require. It never creates or truncates a file. A
    // short write is an error.
    [[nodiscard]] Result<void> write_file(std::string_view path, std::string_view text) const;

    // Opens an existing file with O_CLOEXEC and the flags given (O_RDONLY, O_RDWR, ...).
    [[nodiscard]] Result<UniqueFd> open_file(std::string_view path, int flags) const;

    // Returns the names of the directories directly in path, sorted; symbolic links are left out.
    [[nodiscard]] Result<std::vector<std::string>> list_dirs(std::string_view path) const;

    // Returns the first names directly in path, at most max, sorted. It reads no more of the directory.
    [[nodiscard]] Result<std::vector<std::string>> list_names(std::string_view path, std::size_t max = no_bound) const;

    // Returns whether path can be reached; false on any error.
    [[nodiscard]] bool exists(std::string_view path) const;

    // Returns the directory's file descriptor, which stays the RootDir's.
    [[nodiscard]] int fd() const { return fd_.get(); }
    // Returns the path given to open(), with path appended: for messages.
    [[nodiscard]] std::string name_of(std::string_view path) const;

private:
    RootDir(UniqueFd fd, std::string name, std::shared_ptr<ReadTexts> texts)
        : fd_(std::move(fd)), name_(std::move(name)), texts_(std::move(texts)) {}
    [[nodiscard]] Result<std::string> read_now(std::string_view path, std::size_t max_bytes) const;
    static constexpr std::size_t no_bound = SIZE_MAX;
    [[nodiscard]] Result<std::vector<std::string>> list(std::string_view path, std::optional<std::uint8_t> wanted_type,
                                                        std::size_t max = no_bound) const;

    UniqueFd fd_;
    std::string name_;
    std::shared_ptr<ReadTexts> texts_;  // shared with the directories below
};

}  // namespace tmm
