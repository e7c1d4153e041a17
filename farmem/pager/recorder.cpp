// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/recorder.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tmm::far {

namespace {

constexpr int area_shift = 18;  // of a page: 1 GiB

std::uint64_t microseconds_of(std::chrono::steady_clock::duration time) {
    return static_cast<std::uint64_t>(
        std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time).count(), 0));
}

}  // namespace

Result<Recorder> Recorder::create(const std::string& path, std::uint64_t secret) {
    std::ofstream file(path, std::ios::trunc);
    file << recording_header << '\n' << recording_columns << '\n' << std::flush;
    if (!file)
        return Error::from_errno(errno, path);
    return Recorder(std::move(file), secret);
}

// Faults are answered in another order than they happen.
void Recorder::add(SpaceId space, PageNumber page, std::uint32_t thread, FaultKind kind, TimePoint since, TimePoint until) {
    if (start_ == TimePoint())
        start_ = since;
    last_us_ = std::max(last_us_, microseconds_of(since - start_));
    const auto number = threads_.try_emplace(thread, static_cast<std::uint16_t>(threads_.size())).first->second;
    const std::array<std::uint64_t, 2> area{space, page >> area_shift};
    file_ << format_fault({.t_us = last_us_,
                           .thread = number,
                           .area = XXH3_64bits_withSeed(area.data(), sizeof area, secret_),
                           .page = page & ((PageNumber{1} << area_shift) - 1),
                           .kind = kind,
                           .waited_us = microseconds_of(until - since)});
}

}  // namespace tmm::far
