// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Edges: the references between pages that a runtime or a library has named: objects of page `from` refer to objects of page
// `to`. A page has up to four edges; a fifth replaces the oldest. A full table ignores new pages. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "farmem/core/page.hpp"

namespace tmm::far {

class Edges {
public:
    static constexpr std::size_t max_edges = 4;  // of a page
    static constexpr std::size_t max_pages = std::size_t{1} << 20;

    void add(PageNumber from, PageNumber to) {
        if (from == to || (pages_.size() >= max_pages && !pages_.contains(from)))
            return;
        Targets& targets = pages_[from];
        for (std::size_t i = 0; i < targets.size; ++i) {
            if (targets.pages[i] == to)
                return;
        }
        targets.pages[targets.next] = to;
        targets.next = static_cast<std::uint8_t>((targets.next + 1) % max_edges);
        targets.size = static_cast<std::uint8_t>(targets.size < max_edges ? targets.size + 1 : max_edges);
    }
    // The page has other contents from now on.
    void forget(PageNumber from) { pages_.erase(from); }

    [[nodiscard]] bool empty() const { return pages_.empty(); }

    // Calls visit(page) for each target of the page, in the order in which they were named.
    void for_each(PageNumber from, const auto& visit) const {
        const auto found = pages_.find(from);
        if (found == pages_.end())
            return;
        const Targets& targets = found->second;
        for (std::size_t i = 0; i < targets.size; ++i)
            visit(targets.pages[(targets.next + max_edges - targets.size + i) % max_edges]);
    }

private:
    struct Targets {
        std::array<PageNumber, max_edges> pages{};
        std::uint8_t size = 0;
        std::uint8_t next = 0;
    };

    std::unordered_map<PageNumber, Targets> pages_;
};

}  // namespace tmm::far
