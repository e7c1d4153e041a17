// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/detail/read_sampling.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "softlib/testing.hpp"
#include "src/base/xorshift64.hpp"
#include "src/heap/read_sampling.hpp"

namespace soft {
namespace detail {

constinit thread_local std::int32_t reads_until_sample = 0;

namespace {

// Intervals have a random length of 1 to this many reads: a fixed one would sample only one of several objects that are read in
// turn. A thread begins with short ones, because it may end after few reads. A sample takes as long as some ten reads of memory
// outside the processor's caches.
constexpr std::uint32_t first_interval = 64;
constexpr std::uint32_t max_interval = 1024;

// secure_getenv: a process with the rights of another user ignores its caller's environment.
double probability_from(const char* variable) noexcept {
    const char* text = secure_getenv(variable);
    if (text == nullptr || *text == '\0') {
        return 0;
    }
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (*end != '\0' || !(value >= 0 && value <= 1)) {
        std::fprintf(stderr, "softlib: %s='%s' is not a probability from 0 to 1, ignoring\n", variable, text);
        return 0;
    }
    return value;
}

struct Probabilities {
    std::atomic<double> lose{probability_from("SOFTLIB_LOSE")};
    std::atomic<double> validate{probability_from("SOFTLIB_VALIDATE")};
};

// Never destroyed: static objects may be soft.
Probabilities& probabilities() noexcept {
    alignas(Probabilities) static std::byte storage[sizeof(Probabilities)];
    static auto* const both = ::new (static_cast<void*>(storage)) Probabilities;
    return *both;
}

struct Thread {
    Xorshift64 random{1};
    std::uint32_t interval = 1;
    std::uint32_t limit = first_interval;
};
constinit thread_local Thread self;

}  // namespace

std::uint32_t begin_interval() noexcept {
    const std::uint32_t ended = self.interval;
    const Probabilities& now = probabilities();
    const bool each = now.lose.load(std::memory_order_relaxed) > 0 || now.validate.load(std::memory_order_relaxed) > 0;
    self.interval = each ? 1 : 1 + self.random.below(self.limit);
    self.limit = std::min(self.limit + self.limit / 16, max_interval);
    reads_until_sample = static_cast<std::int32_t>(self.interval) - 1;
    return ended;
}

bool loses_sample() noexcept {
    return self.random.chance(probabilities().lose.load(std::memory_order_relaxed));
}

bool validates_sample() noexcept {
    return self.random.chance(probabilities().validate.load(std::memory_order_relaxed));
}

}  // namespace detail

namespace {

void set(std::atomic<double>& probability, double value) noexcept {
    probability.store(value > 0 ? std::min(value, 1.0) : 0.0, std::memory_order_relaxed);
    // This thread's next read begins an interval, of length 1 if need be.
    detail::self.interval -= static_cast<std::uint32_t>(detail::reads_until_sample);
    detail::reads_until_sample = 0;
}

}  // namespace

void lose_reads(double probability) noexcept {
    set(detail::probabilities().lose, probability);
}

void validate_reads(double probability) noexcept {
    set(detail::probabilities().validate, probability);
}

}  // namespace soft
