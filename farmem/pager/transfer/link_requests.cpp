// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/link_requests.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tmm::far {
namespace {

// Pages of a prefetching request: demand waits for one at the store.
constexpr std::size_t max_prefetch = 8;

// Calls request(begin, end) for each of at most max pages, and empties the list.
template <class Page, class Request>
void in_parts(std::vector<Page>& pages, std::size_t max, Request&& request) {
    for (std::size_t first = 0; first < pages.size(); first += max) {
        const auto begin = pages.begin() + static_cast<std::ptrdiff_t>(first);
        request(begin, begin + static_cast<std::ptrdiff_t>(std::min(max, pages.size() - first)));
    }
    pages.clear();
}

std::uint32_t bytes_of(std::ptrdiff_t pages) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(pages) * page_bytes);
}

}  // namespace

void LinkRequests::ask_demand(std::vector<Waiting>& pages) {
    in_parts(pages, link_.in.max_bytes() / page_bytes, [&](auto begin, auto end) {
        requests_.emplace_back(link_, Urgency::demand, bytes_of(end - begin), TimePoint()).pages.demand.assign(begin, end);
    });
}

void LinkRequests::ask_prefetches(std::vector<Prefetch>& pages) {
    const std::size_t max = std::min<std::size_t>(max_prefetch, link_.in.max_bytes() / page_bytes);
    in_parts(pages, max, [&](auto begin, auto end) {
        requests_.emplace_back(link_, Urgency::prefetch, bytes_of(end - begin), std::prev(end)->deadline)
            .pages.prefetches.assign(begin, end);
    });
}

std::optional<LinkRequests::Pages> LinkRequests::take_arrived() {
    looks_at_ = TimePoint::max();
    for (auto request = requests_.begin(); request != requests_.end(); ++request) {
        if (const auto again = request->turn.look()) {
            looks_at_ = std::min(looks_at_, *again);
            continue;
        }
        Pages arrived = std::move(request->pages);
        arrived.is_dropped = request->turn.is_dropped();
        requests_.erase(request);
        return arrived;
    }
    return std::nullopt;
}

bool LinkRequests::give_up(SlotId slot) {
    for (auto request = requests_.begin(); request != requests_.end(); ++request) {
        std::vector<Prefetch>& pages = request->pages.prefetches;
        const auto found = std::find_if(pages.begin(), pages.end(), [&](const Prefetch& one) { return one.slot == slot; });
        if (found == pages.end())
            continue;
        if (!request->turn.give_up(page_bytes))
            return false;
        pages.erase(found);
        if (pages.empty())
            requests_.erase(request);
        return true;
    }
    return false;
}

}  // namespace tmm::far
