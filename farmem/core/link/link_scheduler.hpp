// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LinkScheduler: decides which request a link carries next, in two dimensions as Canvas (Wang et al., NSDI'23, 5.3).
// - Between programs: start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM'96). Programs that wait get bytes by their weights; a
//   share that one does not use goes to the others at once, and cannot be saved up.
// - Within a program: demand first, then prefetches in their order. A prefetch that would arrive after its deadline is dropped
//   before it is sent. A thread that needs a page of a waiting prefetch reissues the request as demand.
//
// One scheduler serves one direction of a link. Pure; called from one thread. It allocates only when more requests wait than
// ever.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "farmem/core/page.hpp"
#include "farmem/core/time.hpp"

namespace tmm::far {

// Each rule can be switched off. Without fairness all programs share one queue; without demand_first a program has one queue.
struct LinkRules {
    bool fair = true;
    bool demand_first = true;
    bool drop_late = true;
    bool reissue = true;
};

enum class Urgency : std::uint8_t { demand, prefetch };

// Returns the most that one request may carry, in whole pages: as many as the link carries in a quarter of a millisecond, at
// least one. Everybody else waits until it is sent; shorter ones would wait for the store's answers more than for the link.
// bytes_per_s: 0 if the link is never full.
constexpr std::uint32_t max_request_bytes(std::uint64_t bytes_per_s) {
    constexpr std::uint64_t max_pages = (1 << 24) / page_bytes;
    const std::uint64_t pages =
        bytes_per_s == 0 ? max_pages : std::clamp<std::uint64_t>(bytes_per_s / 4000 / page_bytes, 1, max_pages);
    return static_cast<std::uint32_t>(pages * page_bytes);
}

struct LinkRequest {
    std::uint32_t program = 0;  // as add_program() numbered it
    Urgency urgency = Urgency::demand;
    std::uint32_t bytes = 0;  // 1 to 2^24
    TimePoint deadline;       // of a prefetch
    std::uint64_t tag = 0;    // for the caller
};

// Names a request that waits. serial tells it from an earlier one in the same place.
struct RequestId {
    std::uint32_t place = 0;
    std::uint32_t serial = 0;
    bool operator==(const RequestId&) const = default;
};

class LinkScheduler {
public:
    static constexpr std::uint32_t max_weight = 100;

    explicit LinkScheduler(const LinkRules& rules = {}) : rules_(rules) {}

    // Returns the number of a new program, which may be that of a removed one. weight: 1 to max_weight.
    std::uint32_t add_program(std::uint32_t weight);
    // Forgets the program's requests.
    void remove_program(std::uint32_t program);

    RequestId submit(const LinkRequest& request);

    // Removes and returns the request to send now; none if none waits. transit: from sending to the arrival of the reply. Appends
    // prefetches that are too late to dropped.
    std::optional<LinkRequest> next(TimePoint now, nanoseconds transit, std::vector<LinkRequest>& dropped);

    // A thread waits for the page of this prefetch: it becomes demand. Returns false if it has been sent or dropped, or is
    // demand.
    bool reissue(RequestId id);

    // Nobody needs this many of its bytes; a request without any is gone. Returns false if it has been sent or dropped.
    bool withdraw(RequestId id, std::uint32_t bytes);

    [[nodiscard]] std::size_t nr_waiting() const { return nr_waiting_; }

private:
    using Place = std::uint32_t;
    static constexpr Place none = UINT32_MAX;

    struct Waiting {
        LinkRequest request;
        Place before = none;
        Place after = none;
        std::uint32_t serial = 0;
        bool in_use = false;
    };
    struct Queue {
        Place first = none;
        Place last = none;
    };
    struct Program {
        std::uint32_t weight = 0;  // 0: removed
        std::uint64_t start = 0;   // virtual time at which its first request starts
        Queue demand;
        Queue prefetch;

        [[nodiscard]] bool waits() const { return demand.first != none || prefetch.first != none; }
    };

    [[nodiscard]] std::uint32_t queue_owner(std::uint32_t program) const { return rules_.fair ? program : 0; }
    Queue& queue_of(const LinkRequest& request);
    [[nodiscard]] bool waits(RequestId id) const;
    void append(Queue& queue, Place place);
    LinkRequest take(Queue& queue, Place place);
    void drop_late(Program& program, TimePoint arrival, std::vector<LinkRequest>& dropped);
    void clear(Queue& queue, std::uint32_t program);

    LinkRules rules_;
    std::vector<Program> programs_;
    std::vector<Waiting> places_;
    std::vector<Place> free_;
    std::uint64_t virtual_time_ = 0;  // the start of the request that was sent last
    std::size_t nr_waiting_ = 0;
};

}  // namespace tmm::far
