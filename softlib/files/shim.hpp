// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The work of the interposed functions besides calling the originals. Nothing here waits for a lock, and errno stays unchanged.
//
// Each read asks the kernel which file a descriptor is and which version it has. The tables only say for which descriptors that
// is worth while. So unseen calls (by stdio, raw system calls, other processes) may close, open and write anything.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "files/file_state.hpp"

namespace soft::files {

/// Whether reads of the descriptor may be served. One load. If not, all functions below may be skipped.
[[nodiscard]] bool is_watched(int fd) noexcept;

/// The process has opened a descriptor with these flags of open(). Ignores a negative one.
void opened(int fd, int flags) noexcept;
/// The process is about to close it.
void closing(int fd) noexcept;
/// `copy` is a duplicate of the descriptor. Ignores a negative one.
void duplicated(int fd, int copy) noexcept;
/// The process has mapped the file shared: writes go to the file, if the descriptor allows them.
void mapped_shared(int fd) noexcept;

/// Whether a caller's array can be read; otherwise the kernel returns EFAULT.
[[nodiscard]] bool is_readable(const void* at, std::size_t bytes) noexcept;

/// One call that reads.
class Reading {
public:
    /// `offset`: nothing for the descriptor's own. The memory behind `to` must live as long.
    Reading(int fd, std::span<const iovec> to, std::optional<std::int64_t> offset) noexcept : fd_(fd), to_(to), at_(offset) {}

    /// Returns the result of the call if all of the data is cached. Otherwise make the real call, then learn().
    // Not noexcept: a cancelled thread may leave through it.
    [[nodiscard]] std::optional<ssize_t> serve();
    /// `result`: of the real call. Keeps the blocks that it touched, if they may be kept.
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
    /// Bytes to read, up to the end of the file; 0: not to be cached.
    std::size_t length_ = 0;
    std::int64_t offset_ = 0;
};

}  // namespace soft::files
