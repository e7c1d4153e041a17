// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Time as the owner lives it. The owner's absence is SIGSTOP ... SIGCONT; an interaction begun before it must not count the
// absence as its latency. Uses process-wide signal handlers (SIGCONT; SIGTERM and SIGINT end the program): one clock a process.
#pragma once

#include <chrono>

namespace tmm::coffee {

// Installs the handlers. SIGTERM and SIGINT interrupt system calls; SIGCONT lets them go on where the kernel can.
void watch_presence();

// A SIGTERM or SIGINT has come.
bool asked_to_end();

// The machine's monotonic clock.
std::chrono::nanoseconds monotonic_now();

// When the process last went on after a stop; 0: never.
std::chrono::nanoseconds last_return();

// How long the owner has waited, at `now`, for an interaction begun at `begin`: since the return, when that came later. Pure.
std::chrono::nanoseconds waited(std::chrono::nanoseconds begin, std::chrono::nanoseconds returned, std::chrono::nanoseconds now);

}  // namespace tmm::coffee
