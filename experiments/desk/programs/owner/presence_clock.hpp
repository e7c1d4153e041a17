// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The owner's time. The owner is away from SIGSTOP to SIGCONT, which must not count as latency of an interaction begun before.
// Uses process-wide signal handlers (SIGCONT; SIGTERM and SIGINT end the program): one clock a process.
#pragma once

#include <chrono>

namespace tmm::desk {

// Installs the handlers. SIGTERM and SIGINT interrupt system calls; SIGCONT restarts them where the kernel can.
void watch_presence();

// A SIGTERM or SIGINT has come.
bool asked_to_end();

// The machine's monotonic clock.
std::chrono::nanoseconds monotonic_now();

// Time of the last SIGCONT; 0: none.
std::chrono::nanoseconds last_return();

// The owner's wait until `now` for an interaction begun at `begin`; it counts from the return if that is later. Pure.
std::chrono::nanoseconds waited(std::chrono::nanoseconds begin, std::chrono::nanoseconds returned, std::chrono::nanoseconds now);

}  // namespace tmm::desk
