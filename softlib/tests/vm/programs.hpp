// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// For both scenes of softlib-pressure: another process, and the kernel's counters.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace soft::pressure {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Another program, as far as memory goes: a child that was forked before this process has any soft memory. It does one piece of
/// work for each order and answers with a number.
class Other {
public:
    using Work = std::function<std::uint64_t(std::uint64_t order)>;
    explicit Other(const Work& work);
    ~Other();
    Other(const Other&) = delete;
    Other& operator=(const Other&) = delete;

    void order(std::uint64_t order);
    /// Waits for the answer. Throws std::runtime_error if the child is dead.
    std::uint64_t answer();

private:
    pid_t pid_ = -1;
    int orders_ = -1;
    int answers_ = -1;
};

/// Drops all privileges.
void drop_privileges();
/// Returns the number of a line "name number" of /proc/vmstat; 0 if there is none.
std::uint64_t vmstat(const std::string& name);
/// Prints one result, for the suite that reads it.
void say(const char* name, std::uint64_t value);

}  // namespace soft::pressure
