// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Successors: remembers which page followed which among a thread's faults (Joseph, Grunwald, ISCA'97). A page is foretold once it
// has followed twice in a row. The table holds 2^16 pages, and takes its memory with the first fault. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "farmem/core/page.hpp"

namespace tmm::far {

class Successors {
public:
    static constexpr std::size_t nr_places = std::size_t{1} << 16;

    void learn(PageNumber page, PageNumber next) {
        if (places_.empty())
            places_.resize(nr_places);
        Place& place = places_[index(page)];
        if (place.page != page || place.nr_seen == 0)
            place = {page, next, 1};
        else if (place.next == next)
            place.nr_seen = 2;
        else if (--place.nr_seen == 0)
            place = {page, next, 1};
    }

    [[nodiscard]] std::optional<PageNumber> next(PageNumber page) const {
        if (places_.empty())
            return {};
        const Place& place = places_[index(page)];
        return place.page == page && place.nr_seen == 2 ? std::optional(place.next) : std::nullopt;
    }

private:
    struct Place {
        PageNumber page = 0;
        PageNumber next = 0;
        std::uint8_t nr_seen = 0;
    };

    static std::size_t index(PageNumber page) { return static_cast<std::size_t>((page * 0x9e3779b97f4a7c15) >> 48); }

    std::vector<Place> places_;
};

}  // namespace tmm::far
