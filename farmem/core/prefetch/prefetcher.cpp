// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/prefetch/prefetcher.hpp"

#include <algorithm>

namespace tmm::far {

Prefetcher::Thread& Prefetcher::thread(std::uint32_t number) {
    number %= max_threads;
    while (threads_.size() <= number)
        threads_.emplace_back(static_cast<std::uint32_t>(threads_.size()));
    return threads_[number];
}

std::int64_t Prefetcher::fault(const PageFault& fault, Wishes& wishes) {
    wishes.clear();
    Thread& thread = this->thread(fault.thread);
    const bool is_first = thread.last_time == TimePoint();
    if (!is_first)
        thread.pace += (fault.now - thread.last_time - thread.pace) / 4;
    thread.vote.fault(fault.page);

    const std::int64_t stride = parts_.streams ? thread.streams.fault(fault.page, fault.hit.has_value(), fault.now, wishes) : 0;
    const bool in_stream = stride != 0;
    if (!in_stream && parts_.vote) {
        // A vote may be wrong about lone faults: its window says whether it was right so far.
        const auto voted = thread.vote.stride();
        if (voted && thread.vote_window.ask() > 0)
            thread.streams.start(fault.page, *voted, thread.pace, fault.now, wishes);
    }

    const bool lower_was_right = fault.hit && fault.hit->tier == Origin::Tier::stream;
    if (in_stream || lower_was_right || !wishes.empty())
        thread.nr_useless = 0;
    else if (!fault.hit)
        thread.nr_useless = std::min(thread.nr_useless + 1, max_useless);
    if (thread.nr_useless == max_useless) {
        if (parts_.edges)
            follow_edges(fault, thread.pace, wishes);
        if (parts_.successors) {
            if (!is_first)
                successors_.learn(thread.last, fault.page);
            follow_successors(fault, thread.pace, wishes);
        }
    }
    thread.last = fault.page;
    thread.last_time = fault.now;
    return stride;
}

// Wishes are in the order of a breadth-first walk, so the queue of pages to visit is the wishes themselves.
void Prefetcher::follow_edges(const PageFault& fault, nanoseconds pace, Wishes& wishes) {
    if (edges_.empty())
        return;
    const auto window = static_cast<std::size_t>(edge_window_.ask());
    const auto add_targets = [&](PageNumber from, int hop) {
        edges_.for_each(from, [&](PageNumber to) {
            const bool is_known =
                to == fault.page || std::any_of(wishes.begin(), wishes.end(), [&](const Wish& w) { return w.page == to; });
            if (!is_known && wishes.size() < window)
                wishes.add({to, fault.now + hop * pace, {.tier = Origin::Tier::edge, .thread = fault.thread}});
        });
    };
    add_targets(fault.page, 1);
    std::size_t visited = 0;
    for (int hop = 2; hop <= max_hops; ++hop) {
        for (const std::size_t end = wishes.size(); visited < end; ++visited)
            add_targets(wishes.begin()[visited].page, hop);
    }
}

void Prefetcher::follow_successors(const PageFault& fault, nanoseconds pace, Wishes& wishes) {
    auto next = successors_.next(fault.page);
    if (!next)
        return;
    const int window = std::min(successor_window_.ask(), upper_pages);
    for (int step = 1; next && *next != fault.page && step <= window; ++step) {
        wishes.add({*next, fault.now + step * pace, {.tier = Origin::Tier::successor, .thread = fault.thread}});
        next = successors_.next(*next);
    }
}

Window* Prefetcher::window_of(const Origin& origin) {
    switch (origin.tier) {
        case Origin::Tier::edge:
            return &edge_window_;
        case Origin::Tier::successor:
            return &successor_window_;
        case Origin::Tier::stream:
            break;
    }
    return nullptr;
}

void Prefetcher::refused(const Wish& wish) {
    if (!window_of(wish.origin))
        thread(wish.origin.thread).streams.refused(wish);
}

void Prefetcher::used(const Origin& origin) {
    if (Window* const window = window_of(origin))
        window->used();
    else
        thread(origin.thread).streams.used(origin);
    if (origin.is_voted)
        thread(origin.thread).vote_window.used();
}

void Prefetcher::late(const Origin& origin) {
    if (Window* const window = window_of(origin))
        window->late();
    else
        thread(origin.thread).streams.late(origin);
}

void Prefetcher::unused(const Origin& origin) {
    if (Window* const window = window_of(origin))
        window->unused();
    else
        thread(origin.thread).streams.unused(origin);
    if (origin.is_voted)
        thread(origin.thread).vote_window.unused();
}

}  // namespace tmm::far
