// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/link/link_scheduler.hpp"

#include <algorithm>

namespace tmm::far {

namespace {

// Virtual time counts sixteenths of a byte over the weight. An exabyte overflows it.
std::uint64_t virtual_cost(std::uint32_t bytes, std::uint32_t weight) {
    return std::max<std::uint64_t>(std::uint64_t{bytes} * 16 / weight, 1);
}

}  // namespace

std::uint32_t LinkScheduler::add_program(std::uint32_t weight) {
    auto program = std::find_if(programs_.begin(), programs_.end(), [](const Program& known) { return known.weight == 0; });
    if (program == programs_.end())
        program = programs_.emplace(programs_.end());
    program->weight = std::clamp<std::uint32_t>(weight, 1, max_weight);
    program->start = virtual_time_;
    return static_cast<std::uint32_t>(program - programs_.begin());
}

LinkScheduler::Queue& LinkScheduler::queue_of(const LinkRequest& request) {
    Program& program = programs_[queue_owner(request.program)];
    return rules_.demand_first && request.urgency == Urgency::prefetch ? program.prefetch : program.demand;
}

RequestId LinkScheduler::submit(const LinkRequest& request) {
    Place place = static_cast<Place>(places_.size());
    if (free_.empty()) {
        places_.emplace_back();
        free_.reserve(places_.capacity());
    } else {
        place = free_.back();
        free_.pop_back();
    }
    Program& program = programs_[queue_owner(request.program)];
    // A program that was idle has no claim on the past.
    if (!program.waits())
        program.start = std::max(program.start, virtual_time_);
    places_[place].request = request;
    places_[place].in_use = true;
    append(queue_of(request), place);
    ++nr_waiting_;
    return {place, places_[place].serial};
}

std::optional<LinkRequest> LinkScheduler::next(TimePoint now, nanoseconds transit, std::vector<LinkRequest>& dropped) {
    Program* chosen = nullptr;
    for (Program& program : programs_) {
        if (rules_.drop_late)
            drop_late(program, now + transit, dropped);
        if (program.waits() && (!chosen || program.start < chosen->start))
            chosen = &program;
    }
    if (!chosen)
        return {};
    Queue& queue = chosen->demand.first != none ? chosen->demand : chosen->prefetch;
    const LinkRequest request = take(queue, queue.first);
    virtual_time_ = chosen->start;
    if (rules_.fair)
        chosen->start += virtual_cost(request.bytes, chosen->weight);
    return request;
}

// Only the first prefetches are looked at: those behind a late one that waits for them have their turn later.
void LinkScheduler::drop_late(Program& program, TimePoint arrival, std::vector<LinkRequest>& dropped) {
    Queue& queue = rules_.demand_first ? program.prefetch : program.demand;
    while (queue.first != none) {
        const LinkRequest& first = places_[queue.first].request;
        if (first.urgency == Urgency::demand || first.deadline >= arrival)
            return;
        dropped.push_back(take(queue, queue.first));
    }
}

bool LinkScheduler::reissue(RequestId id) {
    if (!rules_.reissue || !waits(id) || places_[id.place].request.urgency == Urgency::demand)
        return false;
    LinkRequest request = take(queue_of(places_[id.place].request), id.place);
    request.urgency = Urgency::demand;
    submit(request);
    return true;
}

bool LinkScheduler::withdraw(RequestId id, std::uint32_t bytes) {
    if (!waits(id))
        return false;
    LinkRequest& request = places_[id.place].request;
    if (bytes < request.bytes)
        request.bytes -= bytes;
    else
        take(queue_of(request), id.place);
    return true;
}

bool LinkScheduler::waits(RequestId id) const {
    return id.place < places_.size() && places_[id.place].in_use && places_[id.place].serial == id.serial;
}

void LinkScheduler::remove_program(std::uint32_t program) {
    Program& owner = programs_[queue_owner(program)];
    clear(owner.demand, program);
    clear(owner.prefetch, program);
    programs_[program].weight = 0;
}

void LinkScheduler::clear(Queue& queue, std::uint32_t program) {
    for (Place place = queue.first; place != none;) {
        const Place after = places_[place].after;
        if (places_[place].request.program == program)
            take(queue, place);
        place = after;
    }
}

void LinkScheduler::append(Queue& queue, Place place) {
    places_[place].before = queue.last;
    places_[place].after = none;
    (queue.last == none ? queue.first : places_[queue.last].after) = place;
    queue.last = place;
}

LinkRequest LinkScheduler::take(Queue& queue, Place place) {
    Waiting& waiting = places_[place];
    (waiting.before == none ? queue.first : places_[waiting.before].after) = waiting.after;
    (waiting.after == none ? queue.last : places_[waiting.after].before) = waiting.before;
    waiting.in_use = false;
    ++waiting.serial;
    free_.push_back(place);
    --nr_waiting_;
    return waiting.request;
}

}  // namespace tmm::far
