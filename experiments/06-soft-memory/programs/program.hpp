// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Program: a simulated program with a heap of soft memory: an LRU of as many objects as softlib would hold. It works in a closed
// loop: a use takes some time, and one that misses also the time to rebuild. Its reports come from softlib's own sampler. Pure:
// time passes by run().
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "lru_cache.hpp"
#include "src/reuse/reuse_sampler.hpp"
#include "tmmd/core/soft/soft_heap.hpp"
#include "trace.hpp"

namespace tmm::soft_memory {

inline constexpr std::uint64_t unit_bytes = 64 << 10;

enum class Kind : std::uint8_t { zipf, loop, scan, trace };

// What a program does.
struct Work {
    Kind kind = Kind::zipf;
    double mib = 0;         // of all units that it uses; a scan uses each once in very long
    double skew = 0;        // of zipf
    double rebuild_ms = 1;  // of a miss
    double use_ms = 0.1;    // of other work for each use
    const Trace* trace = nullptr;
};

// The units that work uses, in their order.
class Uses {
public:
    Uses(const Work& work, std::uint64_t seed);
    std::uint32_t next();
    [[nodiscard]] std::uint32_t nr_units() const { return nr_units_; }
    [[nodiscard]] std::vector<std::uint32_t> bytes_of_units() const;

private:
    Kind kind_;
    const Trace* trace_;
    std::uint32_t nr_units_;
    std::size_t position_ = 0;
    std::vector<double> cumulated_;  // of zipf, by rank
    std::vector<std::uint32_t> unit_of_rank_;
    std::mt19937_64 random_;
};

class Program {
public:
    Program(std::uint64_t id, const Work& work, std::uint64_t seed);

    void resize(Bytes bytes);
    void run(double seconds);
    // Another phase: other units and other work from now on.
    void change(const Work& work, std::uint64_t seed);

    // claim: factor of the cost of a miss that it tells.
    [[nodiscard]] core::SoftHeap report(double claim) const;

    // Since the last call: the share of time that was no rebuilding.
    double take_progress();
    struct Counts {
        double hits = 0;
        double misses = 0;
        double rebuild_s = 0;
        double wall_s = 0;
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }  // in all

private:
    std::uint64_t id_;
    Work work_;
    Uses uses_;
    std::vector<std::uint32_t> unit_bytes_;
    LruCache cache_;
    soft::reuse_sampler sampler_;
    Bytes budget_{0};
    std::uint64_t phase_ = 0;
    double behind_s_ = 0;  // of a use that went beyond the end of run()
    Counts counts_;
    Counts taken_;
};

// Returns the exact curve of work in steady state as a heap: miss ratios by Mattson's stack, of so many uses after as many; of a
// trace, at most of its second half.
core::SoftHeap exact_heap(const Work& work, std::uint64_t id, std::uint64_t seed, std::size_t uses);

}  // namespace tmm::soft_memory
