// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Paging: pages one program. It reads faults and events, asks core::Program, and carries it out with userfaultfd, hands, writer,
// fetcher and store. Programs share only the link, by their weights, so that none waits for another's store. For one thread.
#pragma once

#include <poll.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "farmem/core/latencies.hpp"
#include "farmem/core/prefetch/prefetcher.hpp"
#include "farmem/core/program.hpp"
#include "farmem/core/rates.hpp"
#include "farmem/pager/control.hpp"
#include "farmem/pager/process/process.hpp"
#include "farmem/pager/recorder.hpp"
#include "farmem/pager/transfer/fetcher.hpp"
#include "farmem/pager/transfer/link_requests.hpp"
#include "farmem/pager/transfer/shared_link.hpp"
#include "farmem/pager/transfer/writer.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class Paging {
public:
    struct Status {
        std::uint64_t limit_pages = 0;
        std::uint64_t local_pages = 0;
        std::uint64_t used_pages = 0;  // local, and slots
        std::uint64_t far_pages = 0;
        std::uint64_t listed_pages = 0;
        std::uint64_t nr_processes = 0;
        std::uint64_t faults = 0;
        std::chrono::nanoseconds p50{};
        std::chrono::nanoseconds p99{};
        std::chrono::nanoseconds waited{};  // of all faults
        Counters counters;
        std::uint64_t late_hits = 0;  // faults that waited for a prefetch on its way
        std::uint64_t dropped = 0;    // prefetches that would have come too late
        SharedLink::Share link;       // of what comes in
        Rates rates;
        std::uint32_t weight = 0;
        std::string store;
    };

    // The two directions of the link that programs share.
    struct Links {
        SharedLink& in;
        SharedLink& out;
    };
    // command: one to run. wake: called in any thread when step() has something to do.
    static Result<std::unique_ptr<Paging>> make(const Command& command, std::unique_ptr<Store> store, const Links& links,
                                                std::function<void()> wake, const Log& log);

    // A process whose hand is connected: a new one with its userfaultfd, or a forked child that is known by its space.
    // The hand is told to go. Error: there is no such child.
    void add(Userfault userfault, HandLink hand, std::uint64_t beacon);
    Result<void> add_child(SpaceId space, HandLink hand);
    // Returns the userfaultfd of a forked child, as a copy; none if it is unknown. number: that it read from its beacon.
    [[nodiscard]] UniqueFd child_userfault(std::uint64_t number) const;

    void record(Recorder recorder) { recorder_.emplace(std::move(recorder)); }
    void set_limit(std::uint64_t limit_pages) { program_.set_limit(limit_pages); }
    void kill_processes() const;
    [[nodiscard]] Status status();
    [[nodiscard]] bool has_processes() const { return !processes_.empty(); }
    [[nodiscard]] const SharedMemory& slots() const { return slots_; }

    // Does what there is to do now. It waits for the store where a thread of the program does.
    void step();
    // Adds what tells that there is more to do. Returns after what time there is in any case; negative: at once.
    nanoseconds wait_for(std::vector<pollfd>& waits) const;

private:
    Paging(const Command& command, const Parts& parts, SharedMemory slots, std::unique_ptr<Store> store, const Links& links,
           std::function<void()> wake, const Log& log);

    [[nodiscard]] std::uint64_t number_of(SpaceId space) const;
    void connect(SpaceId space, Process& process, HandLink hand);
    void read_hand(SpaceId space, Process& process);
    void batch_done(SpaceId space, Process& process, std::uint32_t number);
    void read_events(SpaceId space, Process& process);
    void read_hints(SpaceId space, Process& process);

    void answer_faults();
    [[nodiscard]] bool hands_work() const;
    void answer(SpaceId space, Process& process, Fault fault);
    void await(SpaceId space, Process& process, Fault fault, const Answer& answer);
    // Returns the distance of the stream that the fault belongs to, or 0.
    std::int64_t observe(SpaceId space, Fault& fault, const std::optional<Origin>& hit);
    void fill(SpaceId space, Process& process, const Fault& fault, const void* page);
    void fill_along(SpaceId space, Process& process, PageNumber first);
    void fill_zeros(SpaceId space, Process& process, const Fault& fault, std::uint64_t max_pages);
    void answered(SpaceId space, const Fault& fault, FaultKind kind);
    void lose(SpaceId space, Process& process, const Fault& fault);

    void ask();
    void take_arrived();
    void fetch(std::vector<Waiting>& fetches);
    void drop(const std::vector<Prefetch>& prefetches);
    void take_fetched();

    void order();
    void store_pages();
    void register_areas();
    void remove_dead();
    char* slot(SlotId id) const { return slots_.data() + std::uint64_t{id} * page_bytes; }

    const std::string name_;
    const SharedMemory slots_;
    const std::unique_ptr<Store> store_;
    std::mutex gets_;  // one get() at a time
    const std::uint64_t window_;
    const std::uint32_t weight_;
    const bool async_read_;
    LinkPlace link_;
    const Log& log_;
    const std::uint64_t seed_;

    Program program_;
    Prefetcher prefetcher_;
    Wishes wishes_;
    TimePoint observed_{};              // of the fault that it saw last
    std::vector<Waiting> fetches_;      // to be asked for
    std::vector<Prefetch> prefetches_;  // to be asked for once demand is
    LinkRequests requests_;
    std::vector<std::array<char, page_bytes>> buffers_;
    std::map<SpaceId, Process> processes_;
    TimePoint checks_at_{};
    bool is_busy_ = false;     // something is to be tried again soon
    bool has_events_ = false;  // or at once

    std::optional<Recorder> recorder_;
    Latencies latencies_;
    std::chrono::nanoseconds waited_{};
    std::uint64_t late_hits_ = 0;
    std::uint64_t dropped_ = 0;
    Rates rates_;
    std::optional<Writer> writer_;
    std::optional<Fetcher> fetcher_;
};

}  // namespace tmm::far
