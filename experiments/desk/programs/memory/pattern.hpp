// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chooses the pages that an application touches in one interaction. Pure: the same seed gives the same pages. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tmm::desk {

using PageIndex = std::uint32_t;

class Pattern {
public:
    virtual ~Pattern() = default;
    // Replaces the contents of batch by the next nr_pages pages; every index is below the number of pages.
    virtual void next(std::size_t nr_pages, std::vector<PageIndex>& batch) = 0;
};

// All pages in turn, again and again: the working set is exactly nr_pages, and LRU replacement with one page less misses always.
class LoopPattern : public Pattern {
public:
    explicit LoopPattern(PageIndex nr_pages) : nr_pages_(nr_pages) {}
    void next(std::size_t nr_pages, std::vector<PageIndex>& batch) override;

private:
    PageIndex nr_pages_;
    PageIndex position_ = 0;
};

// Parts of the memory in turn, as an owner goes from one task to the next: all pages of a part, nr_rounds times, then the next
// part, and after the last the first again. nr_parts: 1 to nr_pages; the last part takes the remainder.
class PhasesPattern : public Pattern {
public:
    PhasesPattern(PageIndex nr_pages, PageIndex nr_parts, unsigned nr_rounds)
        : nr_pages_(nr_pages), nr_parts_(nr_parts), nr_rounds_(nr_rounds) {}
    void next(std::size_t nr_pages, std::vector<PageIndex>& batch) override;

private:
    void go_on();

    PageIndex nr_pages_;
    PageIndex nr_parts_;
    unsigned nr_rounds_;
    PageIndex position_ = 0;
    PageIndex part_ = 0;
    unsigned round_ = 0;
};

// The page of rank r (from 1) is touched with a probability proportional to 1 / r^exponent; ranks are scattered over the memory,
// so that hot pages are not neighbours.
class ZipfPattern : public Pattern {
public:
    ZipfPattern(PageIndex nr_pages, double exponent, std::uint64_t seed);
    void next(std::size_t nr_pages, std::vector<PageIndex>& batch) override;

private:
    std::vector<float> cumulative_;
    std::vector<PageIndex> page_of_rank_;
    std::uint64_t random_;
};

// One step of xorshift64*: the next state from the last (never 0) and a well mixed number from a state.
std::uint64_t next_random_state(std::uint64_t state);
std::uint64_t random_number(std::uint64_t state);
// A usable first state from any seed.
std::uint64_t random_state_of_seed(std::uint64_t seed);

}  // namespace tmm::desk
