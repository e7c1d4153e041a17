// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/shared_link.hpp"

#include <algorithm>

namespace tmm::far {

namespace {

TimePoint clock_now() {
    return std::chrono::steady_clock::now();
}

}  // namespace

std::uint32_t SharedLink::add_program(std::uint32_t weight) {
    const std::lock_guard guard(lock_);
    const std::uint32_t program = scheduler_.add_program(weight);
    programs_[program] = {.bytes = 0, .all_before = all_bytes_};
    return program;
}

void SharedLink::remove_program(std::uint32_t program) {
    const std::lock_guard guard(lock_);
    scheduler_.remove_program(program);
    programs_.erase(program);
}

SharedLink::Turn::Turn(SharedLink& link, std::uint32_t program, Urgency urgency, std::uint32_t bytes, TimePoint deadline)
    : link_(link) {
    const std::lock_guard guard(link_.lock_);
    const TimePoint now = clock_now();
    if (link_.bytes_per_s_ == 0) {
        link_.start(*this, program, bytes, now);
        return;
    }
    // As long as somebody waits, the link rests at no time, however late a thread looks.
    if (link_.scheduler_.nr_waiting() == 0)
        link_.free_at_ = std::max(link_.free_at_, now);
    id_ = link_.scheduler_.submit({program, urgency, bytes, deadline, reinterpret_cast<std::uintptr_t>(this)});
    link_.send(now);
}

SharedLink::Turn::~Turn() {
    const std::lock_guard guard(link_.lock_);
    if (state_ == State::waits)
        link_.scheduler_.withdraw(id_, UINT32_MAX);
}

std::optional<TimePoint> SharedLink::Turn::look() {
    const std::lock_guard guard(link_.lock_);
    const TimePoint now = clock_now();
    link_.send(now);
    if (state_ == State::waits)
        return link_.free_at_;
    return state_ == State::dropped || ends_at_ <= now ? std::nullopt : std::optional(ends_at_);
}

void SharedLink::Turn::wait() {
    while (const auto again = look()) {
        std::unique_lock guard(link_.lock_);
        link_.changed_.wait_until(guard, *again);
    }
}

bool SharedLink::Turn::is_dropped() const {
    const std::lock_guard guard(link_.lock_);
    return state_ == State::dropped;
}

bool SharedLink::Turn::give_up(std::uint32_t bytes) {
    const std::lock_guard guard(link_.lock_);
    return link_.reissues_ && state_ == State::waits && link_.scheduler_.withdraw(id_, bytes);
}

void SharedLink::carry(std::uint32_t program, std::uint32_t bytes) {
    while (bytes > 0) {
        const std::uint32_t part = std::min(bytes, max_bytes());
        Turn(*this, program, Urgency::demand, part).wait();
        bytes -= part;
    }
}

// Whoever wakes sends for all: the next turn may be another thread's.
void SharedLink::send(TimePoint now) {
    const std::size_t nr_before = scheduler_.nr_waiting();
    while (now >= free_at_ && scheduler_.nr_waiting() > 0) {
        dropped_.clear();
        const auto request = scheduler_.next(now, duration(page_bytes) + latency_, dropped_);
        for (const LinkRequest& late : dropped_)
            reinterpret_cast<Turn*>(late.tag)->state_ = Turn::State::dropped;
        if (request) {
            start(*reinterpret_cast<Turn*>(request->tag), request->program, request->bytes, now);
            free_at_ += duration(request->bytes);
        }
    }
    if (scheduler_.nr_waiting() != nr_before)
        changed_.notify_all();
}

void SharedLink::start(Turn& turn, std::uint32_t program, std::uint32_t bytes, TimePoint now) {
    turn.state_ = Turn::State::sent;
    turn.ends_at_ = now + latency_;
    programs_.at(program).bytes += bytes;
    all_bytes_ += bytes;
}

SharedLink::Share SharedLink::share(std::uint32_t program) const {
    const std::lock_guard guard(lock_);
    const Known& known = programs_.at(program);
    return {known.bytes, all_bytes_ - known.all_before};
}

}  // namespace tmm::far
