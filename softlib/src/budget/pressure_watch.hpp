// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace soft::detail {

/// Listens where somebody tells programs that memory is lacking: systemd's protocol (systemd.io/MEMORY_PRESSURE), a PSI file, a
/// FIFO or a stream socket. It never waits, and needs no thread: ask it now and then.
class PressureWatch {
public:
    /// What MEMORY_PRESSURE_WATCH and MEMORY_PRESSURE_WRITE say. Throws std::bad_alloc.
    static PressureWatch of_environment();

    /// `path`: of the file, absolute; empty or /dev/null for none. `write`: what to write to it first, in base64.
    PressureWatch(std::string_view path, std::string_view write);
    ~PressureWatch();
    PressureWatch(PressureWatch&& other) noexcept;
    PressureWatch& operator=(PressureWatch&&) = delete;

    /// Whether somebody has told so since the last call.
    [[nodiscard]] bool was_told() noexcept;
    /// This is the child of a fork(): it listens on its own.
    void forked() noexcept;

private:
    void open() noexcept;
    void close() noexcept;

    std::string path_;
    std::string write_;
    int fd_ = -1;
    short events_ = 0;
    bool tried_ = false;
};

/// Returns nothing if it is no base64 (RFC 4648, with padding). Throws std::bad_alloc.
std::optional<std::string> parse_base64(std::string_view text);

}  // namespace soft::detail
