// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace soft::files {

/// Longer paths and patterns are left alone: fnmatch() allocates for them, and open() may be called in a signal handler.
inline constexpr std::size_t max_path_bytes = 255;

/// Patterns of the files to cache.
class Patterns {
public:
    /// `list`: absolute patterns as in fnmatch(3), separated by colons; empty ones are ignored. Wildcards do not match '/'.
    /// Ignores each invalid pattern and appends a line about it to `complaints`.
    explicit Patterns(std::string_view list, std::vector<std::string>& complaints);

    [[nodiscard]] bool empty() const noexcept { return patterns_.empty(); }
    /// Whether `path`, which ends in '\0', matches. Thread-safe, does not allocate.
    [[nodiscard]] bool match(const char* path) const noexcept;

private:
    std::vector<std::string> patterns_;
};

}  // namespace soft::files
