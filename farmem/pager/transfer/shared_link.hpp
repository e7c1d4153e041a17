// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SharedLink: one direction of the way to the stores, which all programs share. Threads wait for their turn, and LinkScheduler
// decides whose it is. Without a rate nobody waits, and only bytes are counted. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "farmem/core/link/link_scheduler.hpp"

namespace tmm::far {

class SharedLink {
public:
    // bytes_per_s: 0 if the link is never full.
    SharedLink(std::uint64_t bytes_per_s, const LinkRules& rules) : bytes_per_s_(bytes_per_s), scheduler_(rules) {}

    std::uint32_t add_program(std::uint32_t weight);
    // None of its threads waits.
    void remove_program(std::uint32_t program);

    // Waits until the link may carry the bytes. More than max_bytes() take several turns. A thread of a program may wait with
    // demand while another waits with a prefetch. Returns false if it would be too late for the deadline: the rest is not sent.
    bool wait_turn(std::uint32_t program, Urgency urgency, std::uint32_t bytes, TimePoint deadline = {});

    // A thread needs what the program's prefetch that waits will bring. Returns false if none waits.
    bool hurry(std::uint32_t program);

    // That one turn carries.
    [[nodiscard]] std::uint32_t max_bytes() const { return max_request_bytes(bytes_per_s_); }

    struct Share {
        std::uint64_t bytes = 0;      // that the link carried for the program
        std::uint64_t all_bytes = 0;  // for all, since it was added
    };
    [[nodiscard]] Share share(std::uint32_t program) const;

private:
    enum class State : std::uint8_t { waits, sent, dropped };
    struct Turn {
        State state = State::waits;
        RequestId id;
    };
    struct Known {
        Turn* prefetch = nullptr;  // that waits
        std::uint64_t bytes = 0;
        std::uint64_t all_before = 0;
    };
    bool take_turn(std::unique_lock<std::mutex>& guard, std::uint32_t program, Urgency urgency, std::uint32_t bytes,
                   TimePoint deadline);
    void send();
    [[nodiscard]] nanoseconds duration(std::uint32_t bytes) const {
        return nanoseconds(std::uint64_t{bytes} * 1'000'000'000 / bytes_per_s_);
    }

    const std::uint64_t bytes_per_s_;
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
