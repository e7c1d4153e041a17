// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProgramThread: pages one program, in a thread of its own: reads faults and events, asks core::Program, and carries it out with
// userfaultfd, hands, writer, fetcher and store. Programs share only the link, by their weights, so that none waits for another's
// store.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
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
#include "farmem/pager/transfer/shared_link.hpp"
#include "farmem/pager/transfer/writer.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class ProgramThread {
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
    // command: one to run. main: the program's first process, or one that becomes it.
    static Result<std::unique_ptr<ProgramThread>> start(const Command& command, UniqueFd main, std::unique_ptr<Store> store,
                                                        const Links& links, const Log& log);
    // Ends all processes first.
    ~ProgramThread();

    // A process whose hand is connected: a new one with its userfaultfd, or a forked child that is known by its space.
    // The hand is told to go. Error: there is no such child.
    void add(Userfault userfault, HandLink hand, std::uint64_t beacon);
    Result<void> add_child(SpaceId space, HandLink hand);
    // Returns the userfaultfd of a forked child, as a copy; none if it is unknown. number: that it read from its beacon.
    UniqueFd child_userfault(std::uint64_t number);

    void record(Recorder recorder);
    // The three do not wait for a store: status() returns an older one rather.
    void set_limit(std::uint64_t limit_pages);
    Status status();
    void stop();

    [[nodiscard]] bool has_ended() const { return has_ended_.load(); }
    [[nodiscard]] const SharedMemory& slots() const { return slots_; }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    ProgramThread(const Command& command, const Parts& parts, UniqueFd main, UniqueFd wake, SharedMemory slots,
                  std::unique_ptr<Store> store, const Links& links, const Log& log);

    [[nodiscard]] std::uint64_t number_of(SpaceId space) const;
    void run();
    // Calls the function in the thread.
    void post(std::function<void()> call);
    // And waits.
    void in_thread(const std::function<void()>& call);
    Status current();
    void kill_processes();
    void connect(SpaceId space, Process& process, HandLink hand);
    void wait_for_something();
    void read_hand(SpaceId space, Process& process);
    void read_events(SpaceId space, Process& process);
    void batch_done(SpaceId space, Process& process, std::uint32_t number);
    void answer_faults();
    [[nodiscard]] bool hands_work() const;
    void answer(SpaceId space, Process& process, Fault fault);
    void await(SpaceId space, Process& process, Fault fault, const Answer& answer);
    // Returns the distance of the stream that the fault belongs to, or 0.
    std::int64_t observe(SpaceId space, Fault& fault, const std::optional<Origin>& hit);
    void answered(SpaceId space, const Fault& fault, FaultKind kind);
    struct Waiting {
        SpaceId space;
        Fault fault;
        Store::Get get;
    };
    // What the link brings at one turn: pages that threads wait for, or prefetches.
    struct Request {
        std::vector<Waiting> fetches;
        std::vector<Prefetch> prefetches;
        SharedLink::Turn turn;

        Request(LinkPlace& link, Urgency urgency, std::uint32_t bytes, TimePoint deadline)
            : turn(link.in, link.in_number, urgency, bytes, deadline) {}
    };
    void ask();
    void take_arrived();
    void fetch(std::vector<Waiting>& fetches);
    // A thread needs a page that is being fetched ahead. Returns false if it is on its way; else nobody fetches it from now on.
    bool give_up(SlotId slot);
    void read_hints(SpaceId space, Process& process);
    void take_fetched();
    void fill(SpaceId space, Process& process, const Fault& fault, const void* page);
    void fill_along(SpaceId space, Process& process, PageNumber first);
    void fill_zeros(SpaceId space, Process& process, const Fault& fault, std::uint64_t max_pages);
    void order();
    void store_pages();
    void register_areas();
    void remove_dead();
    void lose(SpaceId space, Process& process, const Fault& fault);
    char* slot(SlotId id) const { return slots_.data() + std::uint64_t{id} * page_bytes; }

    const std::string name_;
    const UniqueFd main_;
    const UniqueFd wake_;
    const SharedMemory slots_;
    const std::unique_ptr<Store> store_;
    std::mutex gets_;  // one get() at a time
    const std::uint64_t window_;
    const std::uint32_t weight_;
    const bool async_read_;
    LinkPlace link_;
    const Log& log_;
    const std::uint64_t seed_;

    // Of the thread.
    Program program_;
    Prefetcher prefetcher_;
    Wishes wishes_;
    TimePoint observed_{};              // of the fault that it saw last
    std::vector<Prefetch> prefetches_;  // to be asked for once demand is
    std::uint64_t late_hits_ = 0;
    std::uint64_t dropped_ = 0;
    Latencies latencies_;
    std::chrono::nanoseconds waited_{};
    std::optional<Recorder> recorder_;
    std::map<SpaceId, Process> processes_;
    std::vector<Waiting> fetches_;           // to be asked for
    std::list<Request> requests_;            // in the order that they were made
    TimePoint looks_at_ = TimePoint::max();  // again at the requests
    std::vector<std::array<char, page_bytes>> buffers_;
    TimePoint checks_at_{};
    Rates rates_;
    bool is_busy_ = false;     // something is to be tried again soon
    bool has_events_ = false;  // or at once

    std::mutex lock_;
    std::vector<std::function<void()>> calls_;
    Status status_;
    std::atomic<bool> ends_ = false;
    std::atomic<bool> has_ended_ = false;
    std::optional<Writer> writer_;
    std::optional<Fetcher> fetcher_;
    std::thread thread_;
};

}  // namespace tmm::far
