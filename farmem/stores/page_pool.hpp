// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PagePool: memory for many pages, in blocks as large as a huge page. A block without a page is given back, and few mappings
// change. No gain in time over malloc(3) has been shown. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "farmem/core/page.hpp"

namespace tmm::far {

class PagePool {
public:
    PagePool() = default;
    PagePool(const PagePool&) = delete;
    PagePool& operator=(const PagePool&) = delete;
    ~PagePool();

    // Returns page_bytes of any content, or null without memory.
    [[nodiscard]] char* take();
    // page: from take().
    void give_back(char* page);

    [[nodiscard]] std::size_t nr_blocks() const { return blocks_.size(); }

    static constexpr std::size_t block_pages = 512;

private:
    static constexpr std::uintptr_t block_bytes = block_pages * page_bytes;

    [[nodiscard]] bool add_block();

    std::map<std::uintptr_t, std::vector<std::uint16_t>> blocks_;  // by address: pages that are free
    std::set<std::uintptr_t> with_free_;
};

}  // namespace tmm::far
