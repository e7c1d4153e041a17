// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window: how many pages to fetch ahead. It grows by one for four prefetched pages that were used, so what it risks is a quarter
// of what it has proved. It also grows by one for each page that came too late, and shrinks by four for each that was not used.
// Pages that a full link did not send say nothing: to ask for more of them would not help. A closed window lets a single page
// through now and then, and opens if it was used.
#pragma once

#include <algorithm>

namespace tmm::far {

class Window {
public:
    static constexpr int max_pages = 64;

    explicit Window(int pages) : quarters_(4 * pages) {}

    void used() { change(pages() > 0 ? 1 : 4); }
    void late() { change(4); }
    void unused() { change(-16); }

    // Returns the pages to fetch ahead now.
    int ask() {
        if (pages() > 0)
            return pages();
        return ++nr_closed_ % closed_asks == 0 ? 1 : 0;
    }

    [[nodiscard]] int pages() const { return quarters_ / 4; }

private:
    static constexpr int closed_asks = 32;

    void change(int quarters) { quarters_ = std::clamp(quarters_ + quarters, 0, 4 * max_pages); }

    int quarters_;       // of a page
    int nr_closed_ = 0;  // asks while closed
};

}  // namespace tmm::far
