// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells a contribution where it can watch for lack of memory, by systemd's protocol (systemd.io/MEMORY_PRESSURE): its cgroup's
// memory.pressure, and what to write to it. Programs that know the protocol then give memory back. Stateless.
#pragma once

#include <optional>
#include <string>

#include "base/root_dir.hpp"

namespace tmm {

// MEMORY_PRESSURE_WRITE, in base64 with a zero at the end: "some 200000 2000000", systemd's default. Tasks waited for memory for
// a tenth of two seconds.
inline constexpr const char* pressure_write = "c29tZSAyMDAwMDAgMjAwMDAwMAA=";

// Returns the value of MEMORY_PRESSURE_WATCH for a program in the cgroup of this process.
// inherited: its value now; none: it is not set. A file of another cgroup is replaced, since this process has left that.
// None: somebody chose another value, or the kernel has no such file that this process may write.
std::optional<std::string> pressure_file(const RootDir& root, const std::optional<std::string>& inherited);

}  // namespace tmm
