// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/prefetch/streams.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace tmm::far {

namespace {

// Pages of a stream that may follow each other without a fault, because they are local.
constexpr std::int64_t max_skipped = 16;

// The weight of the newest time in the mean pace.
constexpr int pace_divisor = 4;

std::int64_t distance(PageNumber from, PageNumber to) {
    return static_cast<std::int64_t>(to - from);
}

PageNumber ahead(PageNumber page, std::int64_t stride, std::int64_t nr_strides) {
    return page + static_cast<PageNumber>(stride * nr_strides);
}

}  // namespace

std::int64_t Streams::fault(PageNumber page, bool is_hit, TimePoint now, Wishes& wishes) {
    // A page may lie near several streams: the one whose stride it fits is its own.
    Stream* near = nullptr;
    for (Stream& stream : streams_) {
        const std::int64_t delta = distance(stream.last, page);
        if (stream.last_time == TimePoint() || delta == 0)
            continue;
        if (stream.running && delta % stream.stride == 0 && delta / stream.stride > 0 &&
            delta / stream.stride <= stream.window.pages() + max_skipped) {
            join(stream, page, is_hit, now);
            ask(stream, now, wishes);
            return stream.stride;
        }
        if (std::abs(delta) <= max_stride && (!near || near->last_time < stream.last_time))
            near = &stream;
    }
    if (!near) {
        replace_oldest(page, now);
        return 0;
    }
    if (!join(*near, page, is_hit, now))
        return 0;
    ask(*near, now, wishes);
    return near->stride;
}

// Returns whether the stream is running.
bool Streams::join(Stream& stream, PageNumber page, bool is_hit, TimePoint now) {
    const std::int64_t delta = distance(stream.last, page);
    const bool is_other_stride = !is_hit && delta == stream.missed_distance && delta != stream.stride;
    stream.missed_distance = is_hit ? 0 : delta;
    if (stream.running && is_other_stride) {
        // Else a stream of stride 1 would keep the faults of any other, as pages that it skips.
        stream.stride = delta;
        stream.asked = page;
        stream.window = Window(start_pages);
        ++stream.generation;
    } else if (stream.stride != 0 && (delta > 0) == (stream.stride > 0)) {
        // Skipped pages make a stride look longer than it is.
        const std::int64_t stride = std::gcd(delta, stream.stride) * (delta > 0 ? 1 : -1);
        stream.running = stream.running || stride == stream.stride || std::abs(stride) == 1;
        stream.stride = stride;
    } else if (!stream.running) {
        stream.stride = delta;
    } else {
        replace_oldest(page, now);
        return false;
    }
    const nanoseconds step = (now - stream.last_time) / std::max<std::int64_t>(delta / stream.stride, 1);
    stream.pace += (step - stream.pace) / pace_divisor;
    stream.last = page;
    stream.last_time = now;
    return stream.running;
}

void Streams::ask(Stream& stream, TimePoint now, Wishes& wishes, bool is_voted) {
    std::int64_t asked = std::max<std::int64_t>(distance(stream.last, stream.asked) / stream.stride, 0);
    const int window = stream.window.ask();
    // Requests in batches cost the pager less.
    if (asked > window / 2)
        return;
    for (; asked < window && wishes.size() < Wishes::max_wishes; ++asked) {
        stream.asked = ahead(stream.last, stream.stride, asked + 1);
        wishes.add(
            {stream.asked,
             now + (asked + 1) * stream.pace,
             {Origin::Tier::stream, is_voted, static_cast<std::uint8_t>(&stream - streams_.data()), stream.generation, thread_}});
    }
}

void Streams::start(PageNumber page, std::int64_t stride, nanoseconds pace, TimePoint now, Wishes& wishes) {
    Stream& stream = replace_oldest(page, now);
    stream.stride = stride;
    stream.running = true;
    stream.pace = pace;
    stream.window = Window(voted_pages);
    ask(stream, now, wishes, true);
}

Streams::Stream& Streams::replace_oldest(PageNumber page, TimePoint now) {
    Stream& stream = *std::min_element(streams_.begin(), streams_.end(),
                                       [](const Stream& one, const Stream& other) { return one.last_time < other.last_time; });
    const auto generation = static_cast<std::uint16_t>(stream.generation + 1);
    stream = Stream();
    stream.last = stream.asked = page;
    stream.generation = generation;
    stream.last_time = now;
    return stream;
}

Streams::Stream* Streams::asker(const Origin& origin) {
    Stream& stream = streams_.at(origin.stream);
    return stream.generation == origin.generation ? &stream : nullptr;
}

void Streams::refused(const Wish& wish) {
    if (Stream* const stream = asker(wish.origin))
        stream->asked = ahead(wish.page, stream->stride, -1);
}

void Streams::used(const Origin& origin) {
    if (Stream* const stream = asker(origin))
        stream->window.used();
}

void Streams::late(const Origin& origin) {
    if (Stream* const stream = asker(origin))
        stream->window.late();
}

void Streams::unused(const Origin& origin) {
    if (Stream* const stream = asker(origin))
        stream->window.unused();
}

}  // namespace tmm::far
