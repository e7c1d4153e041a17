// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Accesses: the pages that one thread of a simulated program touches, one after the other: a generated pattern, or its part of
// a recording. Each is the same at every run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "farmem/core/page.hpp"
#include "farmem/core/time.hpp"
#include "farmem/recording/recording.hpp"

namespace tmm::far {

struct Access {
    PageNumber page = 0;
    bool writes = false;
    nanoseconds work{};  // before the next one
};

class Accesses {
public:
    virtual ~Accesses() = default;
    // Returns none when the thread has ended.
    virtual std::optional<Access> next() = 0;
};

// What a program's threads do, and the references between its pages that a runtime would name.
struct Behaviour {
    std::vector<std::unique_ptr<Accesses>> threads;
    std::vector<std::pair<PageNumber, PageNumber>> edges;
    std::vector<PageNumber> far_pages;  // at the start; any other page reads as zeros when it is first touched
};

// Patterns, over nr_pages:
// - sequential, stride (7 pages): each thread over its own part, again and again
// - scan: the same with a random page every fourth time
// - runs: from random places on, 8 to 63 pages each
// - random; zipf: popularity 1/rank^0.99, ranks spread over all pages
// - quicksort: each thread sorts its part, again and again
// - columns: a matrix with rows of 100 pages, each thread by columns of its part
// - list, tree: pages in random places, followed in the same order again and again; a tree depth first
// Each thread of the last five starts at another place.
std::vector<std::string_view> pattern_names();

struct Shape {
    std::uint32_t nr_threads = 1;
    std::uint64_t nr_pages = 1;
    nanoseconds work{};  // mean time between accesses; each is within a quarter of it
    double writes = 0;   // share of accesses
    std::uint64_t seed = 0;
};

// Error: EINVAL, an unknown pattern.
Result<Behaviour> make_pattern(std::string_view name, const Shape& shape);

// The areas of the recording get places one after the other.
Behaviour behaviour_of(const std::vector<RecordedFault>& faults);

}  // namespace tmm::far
