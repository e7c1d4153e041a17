// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "presence_clock.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace tmm::desk {

namespace {

// A signal handler reaches globals only.
std::atomic<std::int64_t> returned_ns{0};
std::atomic<bool> end_asked{false};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void on_continue(int) {
    returned_ns = monotonic_now().count();
}

void on_end(int) {
    end_asked = true;
}

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_presence() {
    handle(SIGCONT, on_continue, SA_RESTART);
    handle(SIGTERM, on_end, 0);
    handle(SIGINT, on_end, 0);
}

bool asked_to_end() {
    return end_asked;
}

std::chrono::nanoseconds monotonic_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds last_return() {
    return std::chrono::nanoseconds(returned_ns.load());
}

std::chrono::nanoseconds waited(std::chrono::nanoseconds begin, std::chrono::nanoseconds returned, std::chrono::nanoseconds now) {
    return now - std::max(begin, returned);
}

}  // namespace tmm::desk
