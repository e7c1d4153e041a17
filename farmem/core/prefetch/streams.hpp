// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Streams: follows up to eight runs of equal strides among the faults of one thread, and asks for the pages ahead of each. Three
// faults at one distance make a stream. Pages in local memory make no faults, so a stream may skip pages; two misses in a row at
// one distance change its stride. Its window follows its measured accuracy; its pace, the mean time between its pages, gives each
// wish a deadline. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "farmem/core/prefetch/window.hpp"
#include "farmem/core/wish.hpp"

namespace tmm::far {

class Streams {
public:
    static constexpr std::size_t nr_streams = 8;
    // The longest stride that two faults near each other make. MajorityVote finds longer ones.
    static constexpr std::int64_t max_stride = 32;

    explicit Streams(std::uint32_t thread) : thread_(thread) {}

    // Returns the stride of the known stream that the fault belongs to, and adds the stream's wishes; 0 without one: then the
    // fault may become the first of a stream. is_hit: the page had been fetched ahead.
    std::int64_t fault(PageNumber page, bool is_hit, TimePoint now, Wishes& wishes);
    // Starts a stream that a vote has found, at a fault that belongs to none.
    void start(PageNumber page, std::int64_t stride, nanoseconds pace, TimePoint now, Wishes& wishes);

    // Pages that a new stream asks for; it has been seen in three faults, or a vote has guessed it.
    static constexpr int start_pages = 4;
    static constexpr int voted_pages = 2;

    // As in Prefetcher.
    void refused(const Wish& wish);
    void used(const Origin& origin);
    void late(const Origin& origin);
    void unused(const Origin& origin);

private:
    struct Stream {
        PageNumber last = 0;               // page that it has reached
        PageNumber asked = 0;              // last page that it asked for
        std::int64_t stride = 0;           // 0: a single fault so far
        std::int64_t missed_distance = 0;  // to last, unless last was a hit
        bool running = false;              // the stride was seen twice
        std::uint16_t generation = 0;
        Window window{start_pages};
        nanoseconds pace{};
        TimePoint last_time;
    };

    bool join(Stream& stream, PageNumber page, bool is_hit, TimePoint now);
    void ask(Stream& stream, TimePoint now, Wishes& wishes, bool is_voted = false);
    Stream& replace_oldest(PageNumber page, TimePoint now);
    Stream* asker(const Origin& origin);

    std::uint32_t thread_;
    std::array<Stream, nr_streams> streams_;
};

}  // namespace tmm::far
