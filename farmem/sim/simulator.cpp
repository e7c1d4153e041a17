// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/sim/simulator.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "farmem/sim/sim_memory.hpp"

namespace tmm::far {

namespace {

// A fault costs its thread this much beside waiting for the link (measured: 6 to 8 us for a page that is in local memory).
constexpr nanoseconds fault_cost = std::chrono::microseconds(6);
constexpr std::uint32_t no_thread = UINT32_MAX;
// Programs that share a prefetcher have their pages apart.
constexpr int program_shift = 44;

struct SimThread {
    explicit SimThread(std::unique_ptr<Accesses> accesses_) : accesses(std::move(accesses_)) {}

    std::unique_ptr<Accesses> accesses;
    nanoseconds work{};  // after the access that it waits for
    TimePoint waits_since;
    std::uint32_t next_waiter = no_thread;
};

struct SimProgram {
    SimProgram(const ProgramSpec& spec, const ReservationRules& rules, std::uint32_t number_,
               const std::function<void(const SimPage&)>& discarded)
        : name(spec.name), number(number_), memory(spec.limit_pages, spec.quota_pages, rules, discarded) {
        figures.name = spec.name;
    }

    std::string name;
    std::uint32_t number;
    std::uint32_t scheduled = 0;  // its number at the link
    SimMemory memory;
    std::shared_ptr<PrefetchPolicy> prefetch;
    std::vector<SimThread> threads;
    Figures figures;
    ReservationCounts entries_before;  // the warm-up's
    SimWrites writes_before;
};

struct Event {
    enum class What : std::uint8_t { thread, link_free, arrival };

    TimePoint time;
    std::uint64_t order = 0;  // events of the same time happen in the order of their making
    What what = What::thread;
    std::uint32_t program = 0;
    std::uint64_t subject = 0;  // a thread or a page

    bool operator>(const Event& other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
};

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

}  // namespace

double Figures::coverage() const {
    return ratio(static_cast<double>(hits), static_cast<double>(hits + misses));
}

double Figures::accuracy() const {
    return ratio(static_cast<double>(used), static_cast<double>(used + unused));
}

nanoseconds Figures::wait_quantile(double share) const {
    if (waits.empty())
        return {};
    return waits[std::min(static_cast<std::size_t>(share * static_cast<double>(waits.size())), waits.size() - 1)];
}

double SimOutcome::pace(std::size_t program) const {
    return static_cast<double>(programs[program].accesses) / std::chrono::duration<double>(duration).count();
}

double SimOutcome::useful_share() const {
    double useful = 0;
    for (const Figures& figures : programs)
        useful += static_cast<double>(figures.fetched) - static_cast<double>(figures.unused);
    return ratio(useful * page_bytes, link_bytes);
}

class Simulator::World {
public:
    World(const Link& link, const Rules& rules)
        : link_(link),
          rules_(rules),
          scheduler_(rules.link),
          sending_(static_cast<std::int64_t>(1e9 * page_bytes / link.bytes_per_s)) {}

    void add(const ProgramSpec& spec, Behaviour behaviour) {
        const auto number = static_cast<std::uint32_t>(programs_.size());
        programs_.push_back(std::make_unique<SimProgram>(spec, rules_.entries, number, [this, number](const SimPage& page) {
            SimProgram& program = *programs_[number];
            ++program.figures.unused;
            program.prefetch->unused(page.wish.origin);
        }));
        SimProgram& program = *programs_.back();
        program.scheduled = scheduler_.add_program(spec.weight);
        program.prefetch = rules_.prefetch == PrefetchKind::leap_shared && number > 0
                               ? programs_.front()->prefetch
                               : make_prefetch_policy(rules_.prefetch, rules_.parts);
        if (rules_.use_edges) {
            for (const auto& [from, to] : behaviour.edges)
                program.prefetch->add_edge(from, to);
        }
        for (const PageNumber page : behaviour.far_pages)
            program.memory.at(page).state = SimPage::State::far;
        for (std::unique_ptr<Accesses>& accesses : behaviour.threads) {
            program.threads.emplace_back(std::move(accesses));
            push(start_, Event::What::thread, number, program.threads.size() - 1);
        }
    }

    SimOutcome run(nanoseconds warm_up, nanoseconds duration) {
        const TimePoint warm = start_ + warm_up;
        const TimePoint end = warm + duration;
        bool is_warm = false;
        while (!events_.empty() && events_.top().time < end) {
            if (!is_warm && events_.top().time >= warm) {
                is_warm = true;
                forget_warm_up();
            }
            const Event event = events_.top();
            events_.pop();
            handle(event, is_warm ? end : warm);
        }
        return outcome(duration);
    }

private:
    using State = SimPage::State;

    void push(TimePoint time, Event::What what, std::uint32_t program, std::uint64_t subject) {
        events_.push({time, nr_events_++, what, program, subject});
    }

    void handle(const Event& event, TimePoint end) {
        switch (event.what) {
            case Event::What::thread:
                run_thread(*programs_[event.program], static_cast<std::uint32_t>(event.subject), event.time, end);
                break;
            case Event::What::link_free:
                link_is_free_ = true;
                send(event.time);
                break;
            case Event::What::arrival:
                arrive(*programs_[event.program], event.subject, event.time);
                break;
        }
    }

    // Runs a thread until it waits, or until something else happens first.
    void run_thread(SimProgram& program, std::uint32_t number, TimePoint now, TimePoint end) {
        SimThread& thread = program.threads[number];
        while (now < end && (events_.empty() || now <= events_.top().time)) {
            const auto access = thread.accesses->next();
            if (!access)
                return;
            if (!touch(program, number, *access, now)) {
                thread.work = access->work;
                return;
            }
            now += access->work;
        }
        push(now, Event::What::thread, program.number, number);
    }

    // Returns false if the thread has to wait for the page; else adds the cost of a fault to now, if there was one.
    bool touch(SimProgram& program, std::uint32_t thread, const Access& access, TimePoint& now) {
        SimPage& page = program.memory.at(access.page);
        page.is_written = page.is_written || access.writes;
        ++program.figures.accesses;
        switch (page.state) {
            case State::local:
                return true;
            case State::leaving:
                program.memory.rescue(page);
                break;
            case State::zero:
                program.memory.touch_first(page);
                page.is_written = true;
                ask_ahead(program, {thread, page.number, now, {}});
                break;
            case State::ready:
                ++program.figures.used;
                ++program.figures.hits;
                program.prefetch->used(page.wish.origin);
                program.memory.use_ready(page);
                ask_ahead(program, {thread, page.number, now, page.wish.origin});
                break;
            case State::coming:
                wait(program, thread, page, now);
                if (page.is_prefetch)
                    need(program, thread, page, now);
                return false;
            case State::far:
                ++program.figures.misses;
                program.memory.fetch(page, false);
                wait(program, thread, page, now);
                batch_.assign(1, &page);
                submit(program, batch_, Urgency::demand, {}, now);
                ask_ahead(program, {thread, page.number, now, {}});
                return false;
        }
        program.figures.waited += fault_cost;
        now += fault_cost;
        return true;
    }

    // A thread waits for a prefetch on its way.
    void need(SimProgram& program, std::uint32_t thread, SimPage& page, TimePoint now) {
        program.memory.needed(page);
        // One that the link has not sent yet was of no use.
        if (scheduler_.reissue(page.request)) {
            ++program.figures.misses;
        } else {
            ++program.figures.used;
            program.prefetch->late(page.wish.origin);
            ++program.figures.hits;
            ++program.figures.late_hits;
        }
        ask_ahead(program, {thread, page.number, now, page.wish.origin});
    }

    void wait(SimProgram& program, std::uint32_t number, SimPage& page, TimePoint now) {
        SimThread& thread = program.threads[number];
        thread.waits_since = now;
        thread.next_waiter = page.first_waiter;
        page.first_waiter = number;
    }

    void ask_ahead(SimProgram& program, PageFault fault) {
        const PageNumber offset = PageNumber{program.number} << program_shift;
        fault.page += offset;
        program.prefetch->fault(fault, wishes_);
        batch_.clear();
        for (const Wish& wish : wishes_) {
            SimPage* const page = program.memory.find(wish.page - offset);
            if (!page || page->state != State::far)
                continue;
            if (!program.memory.has_room_to_prefetch(fault.now)) {
                program.prefetch->refused(wish);
                break;
            }
            program.memory.fetch(*page, true);
            page->wish = wish;
            page->asked = fault.now;
            ++program.figures.asked;
            batch_.push_back(page);
            if (batch_.size() == rules_.batch)
                submit(program, batch_, Urgency::prefetch, wish.deadline, fault.now);
        }
        if (!batch_.empty())
            submit(program, batch_, Urgency::prefetch, batch_.back()->wish.deadline, fault.now);
    }

    // One request brings all the pages, which it takes out of the batch.
    void submit(SimProgram& program, std::vector<SimPage*>& batch, Urgency urgency, TimePoint deadline, TimePoint now) {
        const auto bytes = static_cast<std::uint32_t>(batch.size() * page_bytes);
        const RequestId request = scheduler_.submit({program.scheduled, urgency, bytes, deadline, batch.front()->number});
        SimPage* next = nullptr;
        while (!batch.empty()) {
            SimPage* const page = batch.back();
            batch.pop_back();
            page->request = request;
            page->next_of_request = std::exchange(next, page);
        }
        send(now);
    }

    void send(TimePoint now) {
        if (!link_is_free_)
            return;
        std::optional<LinkRequest> request;
        // A dropped request may have made another.
        while (!request && scheduler_.nr_waiting() > 0) {
            dropped_.clear();
            request = scheduler_.next(now, sending_ + link_.latency, dropped_);
            for (const LinkRequest& late : dropped_)
                drop(*programs_[late.program], late.tag);
        }
        if (!request)
            return;
        SimProgram& program = *programs_[request->program];
        const std::uint32_t nr_pages = request->bytes / page_bytes;
        program.figures.fetched += nr_pages;
        program.figures.prefetched += request->urgency == Urgency::prefetch ? nr_pages : 0;
        link_is_free_ = false;
        push(now + nr_pages * sending_, Event::What::link_free, 0, 0);
        push(now + nr_pages * sending_ + link_.latency, Event::What::arrival, request->program, request->tag);
    }

    void drop(SimProgram& program, PageNumber number) {
        for (SimPage* page = &program.memory.at(number); page;)
            drop(program, *std::exchange(page, page->next_of_request));
    }

    void drop(SimProgram& program, SimPage& page) {
        ++program.figures.dropped;
        if (page.first_waiter == no_thread) {
            program.memory.not_coming(page);
            return;
        }
        // Only without reissuing: somebody waits for it.
        page.request = scheduler_.submit({program.scheduled, Urgency::demand, page_bytes, {}, page.number});
        page.next_of_request = nullptr;
    }

    void arrive(SimProgram& program, PageNumber number, TimePoint now) {
        for (SimPage* page = &program.memory.at(number); page;)
            arrive(program, *std::exchange(page, page->next_of_request), now);
    }

    void arrive(SimProgram& program, SimPage& page, TimePoint now) {
        program.memory.arrived(page);
        std::uint32_t waiter = page.first_waiter;
        page.first_waiter = no_thread;
        while (waiter != no_thread) {
            SimThread& thread = program.threads[waiter];
            const nanoseconds waited = now - thread.waits_since;
            program.figures.waits.push_back(waited);
            program.figures.waited += waited + fault_cost;
            push(now + fault_cost + thread.work, Event::What::thread, program.number, waiter);
            waiter = thread.next_waiter;
        }
    }

    void forget_warm_up() {
        for (const auto& program : programs_) {
            program->entries_before = program->memory.entries();
            program->writes_before = program->memory.writes();
            program->figures = Figures();
            program->figures.name = program->name;
        }
    }

    SimOutcome outcome(nanoseconds duration) {
        SimOutcome outcome{duration, link_.bytes_per_s * std::chrono::duration<double>(duration).count(), {}};
        for (const auto& program : programs_) {
            Figures& figures = program->figures;
            const ReservationCounts& entries = program->memory.entries();
            const ReservationCounts& before = program->entries_before;
            figures.entries = {entries.evictions - before.evictions, entries.allocations - before.allocations,
                               entries.cancellations - before.cancellations};
            figures.writes = program->memory.writes().written - program->writes_before.written;
            figures.writes_saved = program->memory.writes().saved - program->writes_before.saved;
            std::sort(figures.waits.begin(), figures.waits.end());
            outcome.programs.push_back(std::move(figures));
        }
        return outcome;
    }

    Link link_;
    Rules rules_;
    LinkScheduler scheduler_;
    nanoseconds sending_;  // of one page
    bool link_is_free_ = true;
    // Not zero, so that no time is that of an unset TimePoint.
    TimePoint start_{std::chrono::seconds(1)};
    std::vector<std::unique_ptr<SimProgram>> programs_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t nr_events_ = 0;
    Wishes wishes_;
    std::vector<SimPage*> batch_;
    std::vector<LinkRequest> dropped_;
};

Simulator::Simulator(const Link& link, const Rules& rules) : world_(std::make_unique<World>(link, rules)) {}

Simulator::~Simulator() = default;

void Simulator::add(const ProgramSpec& spec, Behaviour behaviour) {
    world_->add(spec, std::move(behaviour));
}

SimOutcome Simulator::run(nanoseconds warm_up, nanoseconds duration) {
    return world_->run(warm_up, duration);
}

}  // namespace tmm::far
