// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageTable: what is known of each page of one space. Pages that were never seen take no memory. Pure; called from one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "farmem/core/page.hpp"

namespace tmm::far {

struct Page {
    // away: the content is that of the entry. coming: likewise, and somebody fetches it. lost: nobody has it, unless the space
    // does.
    enum class State : std::uint8_t { zero, local, leaving, away, coming, lost };

    State state = State::zero;
    std::uint8_t extra_turns = 0;  // local: of the FIFO, that it stays longer
    std::uint32_t turn = 0;        // local: which of its places in the FIFO counts. leaving: its slot
    EntryId entry = no_entry;      // local and leaving: a copy that is still right unless the page was written to
};

class PageTable {
public:
    // Returns the page, or null if it was never seen.
    [[nodiscard]] Page* find(PageNumber page) {
        const auto chunk = chunks_.find(page / chunk_pages);
        return chunk == chunks_.end() ? nullptr : &(*chunk->second)[page % chunk_pages];
    }
    Page& at(PageNumber page) {
        std::unique_ptr<Chunk>& chunk = chunks_[page / chunk_pages];
        if (!chunk)
            chunk = std::make_unique<Chunk>();
        return (*chunk)[page % chunk_pages];
    }

    // Calls visit(PageNumber, Page&) for each page of the range that is not zero. visit may change the page, not the table.
    void for_each(PageRange range, const auto& visit) {
        for (auto chunk = chunks_.lower_bound(range.first / chunk_pages);
             chunk != chunks_.end() && chunk->first * chunk_pages < range.last; ++chunk) {
            for (std::size_t i = 0; i < chunk_pages; ++i) {
                const PageNumber page = chunk->first * chunk_pages + i;
                Page& found = (*chunk->second)[i];
                if (page >= range.first && page < range.last && found.state != Page::State::zero)
                    visit(page, found);
            }
        }
    }

    // Frees the memory of chunks that lie in the range whole.
    void forget(PageRange range) {
        const PageNumber first = (range.first + chunk_pages - 1) / chunk_pages;
        if (const PageNumber last = range.last / chunk_pages; first < last)
            chunks_.erase(chunks_.lower_bound(first), chunks_.lower_bound(last));
    }

private:
    static constexpr std::size_t chunk_pages = 512;
    using Chunk = std::array<Page, chunk_pages>;

    std::map<PageNumber, std::unique_ptr<Chunk>> chunks_;
};

}  // namespace tmm::far
