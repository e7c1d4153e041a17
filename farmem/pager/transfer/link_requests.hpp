// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LinkRequests: what a program has asked the link for, each request with its place in the queue. Not thread-safe.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "farmem/core/program.hpp"
#include "farmem/pager/process/process.hpp"
#include "farmem/pager/transfer/shared_link.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

// A thread, and the page that it needs from the store.
struct Waiting {
    SpaceId space;
    Fault fault;
    Store::Get get;
};

class LinkRequests {
public:
    // The pages of a request: those that threads wait for, or prefetches.
    struct Pages {
        std::vector<Waiting> demand;
        std::vector<Prefetch> prefetches;
        bool is_dropped = false;  // the prefetches would have come too late
    };

    explicit LinkRequests(LinkPlace& link) : link_(link) {}

    // Both ask for all pages, in as many requests as the link wants, and empty the list.
    void ask_demand(std::vector<Waiting>& pages);
    void ask_prefetches(std::vector<Prefetch>& pages);
    // Returns the pages of the oldest request that had its turn, or that was dropped; nothing if all wait.
    std::optional<Pages> take_arrived();
    // When a request may have its turn, after take_arrived() returned nothing.
    [[nodiscard]] TimePoint looks_at() const { return looks_at_; }
    // A thread needs a page that is being fetched ahead. Returns false if it is on its way; else nobody fetches it from now on.
    bool give_up(SlotId slot);

private:
    struct Request {
        Pages pages;
        SharedLink::Turn turn;

        Request(const LinkPlace& link, Urgency urgency, std::uint32_t bytes, TimePoint deadline)
            : turn(link.in, link.in_number, urgency, bytes, deadline) {}
    };

    LinkPlace& link_;
    std::list<Request> requests_;  // in the order that they were made
    TimePoint looks_at_ = TimePoint::max();
};

}  // namespace tmm::far
