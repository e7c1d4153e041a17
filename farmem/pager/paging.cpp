// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/paging.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "farmem/pager/fingerprint.hpp"
#include "farmem/pager/random_number.hpp"

namespace tmm::far {
namespace {

constexpr std::uint32_t nr_slots = 16384;  // at most; a program uses an eighth of its limit
// Pages that a thread gets at once while it goes through memory from front to back.
constexpr std::uint64_t stream_fill = 16;
// Spaces have their pages apart for the prefetcher.
constexpr int space_shift = 40;
constexpr std::chrono::seconds check_interval{1};
constexpr std::chrono::milliseconds orphan_interval{20};
constexpr std::chrono::milliseconds busy_time{1};
constexpr std::chrono::milliseconds pause_time{10};

TimePoint now() {
    return std::chrono::steady_clock::now();
}

HandRange range_of(std::uint64_t first, std::uint64_t last) {
    return {first, last};
}
PageRange pages_of(const HandRange& range) {
    return {range.first / page_bytes, range.last / page_bytes};
}

}  // namespace

Result<std::unique_ptr<Paging>> Paging::make(const Command& command, std::unique_ptr<Store> store, const Links& links,
                                             std::function<void()> wake, const Log& log) {
    auto parts = parse_without(command.without);
    if (!parts)
        return std::move(parts).error();
    if (command.window == 0)
        parts->prefetch = {.streams = false, .vote = false, .successors = false, .edges = false};
    auto slots = SharedMemory::make("tmm-far-slots", std::size_t{nr_slots} * page_bytes);
    if (!slots)
        return std::move(slots).error();
    return std::unique_ptr<Paging>(new Paging(command, *parts, std::move(*slots), std::move(store), links, std::move(wake), log));
}

Paging::Paging(const Command& command, const Parts& parts, SharedMemory slots, std::unique_ptr<Store> store, const Links& links,
               std::function<void()> wake, const Log& log)
    : name_(command.name),
      slots_(std::move(slots)),
      store_(std::move(store)),
      window_(command.window),
      weight_(command.weight),
      async_read_(parts.async_read),
      link_(links.in, links.out, command.weight),
      log_(log),
      seed_(random_number()),
      program_(nr_slots, command.limit_bytes / page_bytes, parts.keep),
      prefetcher_(parts.prefetch),
      requests_(link_) {
    writer_.emplace(*store_, slots_.data(), link_, parts.async_write, wake);
    fetcher_.emplace(*store_, gets_, slots_.data(), std::move(wake));
}

// The hand may go before it hears anything else.
void Paging::connect(SpaceId space, Process& process, HandLink hand) {
    process.hand.emplace(std::move(hand));
    process.hand->block().nr_moves.store(program_.nr_moves(space));
    if (process.send(MessageKind::go))
        program_.set_hand(space, true);
}

void Paging::add(Userfault userfault, HandLink hand, std::uint64_t beacon) {
    const SpaceId space = program_.add_space();
    Process& process = processes_.emplace(space, Process(std::move(userfault), beacon)).first->second;
    connect(space, process, std::move(hand));
}

Result<void> Paging::add_child(SpaceId space, HandLink hand) {
    const auto process = processes_.find(space);
    if (process == processes_.end() || process->second.hand)
        return Error(ESRCH, "no such child");
    connect(space, process->second, std::move(hand));
    return {};
}

// Another pager's child could have the same space.
std::uint64_t Paging::number_of(SpaceId space) const {
    return seed_ << 32 | space;
}

UniqueFd Paging::child_userfault(std::uint64_t number) const {
    const auto process = processes_.find(static_cast<SpaceId>(number));
    if (number != number_of(static_cast<SpaceId>(number)) || process == processes_.end() || process->second.hand)
        return {};
    return UniqueFd(::fcntl(process->second.userfault.fd(), F_DUPFD_CLOEXEC, 0));
}

Paging::Status Paging::status() {
    return {.limit_pages = program_.limit_pages(),
            .local_pages = program_.nr_local(),
            .used_pages = program_.nr_used(),
            .far_pages = program_.nr_far(),
            .listed_pages = program_.nr_listed(),
            .nr_processes = processes_.size(),
            .faults = latencies_.count(),
            .p50 = latencies_.percentile(0.5),
            .p99 = latencies_.percentile(0.99),
            .waited = waited_,
            .counters = program_.counters(),
            .late_hits = late_hits_,
            .dropped = dropped_,
            .link = link_.in.share(link_.in_number),
            .rates = rates_,
            .weight = weight_,
            .store = store_->name()};
}

void Paging::kill_processes() const {
    for (const auto& [space, process] : processes_)
        process.kill();
}

void Paging::step() {
    for (const Writer::Written& written : writer_->take_written())
        program_.written(now(), written.slot, written.is_stored);
    take_fetched();
    take_arrived();
    do {
        has_events_ = is_busy_ = false;
        std::vector<SpaceId> spaces;
        for (const auto& [space, process] : processes_)
            spaces.push_back(space);
        for (const SpaceId space : spaces) {
            read_hand(space, processes_.at(space));
            read_events(space, processes_.at(space));
            read_hints(space, processes_.at(space));
        }
        // A hand works while a store is asked.
        order();
        answer_faults();
    } while (has_events_);
    order();
    store_pages();
    register_areas();
    if (now() >= checks_at_)
        remove_dead();
}

nanoseconds Paging::wait_for(std::vector<pollfd>& waits) const {
    bool has_faults = false;
    for (const auto& [space, process] : processes_) {
        waits.push_back({.fd = process.userfault.fd(), .events = POLLIN, .revents = 0});
        if (process.hand)
            waits.push_back({.fd = process.hand->socket.get(), .events = POLLIN, .revents = 0});
        has_faults = has_faults || !process.faults.empty();
    }
    if (is_busy_)
        return std::min<nanoseconds>(busy_time, requests_.looks_at() - now());
    const nanoseconds longest = has_faults ? pause_time : check_interval;
    return std::min({longest, checks_at_ - now(), requests_.looks_at() - now()});
}

void Paging::read_hand(SpaceId space, Process& process) {
    while (process.hand) {
        const auto received = process.receive();
        if (!received) {
            // It ends with its process, and so do the faults, but not at the same moment.
            process.hand.reset();
            program_.set_hand(space, false);
            checks_at_ = {};
            return;
        }
        if (!*received)
            return;
        const HandMessage& message = **received;
        if (message.kind == MessageKind::done)
            batch_done(space, process, message.count);
        else if (message.kind == MessageKind::size)
            process.resident_pages = message.number;
        else if (message.kind == MessageKind::present)
            for (std::uint32_t i = 0; i < message.count; ++i) {
                // What it forgets, it looks at anew.
                if (!program_.present(space, pages_of(message.ranges[i]), static_cast<std::uint32_t>(message.number)))
                    process.forgotten.push_back(message.ranges[i]);
            }
    }
}

void Paging::batch_done(SpaceId space, Process& process, std::uint32_t number) {
    if (process.batches[number].empty())
        return;
    const HandBatch& batch = process.hand->block().batches[number];
    bool has_gone = false;
    for (std::size_t i = 0; i < process.batches[number].size(); ++i) {
        const SlotId id = process.batches[number][i].slot;
        const auto outcome =
            static_cast<Outcome>(std::min(batch.orders[i].outcome, static_cast<std::uint32_t>(Outcome::refused)));
        has_gone = has_gone || outcome != Outcome::refused;
        program_.evicted(id, outcome, outcome == Outcome::moved ? fingerprint(slot(id), seed_) : Content{});
    }
    process.batches[number].clear();
    program_.batch_done(space, has_gone, now());
}

void Paging::read_events(SpaceId space, Process& process) {
    std::vector<HandRange> cancelled;
    std::vector<HandRange>& forgotten = process.forgotten;
    const TimePoint since = now();
    for (const uffd_msg& message : process.read(is_busy_)) {
        switch (message.event) {
            case UFFD_EVENT_PAGEFAULT: {
                const bool is_write = (message.arg.pagefault.flags & UFFD_PAGEFAULT_FLAG_WRITE) != 0;
                process.faults.push_back(
                    {message.arg.pagefault.address, message.arg.pagefault.feat.ptid, since, is_write, false});
                break;
            }
            case UFFD_EVENT_FORK: {
                const SpaceId child = program_.fork(space);
                processes_.emplace(child, Process(Userfault(UniqueFd(static_cast<int>(message.arg.fork.ufd))), process.beacon));
                has_events_ = true;
                break;
            }
            case UFFD_EVENT_REMAP: {
                const HandRange from = range_of(message.arg.remap.from, message.arg.remap.from + message.arg.remap.len);
                program_.moved(space, pages_of(from), message.arg.remap.to / page_bytes);
                cancelled.push_back(from);
                cancelled.push_back(range_of(message.arg.remap.to, message.arg.remap.to + message.arg.remap.len));
                forgotten.insert(forgotten.end(), {cancelled.end()[-2], cancelled.end()[-1]});
                break;
            }
            case UFFD_EVENT_REMOVE:
            case UFFD_EVENT_UNMAP: {
                const HandRange gone = range_of(message.arg.remove.start, message.arg.remove.end);
                program_.removed(space, pages_of(gone));
                cancelled.push_back(gone);
                if (message.event == UFFD_EVENT_UNMAP)
                    forgotten.push_back(gone);
                break;
            }
            default:
                break;
        }
    }
    process.end_read(cancelled);
    if (process.hand)
        process.hand->block().nr_moves.store(program_.nr_moves(space));
    else
        forgotten.clear();
    // Until then it thinks that the new memory there is known.
    while (!forgotten.empty() && process.send(MessageKind::forget, forgotten))
        forgotten.erase(forgotten.begin(),
                        forgotten.begin() + std::min<std::ptrdiff_t>(std::ssize(forgotten), HandMessage::max_ranges));
}

// A program writes what it likes: nothing here depends on more than the number of hints.
void Paging::read_hints(SpaceId space, Process& process) {
    if (!process.hand)
        return;
    HandHints& hints = process.hand->block().hints;
    const std::uint32_t written = hints.written.load();
    std::uint32_t read = hints.read.load();
    if (written - read > hints.edges.size())
        read = written - static_cast<std::uint32_t>(hints.edges.size());
    const PageNumber apart = PageNumber{space} << space_shift;
    constexpr PageNumber in_space = (PageNumber{1} << space_shift) - 1;
    for (; read != written; ++read) {
        const HandEdge& edge = hints.edges[read % hints.edges.size()];
        prefetcher_.edges().add(apart + (edge.from / page_bytes & in_space), apart + (edge.to / page_bytes & in_space));
    }
    hints.read.store(read);
}

void Paging::answer_faults() {
    for (auto& [space, process] : processes_) {
        for (std::size_t n = process.faults.size(); n > 0; --n) {
            const Fault fault = process.faults.front();
            process.faults.pop_front();
            answer(space, process, fault);
        }
    }
    ask();
    for (const Origin& origin : program_.take_unused())
        prefetcher_.unused(origin);
}

bool Paging::hands_work() const {
    return std::any_of(processes_.begin(), processes_.end(), [](const auto& process) {
        return std::any_of(process.second.batches.begin(), process.second.batches.end(),
                           [](const auto& batch) { return !batch.empty(); });
    });
}

void Paging::answer(SpaceId space, Process& process, Fault fault) {
    const PageNumber page = fault.address / page_bytes;
    if (page == process.beacon / page_bytes) {
        std::array<std::uint64_t, page_bytes / sizeof(std::uint64_t)> name{number_of(space)};
        if (process.userfault.copy(page * page_bytes, name.data()) == Filled::again) {
            process.faults.push_back(fault);
            has_events_ = true;
        }
        return;
    }
    const bool exempt = process.hand && process.hand->block().thread.load() == fault.thread;
    if (!async_read_ && !exempt && hands_work()) {
        process.faults.push_back(fault);
        return;
    }
    const Answer answer = program_.fault(space, page, exempt);
    if (answer.how == Answer::How::wait) {
        process.faults.push_back(fault);
        return;
    }
    if (answer.how == Answer::How::lost)
        return lose(space, process, fault);
    if (answer.how == Answer::How::coming)
        return await(space, process, fault, answer);
    if (answer.hit && !fault.is_seen)
        prefetcher_.used(*answer.hit);
    const std::int64_t distance = observe(space, fault, answer.hit);
    if (answer.how == Answer::How::zero) {
        fill_zeros(space, process, fault, distance == 1 ? stream_fill : 1);
    } else if (answer.how == Answer::How::slot) {
        fill(space, process, fault, slot(answer.slot));
        if (answer.hit)
            fill_along(space, process, page + 1);
    } else {
        fetches_.push_back(
            {space, fault, {.entry = answer.entry, .version = answer.version, .page = nullptr, .is_found = false}});
    }
}

// What the link has not sent yet becomes demand.
void Paging::await(SpaceId space, Process& process, Fault fault, const Answer& answer) {
    if (!fault.is_seen) {
        const bool is_given_up = requests_.give_up(answer.slot);
        if (!is_given_up && answer.hit)
            prefetcher_.late(*answer.hit);
        observe(space, fault, answer.hit);
        if (is_given_up) {
            program_.prefetched(answer.slot, false);
            return this->answer(space, process, fault);
        }
        ++late_hits_;
    }
    process.faults.push_back(fault);
}

std::int64_t Paging::observe(SpaceId space, Fault& fault, const std::optional<Origin>& hit) {
    if (std::exchange(fault.is_seen, true))
        return 0;
    // A fault that had to wait may be older than the last one.
    observed_ = std::max(observed_, fault.since);
    const PageNumber apart = PageNumber{space} << space_shift;
    const std::int64_t distance = prefetcher_.fault({fault.thread, apart + fault.address / page_bytes, observed_, hit}, wishes_);
    if (wishes_.empty())
        return distance;
    Wishes pages;
    for (Wish wish : wishes_) {
        wish.page -= apart;
        pages.add(wish);
    }
    std::optional<Wish> refused;
    const std::vector<Prefetch> found = program_.prefetch(space, pages, window_, refused);
    prefetches_.insert(prefetches_.end(), found.begin(), found.end());
    if (refused) {
        refused->page += apart;
        prefetcher_.refused(*refused);
    }
    return distance;
}

void Paging::fill(SpaceId space, Process& process, const Fault& fault, const void* page) {
    switch (process.userfault.copy(fault.address & ~(page_bytes - 1), page)) {
        case Filled::there:
            program_.filled(space, fault.address / page_bytes);
            answered(space, fault, fault.is_write ? FaultKind::write : FaultKind::read);
            return;
        case Filled::again:
            program_.not_filled(space, fault.address / page_bytes);
            process.faults.push_back(fault);
            has_events_ = true;
            return;
        case Filled::gone:
        case Filled::dead:
            program_.not_filled(space, fault.address / page_bytes);
            return;
    }
}

// What a stream has fetched ahead, and is here, saves its faults.
void Paging::fill_along(SpaceId space, Process& process, PageNumber first) {
    for (PageNumber page = first; page < first + stream_fill - 1; ++page) {
        const SlotId id = program_.in_slot(space, page);
        const auto origin = id == no_slot ? std::nullopt : program_.origin(id);
        if (!origin || origin->tier != Origin::Tier::stream ||
            process.userfault.copy(page * page_bytes, slot(id)) != Filled::there)
            return;
        program_.filled(space, page);
        prefetcher_.used(*origin);
    }
}

void Paging::fill_zeros(SpaceId space, Process& process, const Fault& fault, std::uint64_t max_pages) {
    const PageNumber page = fault.address / page_bytes;
    const std::uint64_t wanted = std::max<std::uint64_t>(program_.zeros_from(space, page, max_pages), 1);
    std::size_t nr_filled = 0;
    switch (process.userfault.zero(page * page_bytes, wanted, nr_filled)) {
        case Filled::there:
            for (std::size_t i = 0; i < nr_filled; ++i)
                program_.filled(space, page + i);
            answered(space, fault, FaultKind::zero);
            return;
        case Filled::again:
            process.faults.push_back(fault);
            has_events_ = true;
            return;
        case Filled::gone:
        case Filled::dead:
            return;
    }
}

void Paging::answered(SpaceId space, const Fault& fault, FaultKind kind) {
    const TimePoint time = now();
    latencies_.add(time - fault.since);
    waited_ += time - fault.since;
    if (recorder_)
        recorder_->add(space, fault.address / page_bytes, fault.thread, kind, fault.since, time);
}

// Never zeros: who waits for the page ends. The hand says why, unless it waits itself: here it could keep the pager waiting.
void Paging::lose(SpaceId, Process& process, const Fault& fault) {
    log_.error(name_ + ": no copy of page " + std::to_string(fault.address / page_bytes) + " is left in the store " +
               store_->name());
    if (!process.hand)
        return process.userfault.poison(fault.address);
    if (process.hand->block().thread.load() == fault.thread || !process.send(MessageKind::lost))
        process.kill();
}

// Who waits comes first.
void Paging::ask() {
    requests_.ask_demand(fetches_);
    take_arrived();
    requests_.ask_prefetches(prefetches_);
    take_arrived();
}

void Paging::take_arrived() {
    while (auto pages = requests_.take_arrived()) {
        if (!pages->demand.empty())
            fetch(pages->demand);
        else if (!pages->is_dropped)
            fetcher_->add(std::move(pages->prefetches));
        else
            drop(pages->prefetches);
    }
}

void Paging::drop(const std::vector<Prefetch>& prefetches) {
    for (const Prefetch& one : prefetches)
        program_.prefetched(one.slot, false);
    dropped_ += prefetches.size();
}

void Paging::fetch(std::vector<Waiting>& fetches) {
    std::erase_if(fetches, [&](const Waiting& one) {
        const auto process = processes_.find(one.space);
        if (process == processes_.end())
            return true;
        if (program_.awaits(one.space, one.fault.address / page_bytes, one.get.entry, one.get.version))
            return false;
        process->second.faults.push_back(one.fault);
        return has_events_ = true;
    });
    buffers_.resize(std::max(buffers_.size(), fetches.size()));
    std::vector<Store::Get> gets;
    for (std::size_t i = 0; i < fetches.size(); ++i) {
        gets.push_back(fetches[i].get);
        gets[i].page = buffers_[i].data();
    }
    {
        const std::lock_guard guard(gets_);
        store_->get(gets);
    }
    for (std::size_t i = 0; i < fetches.size(); ++i) {
        Process& process = processes_.at(fetches[i].space);
        if (gets[i].is_found)
            fill(fetches[i].space, process, fetches[i].fault, gets[i].page);
        else
            lose(fetches[i].space, process, fetches[i].fault);
    }
}

void Paging::take_fetched() {
    for (const Fetcher::Fetched& fetched : fetcher_->take_fetched()) {
        dropped_ += fetched.is_filled ? 0 : 1;
        program_.prefetched(fetched.slot, fetched.is_filled);
    }
}

void Paging::order() {
    for (Orders orders = program_.evict(now()); !orders.orders.empty(); orders = program_.evict(now())) {
        if (processes_.at(orders.space).send(orders.orders))
            continue;
        for (const Order& order : orders.orders)
            program_.evicted(order.slot, Outcome::refused, {});
        program_.batch_done(orders.space, false, now());
    }
}

void Paging::store_pages() {
    const std::vector<EntryId> drops = program_.take_drops();
    writer_->add(drops, program_.write(now(), nr_slots));
}

void Paging::register_areas() {
    std::uint64_t resident = 0;
    bool has_registered = false;
    for (const auto& [space, process] : processes_) {
        resident += process.resident_pages;
        has_registered = has_registered || process.registers;
    }
    if (!has_registered && !program_.should_register(resident))
        return;
    for (auto& [space, process] : processes_) {
        if (process.hand && !process.registers)
            process.registers = process.send(MessageKind::register_areas);
    }
}

void Paging::remove_dead() {
    const TimePoint time = now();
    bool has_orphan = false;
    for (auto process = processes_.begin(); process != processes_.end();) {
        has_orphan = has_orphan || !process->second.hand;
        if (process->second.userfault.is_alive()) {
            ++process;
            continue;
        }
        program_.remove_space(process->first);
        process = processes_.erase(process);
    }
    if (time - rates_.last() >= check_interval) {
        const SharedLink::Share link = link_.in.share(link_.in_number);
        rates_.update(time, {latencies_.count(), waited_, link.bytes, link.all_bytes});
    }
    checks_at_ = time + (has_orphan ? orphan_interval : std::chrono::milliseconds(check_interval));
}

}  // namespace tmm::far
