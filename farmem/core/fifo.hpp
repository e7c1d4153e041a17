// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fifo: the local pages of a space, oldest first. A page that leaves by another way stays behind; pop() skips it, because its
// turn is another one by then. The slots behind give evicted pages their second chance, as VMS did. Pure; called from one thread.
#pragma once

#include <cstdint>
#include <deque>

#include "farmem/core/page_table.hpp"

namespace tmm::far {

class Fifo {
public:
    // The page is local from now on.
    void push(PageNumber number, Page& page) {
        page.turn = ++turn_;
        queue_.push_back({number, turn_});
    }

    // Removes and returns the oldest page that is local and has no extra turn left; null if there is none. Older ones with extra
    // turns have used up one, and come last.
    struct Popped {
        PageNumber number = 0;
        Page* page = nullptr;
    };
    Popped pop(PageTable& pages) {
        while (!queue_.empty()) {
            const Place place = queue_.front();
            queue_.pop_front();
            Page* const page = current(pages, place);
            if (!page)
                continue;
            if (page->extra_turns == 0)
                return {place.number, page};
            --page->extra_turns;
            push(place.number, *page);
        }
        return {};
    }

    // Calls visit(Page&) for local pages, the newest first, until it returns false.
    void for_newest(PageTable& pages, const auto& visit) {
        for (auto place = queue_.rbegin(); place != queue_.rend(); ++place) {
            Page* const page = current(pages, *place);
            if (page && !visit(*page))
                return;
        }
    }

    // Drops what stayed behind once that is most of it. nr_local: pages that are local.
    void tidy(PageTable& pages, std::uint64_t nr_local) {
        if (queue_.size() > 2 * nr_local + min_tidy)
            std::erase_if(queue_, [&](const Place& place) { return !current(pages, place); });
    }

private:
    static constexpr std::size_t min_tidy = 4096;

    struct Place {
        PageNumber number;
        std::uint32_t turn;
    };
    static Page* current(PageTable& pages, const Place& place) {
        Page* const page = pages.find(place.number);
        return page && page->state == Page::State::local && page->turn == place.turn ? page : nullptr;
    }

    std::deque<Place> queue_;
    std::uint32_t turn_ = 0;
};

}  // namespace tmm::far
