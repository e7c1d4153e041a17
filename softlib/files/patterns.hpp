// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace soft::files {

/// Paths and patterns that are longer are left alone: fnmatch() allocates for them, and open() may be called in a signal handler.
inline constexpr std::size_t max_path_bytes = 255;

/// The files that are to be cached.
class Patterns {
public:
    /// list: absolute patterns as fnmatch(3) has them, separated by colons; empty ones are left out. Wildcards do not match '/'.
    /// What is wrong with others is appended to `complaints`, a line each, and they are left out.
    explicit Patterns(std::string_view list, std::vector<std::string>& complaints);

    [[nodiscard]] bool empty() const noexcept { return patterns_.empty(); }
    /// Thread-safe, does not allocate. path: ends in '\0'.
    [[nodiscard]] bool match(const char* path) const noexcept;

private:
    std::vector<std::string> patterns_;
};

}  // namespace soft::files
