// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/sim/accesses.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "farmem/sim/random.hpp"

namespace tmm::far {

namespace {

// The pages that a thread touches, in order, without end.
using Walk = std::function<PageNumber(Random&)>;

class Pattern : public Accesses {
public:
    Pattern(Walk walk, const Shape& shape, std::uint64_t thread)
        : walk_(std::move(walk)), shape_(shape), random_(shape.seed + thread) {}

    std::optional<Access> next() override {
        const PageNumber page = walk_(random_);
        const double jitter = 0.75 + random_.share() / 2;
        return Access{page, random_.share() < shape_.writes,
                      nanoseconds(static_cast<std::int64_t>(static_cast<double>(shape_.work.count()) * jitter))};
    }

private:
    Walk walk_;
    Shape shape_;
    Random random_;
};

// A thread's part of all pages.
struct Part {
    PageNumber first = 0;
    std::uint64_t nr_pages = 1;
};

Part part_of(const Shape& shape, std::uint32_t thread) {
    const std::uint64_t nr = std::max<std::uint64_t>(shape.nr_pages / shape.nr_threads, 1);
    return {nr * thread, nr};
}

Walk stride_walk(Part part, std::uint64_t stride) {
    return [part, stride, at = std::uint64_t{0}](Random&) mutable {
        const PageNumber page = part.first + at;
        at += stride;
        if (at >= part.nr_pages)
            at = (at + 1) % stride;  // the pages between those of this round
        return page;
    };
}

Walk scan_walk(Part part, std::uint64_t nr_pages) {
    return [nr_pages, scan = stride_walk(part, 1), at = 0](Random& random) mutable {
        return ++at % 4 == 0 ? random.below(nr_pages) : scan(random);
    };
}

// From a random place on, 8 to 63 pages.
Walk runs_walk(std::uint64_t nr_pages) {
    return [nr_pages, page = PageNumber{0}, nr_left = std::uint64_t{0}](Random& random) mutable {
        if (nr_left == 0) {
            nr_left = 8 + random.below(56);
            page = random.below(nr_pages);
        }
        --nr_left;
        page = (page + 1) % nr_pages;
        return page;
    };
}

// Partitions a range from both ends towards the middle, then its halves.
Walk quicksort_walk(Part part) {
    struct State {
        std::vector<Part> ranges;
        Part left;   // not yet visited from the low end
        Part right;  // and from the high end
    };
    return [part, state = State{}](Random& random) mutable {
        while (state.left.nr_pages + state.right.nr_pages == 0) {
            if (state.ranges.empty())
                state.ranges.push_back(part);
            const Part range = state.ranges.back();
            state.ranges.pop_back();
            const std::uint64_t pivot = range.nr_pages < 2 ? 1 : 1 + random.below(range.nr_pages - 1);
            state.left = {range.first, pivot};
            state.right = {range.first + pivot, range.nr_pages - pivot};
            if (range.nr_pages > 1) {
                state.ranges.push_back(state.right);
                state.ranges.push_back(state.left);
            }
        }
        const std::uint64_t pick = random.below(state.left.nr_pages + state.right.nr_pages);
        if (pick < state.left.nr_pages) {
            --state.left.nr_pages;
            return state.left.first++;
        }
        return state.right.first + --state.right.nr_pages;
    };
}

Walk columns_walk(Part part) {
    constexpr std::uint64_t row_pages = 100;
    return [part, row = std::uint64_t{0}, column = std::uint64_t{0}](Random&) mutable {
        const PageNumber page = part.first + row * row_pages + column;
        if ((++row + 1) * row_pages > part.nr_pages) {
            row = 0;
            column = (column + 1) % row_pages;
        }
        return page;
    };
}

// The inverse of zipf's distribution, approximated by that of the integral.
Walk zipf_walk(std::uint64_t nr_pages) {
    constexpr double exponent = 0.99;
    const double top = std::pow(static_cast<double>(nr_pages) + 1, 1 - exponent) - 1;
    return [nr_pages, top](Random& random) {
        const double rank = std::pow(1 + random.share() * top, 1 / (1 - exponent));
        const auto whole = std::min(static_cast<std::uint64_t>(rank) - 1, nr_pages - 1);
        return whole * 0x9e3779b1 % nr_pages;  // a prime: each rank has a page of its own, unless nr_pages is its multiple
    };
}

std::vector<PageNumber> random_places(const Shape& shape) {
    std::vector<PageNumber> places(shape.nr_pages);
    for (std::uint64_t i = 0; i < places.size(); ++i)
        places[i] = i;
    Random random(shape.seed + 1'000'003);
    for (std::uint64_t i = places.size(); i > 1; --i)
        std::swap(places[i - 1], places[random.below(i)]);
    return places;
}

Walk order_walk(std::vector<PageNumber> order, std::uint64_t start) {
    return [order = std::move(order), at = start](Random&) mutable { return order[at++ % order.size()]; };
}

// Node i has the children 2 i + 1 and 2 i + 2.
std::vector<PageNumber> depth_first(const std::vector<PageNumber>& places) {
    std::vector<PageNumber> order;
    std::vector<std::uint64_t> stack{0};
    while (!stack.empty()) {
        const std::uint64_t node = stack.back();
        stack.pop_back();
        if (node >= places.size())
            continue;
        order.push_back(places[node]);
        stack.push_back(2 * node + 2);
        stack.push_back(2 * node + 1);
    }
    return order;
}

constexpr std::array<std::string_view, 10> patterns{"sequential", "stride",    "scan",    "runs", "random",
                                                    "zipf",       "quicksort", "columns", "list", "tree"};

Walk walk_of(std::string_view name, const Shape& shape, std::uint32_t thread, const std::vector<PageNumber>& order) {
    const Part part = part_of(shape, thread);
    if (name == "sequential")
        return stride_walk(part, 1);
    if (name == "stride")
        return stride_walk(part, 7);
    if (name == "scan")
        return scan_walk(part, shape.nr_pages);
    if (name == "runs")
        return runs_walk(shape.nr_pages);
    if (name == "random")
        return [nr_pages = shape.nr_pages](Random& random) { return random.below(nr_pages); };
    if (name == "zipf")
        return zipf_walk(shape.nr_pages);
    if (name == "quicksort")
        return quicksort_walk(part);
    if (name == "columns")
        return columns_walk(part);
    return order_walk(order, shape.nr_pages * thread / shape.nr_threads);
}

class Recorded : public Accesses {
public:
    void add(const Access& access) { accesses_.push_back(access); }
    void last_took(nanoseconds work) {
        if (!accesses_.empty())
            accesses_.back().work = work;
    }
    std::optional<Access> next() override { return at_ < accesses_.size() ? std::optional(accesses_[at_++]) : std::nullopt; }

private:
    std::vector<Access> accesses_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string_view> pattern_names() {
    return {patterns.begin(), patterns.end()};
}

Result<Behaviour> make_pattern(std::string_view name, const Shape& shape) {
    if (std::find(patterns.begin(), patterns.end(), name) == patterns.end())
        return Error(EINVAL, "no pattern '" + std::string(name) + "'");
    Behaviour behaviour;
    std::vector<PageNumber> order;
    if (name == "list" || name == "tree") {
        const std::vector<PageNumber> places = random_places(shape);
        order = name == "list" ? places : depth_first(places);
        for (std::uint64_t i = 0; i < places.size(); ++i) {
            if (name == "list") {
                behaviour.edges.emplace_back(places[i], places[(i + 1) % places.size()]);
            } else {
                for (const std::uint64_t child : {2 * i + 1, 2 * i + 2}) {
                    if (child < places.size())
                        behaviour.edges.emplace_back(places[i], places[child]);
                }
            }
        }
    }
    for (std::uint32_t thread = 0; thread < shape.nr_threads; ++thread)
        behaviour.threads.push_back(std::make_unique<Pattern>(walk_of(name, shape, thread, order), shape, thread));
    return behaviour;
}

Behaviour behaviour_of(const std::vector<RecordedFault>& faults) {
    std::map<std::uint64_t, std::uint64_t> area_pages;
    for (const RecordedFault& fault : faults)
        area_pages[fault.area] = std::max(area_pages[fault.area], fault.page + 1);
    // A gap wider than any stride keeps streams of one area out of the next.
    constexpr std::uint64_t gap = 4096;
    std::map<std::uint64_t, PageNumber> area_starts;
    PageNumber start = 0;
    for (const auto& [area, pages] : area_pages) {
        area_starts[area] = start;
        start += pages + gap;
    }

    std::map<std::uint16_t, std::unique_ptr<Recorded>> threads;
    std::map<std::uint16_t, std::uint64_t> ends_us;
    std::set<PageNumber> seen;
    Behaviour behaviour;
    for (const RecordedFault& fault : faults) {
        std::unique_ptr<Recorded>& thread = threads[fault.thread];
        if (!thread)
            thread = std::make_unique<Recorded>();
        const std::uint64_t ended_us = ends_us[fault.thread];
        thread->last_took(std::chrono::microseconds(fault.t_us > ended_us ? fault.t_us - ended_us : 0));
        const PageNumber page = area_starts[fault.area] + fault.page;
        thread->add({page, fault.kind == FaultKind::write, {}});
        if (seen.insert(page).second && fault.kind != FaultKind::zero)
            behaviour.far_pages.push_back(page);
        ends_us[fault.thread] = fault.t_us + fault.waited_us;
    }
    for (auto& [number, thread] : threads)
        behaviour.threads.push_back(std::move(thread));
    return behaviour;
}

}  // namespace tmm::far
