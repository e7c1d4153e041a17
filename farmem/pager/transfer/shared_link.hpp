// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SharedLink: one direction of the way to the stores, which all programs share. Requests wait for their turn, and LinkScheduler
// decides whose it is. Whoever looks after a turn of their own sends for all. Without a rate no request waits, and only bytes are
// counted. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "farmem/core/link/link_scheduler.hpp"

namespace tmm::far {

class SharedLink {
public:
    // bytes_per_s: 0 if the link is never full. latency: from a request's turn to its end, beside what the store needs.
    SharedLink(std::uint64_t bytes_per_s, nanoseconds latency, const LinkRules& rules)
        : bytes_per_s_(bytes_per_s), latency_(latency), reissues_(rules.reissue), scheduler_(rules) {}

    std::uint32_t add_program(std::uint32_t weight);
    // It has no turns any more.
    void remove_program(std::uint32_t program);

    // A program's request, and its place in the queue as long as it waits.
    class Turn {
    public:
        // bytes: at most max_bytes().
        Turn(SharedLink& link, std::uint32_t program, Urgency urgency, std::uint32_t bytes, TimePoint deadline = {});
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        // Returns when to look again; nothing if the request may be carried out now, or was dropped.
        std::optional<TimePoint> look();
        // Waits until then.
        void wait();
        // It would come too late for its deadline.
        [[nodiscard]] bool is_dropped() const;

        // A thread needs that much of this prefetch: it will ask for it as demand. Returns false if it is on its way.
        bool give_up(std::uint32_t bytes);

    private:
        friend class SharedLink;
        enum class State : std::uint8_t { waits, sent, dropped };

        SharedLink& link_;
        State state_ = State::waits;  // this and the following: with the link's lock
        RequestId id_;
        TimePoint ends_at_;
    };

    // Waits until the link has carried the bytes, as demand. More than max_bytes() take several turns.
    void carry(std::uint32_t program, std::uint32_t bytes);

    // That one turn carries.
    [[nodiscard]] std::uint32_t max_bytes() const { return max_request_bytes(bytes_per_s_); }

    struct Share {
        std::uint64_t bytes = 0;      // that the link carried for the program
        std::uint64_t all_bytes = 0;  // for all, since it was added
    };
    [[nodiscard]] Share share(std::uint32_t program) const;

private:
    struct Known {
        std::uint64_t bytes = 0;
        std::uint64_t all_before = 0;
    };
    void send(TimePoint now);
    void start(Turn& turn, std::uint32_t program, std::uint32_t bytes, TimePoint now);
    [[nodiscard]] nanoseconds duration(std::uint32_t bytes) const {
        return nanoseconds(std::uint64_t{bytes} * 1'000'000'000 / bytes_per_s_);
    }

    const std::uint64_t bytes_per_s_;
    const nanoseconds latency_;
    const bool reissues_;
    mutable std::mutex lock_;
    std::condition_variable changed_;
    LinkScheduler scheduler_;
    std::map<std::uint32_t, Known> programs_;
    std::uint64_t all_bytes_ = 0;
    TimePoint free_at_{};
    std::vector<LinkRequest> dropped_;
};

// Of a program, in both directions.
struct LinkPlace {
    SharedLink& in;
    SharedLink& out;
    std::uint32_t in_number = 0;
    std::uint32_t out_number = 0;

    LinkPlace(SharedLink& in_, SharedLink& out_, std::uint32_t weight)
        : in(in_), out(out_), in_number(in.add_program(weight)), out_number(out.add_program(weight)) {}
    ~LinkPlace() {
        in.remove_program(in_number);
        out.remove_program(out_number);
    }
    LinkPlace(const LinkPlace&) = delete;
    LinkPlace& operator=(const LinkPlace&) = delete;
};

}  // namespace tmm::far
