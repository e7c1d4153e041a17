// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prefetcher: decides what is fetched ahead for one program. It has two tiers, as Canvas (Wang et al., NSDI'23, 5.2). The lower
// one follows the streams of each thread, and has a vote on where lone faults lead. After three faults in a row for which it
// knew nothing, the upper tier helps: pages that the program's runtime has named (edges), and pages that followed before
// (successors). The lower tier ends that when it is right again.
//
// The pager calls fault() for every fault, also for one that a prefetched page answers, and says what became of each wish that
// it took up. Pure; called from one thread. It allocates with the first fault of a thread, and with the first use of the upper
// tier.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "farmem/core/prefetch/edges.hpp"
#include "farmem/core/prefetch/majority_vote.hpp"
#include "farmem/core/prefetch/streams.hpp"
#include "farmem/core/prefetch/successors.hpp"

namespace tmm::far {

struct PrefetchParts {
    bool streams = true;
    bool vote = true;
    bool successors = true;
    bool edges = true;
};

struct PageFault {
    std::uint32_t thread = 0;  // numbered from 0; those beyond Prefetcher::max_threads share the state of others
    PageNumber page = 0;
    TimePoint now;              // never falls
    std::optional<Origin> hit;  // the page had been fetched ahead, for this one
};

class Prefetcher {
public:
    static constexpr std::uint32_t max_threads = 256;

    explicit Prefetcher(const PrefetchParts& parts = {}) : parts_(parts) {}

    // Sets wishes to the pages to fetch ahead now. Some may be local or on their way already. Returns the distance of the stream
    // that the fault belongs to, or 0.
    std::int64_t fault(const PageFault& fault, Wishes& wishes);

    // What became of a wish that the pager took up:
    void refused(const Wish& wish);     // there is no room for its page, nor for those behind it
    void used(const Origin& origin);    // the page was there when a thread needed it
    void late(const Origin& origin);    // a thread had to wait for it on its way; one that was not sent is none of these
    void unused(const Origin& origin);  // nobody needed it

    // What the program's runtime says comes next.
    [[nodiscard]] Edges& edges() { return edges_; }

private:
    // Canvas's N.
    static constexpr int max_useless = 3;
    // To begin with; for successors it is also the most.
    static constexpr int upper_pages = 8;
    // How far edges are followed, as in Canvas.
    static constexpr int max_hops = 3;

    struct Thread {
        explicit Thread(std::uint32_t number) : streams(number) {}

        Streams streams;
        MajorityVote vote;
        Window vote_window{upper_pages};
        int nr_useless = 0;  // faults in a row for which the lower tier knew nothing
        PageNumber last = 0;
        TimePoint last_time;
        nanoseconds pace{};  // mean time between faults
    };

    Thread& thread(std::uint32_t number);
    void follow_edges(const PageFault& fault, nanoseconds pace, Wishes& wishes);
    void follow_successors(const PageFault& fault, nanoseconds pace, Wishes& wishes);
    Window* window_of(const Origin& origin);

    PrefetchParts parts_;
    std::vector<Thread> threads_;
    Edges edges_;
    Window edge_window_{upper_pages};
    Successors successors_;
    Window successor_window_{upper_pages};
};

}  // namespace tmm::far
