// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/shared_link.hpp"

#include <algorithm>

namespace tmm::far {

std::uint32_t SharedLink::add_program(std::uint32_t weight) {
    const std::lock_guard guard(lock_);
    const std::uint32_t program = scheduler_.add_program(weight);
    programs_[program] = {.prefetch = nullptr, .bytes = 0, .all_before = all_bytes_};
    return program;
}

void SharedLink::remove_program(std::uint32_t program) {
    const std::lock_guard guard(lock_);
    scheduler_.remove_program(program);
    programs_.erase(program);
}

bool SharedLink::wait_turn(std::uint32_t program, Urgency urgency, std::uint32_t bytes, TimePoint deadline) {
    std::unique_lock guard(lock_);
    while (bytes > 0) {
        const std::uint32_t turn = std::min(bytes, max_bytes());
        if (bytes_per_s_ > 0 && !take_turn(guard, program, urgency, turn, deadline))
            return false;
        programs_.at(program).bytes += turn;
        all_bytes_ += turn;
        bytes -= turn;
    }
    return true;
}

bool SharedLink::take_turn(std::unique_lock<std::mutex>& guard, std::uint32_t program, Urgency urgency, std::uint32_t bytes,
                           TimePoint deadline) {
    Known& known = programs_.at(program);
    Turn turn;
    // As long as somebody waits, the link rests at no time, however late a thread wakes.
    if (scheduler_.nr_waiting() == 0)
        free_at_ = std::max(free_at_, std::chrono::steady_clock::now());
    turn.id = scheduler_.submit({program, urgency, bytes, deadline, reinterpret_cast<std::uintptr_t>(&turn)});
    if (urgency == Urgency::prefetch)
        known.prefetch = &turn;
    for (send(); turn.state == State::waits; send())
        changed_.wait_until(guard, free_at_);
    if (urgency == Urgency::prefetch)
        known.prefetch = nullptr;
    return turn.state == State::sent;
}

// Whoever wakes sends for all: the next turn may be another thread's.
void SharedLink::send() {
    const TimePoint now = std::chrono::steady_clock::now();
    while (now >= free_at_ && scheduler_.nr_waiting() > 0) {
        dropped_.clear();
        const auto request = scheduler_.next(now, duration(page_bytes), dropped_);
        for (const LinkRequest& late : dropped_)
            reinterpret_cast<Turn*>(late.tag)->state = State::dropped;
        if (request) {
            reinterpret_cast<Turn*>(request->tag)->state = State::sent;
            free_at_ += duration(request->bytes);
        }
        changed_.notify_all();
    }
}

bool SharedLink::hurry(std::uint32_t program) {
    const std::lock_guard guard(lock_);
    Turn* const turn = programs_.at(program).prefetch;
    return turn && scheduler_.reissue(turn->id);
}

SharedLink::Share SharedLink::share(std::uint32_t program) const {
    const std::lock_guard guard(lock_);
    const Known& known = programs_.at(program);
    return {known.bytes, all_bytes_ - known.all_before};
}

}  // namespace tmm::far
