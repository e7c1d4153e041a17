// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Simulator: programs on far memory that share a link, by the rules that the pager runs: farmem/core/prefetch, link and entries.
// It is exact: the same programs give the same figures on every machine.
//
// A thread waits for each page that is not local. Local memory is a FIFO with a second chance: an eighth of it holds pages that
// are on their way out, another eighth at most pages that were fetched ahead. The link sends one page after the other, and each
// arrives a latency later. Writes go the other way and are counted only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "farmem/core/entries/reservations.hpp"
#include "farmem/core/link/link_scheduler.hpp"
#include "farmem/sim/accesses.hpp"
#include "farmem/sim/prefetch_policy.hpp"

namespace tmm::far {

struct Link {
    double bytes_per_s = 312.5e6;  // 2.5 Gbit/s
    nanoseconds latency = std::chrono::microseconds(30);
};

struct Rules {
    LinkRules link;
    PrefetchKind prefetch = PrefetchKind::two_tier;
    PrefetchParts parts;
    bool use_edges = false;   // the programs name the edges between their pages
    std::uint32_t batch = 1;  // pages of a prefetching request, at most
    ReservationRules entries;
};

struct ProgramSpec {
    std::string name;
    std::uint64_t limit_pages = 0;  // of local memory
    std::uint32_t quota_pages = 0;  // of the store; must hold all pages beyond the limit
    std::uint32_t weight = 1;
};

// Of one program, after the warm-up.
struct Figures {
    std::string name;
    std::uint64_t accesses = 0;
    std::uint64_t misses = 0;      // faults on far pages
    std::uint64_t hits = 0;        // faults that a prefetched page answers
    std::uint64_t late_hits = 0;   // those that had to wait for it
    std::uint64_t fetched = 0;     // pages that the link carried
    std::uint64_t prefetched = 0;  // those that were sent as prefetches
    std::uint64_t asked = 0;       // prefetches
    std::uint64_t dropped = 0;     // prefetches that were late
    std::uint64_t used = 0;        // prefetched pages
    std::uint64_t unused = 0;      // prefetched pages that were discarded
    std::uint64_t writes = 0;
    std::uint64_t writes_saved = 0;  // evictions of pages whose copy was still right
    ReservationCounts entries;
    nanoseconds waited{};            // of all threads, for pages: faults and the link
    std::vector<nanoseconds> waits;  // of misses and late hits, ascending

    [[nodiscard]] double coverage() const;  // hits of all faults
    [[nodiscard]] double accuracy() const;  // used of those whose fate is known
    [[nodiscard]] nanoseconds wait_quantile(double share) const;
};

struct SimOutcome {
    nanoseconds duration{};
    double link_bytes = 0;  // that the link could have carried
    std::vector<Figures> programs;

    [[nodiscard]] double pace(std::size_t program) const;  // accesses a second
    [[nodiscard]] double useful_share() const;             // of the link's bytes: pages that were used
};

class Simulator {
public:
    Simulator(const Link& link, const Rules& rules);
    ~Simulator();

    void add(const ProgramSpec& spec, Behaviour behaviour);

    // Runs once. Figures count from the end of the warm-up on. Programs that end before that leave an empty remainder.
    SimOutcome run(nanoseconds warm_up, nanoseconds duration);

private:
    class World;
    std::unique_ptr<World> world_;
};

}  // namespace tmm::far
