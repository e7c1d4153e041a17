// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What the interposed functions do beside calling the real ones. Nothing here waits for a lock, and errno stays as it was.
//
// What a descriptor is and which version its file has is asked from the kernel with each read; what is remembered only says for
// which descriptors that is worth while. So calls that are not seen (those of stdio, raw system calls, other processes) may
// close, open and write what they like.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "files/file_state.hpp"

namespace soft::files {

/// Whether reads of the descriptor may be served. One load; all functions below may be left out otherwise.
[[nodiscard]] bool is_watched(int fd) noexcept;

/// The process has opened a descriptor, with these flags of open(). Nothing happens if it is negative.
void opened(int fd, int flags) noexcept;
/// It is about to close it.
void closing(int fd) noexcept;
/// `copy` is a duplicate of the descriptor. Nothing happens if it is negative.
void duplicated(int fd, int copy) noexcept;
/// It has mapped the file so that writes go to the file, if the descriptor lets it.
void mapped_shared(int fd) noexcept;

/// Whether an array of a caller can be looked at; the kernel says EFAULT otherwise.
[[nodiscard]] bool is_readable(const void* at, std::size_t bytes) noexcept;

/// One call that reads.
class Reading {
public:
    /// offset: none for the descriptor's own. What `to` refers to has to live as long.
    Reading(int fd, std::span<const iovec> to, std::optional<std::int64_t> offset) noexcept : fd_(fd), to_(to), at_(offset) {}

    /// What the call returns, if all of it is there; otherwise the real one is to be called, and then learn().
    // Not noexcept, as its way out may be that of a thread that is cancelled.
    [[nodiscard]] std::optional<ssize_t> serve();
    /// result: of the real call. Keeps the blocks that it touched, if they are to be kept.
    void learn(ssize_t result) noexcept;

private:
    [[nodiscard]] bool is_cacheable() noexcept;
    [[nodiscard]] bool is_whole_and_writable() const noexcept;
    [[nodiscard]] std::optional<ssize_t> claim();
    [[nodiscard]] std::size_t read_really(std::int64_t offset) const;
    void keep_blocks(std::uint64_t first, std::uint64_t last) const;

    int fd_;
    std::span<const iovec> to_;
    std::optional<std::int64_t> at_;
    FileState file_{};
    /// Of what is to be read, up to the end of the file; 0: it is not to be cached.
    std::size_t length_ = 0;
    std::int64_t offset_ = 0;
};

}  // namespace soft::files
