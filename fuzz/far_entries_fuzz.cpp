// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes reservations of entries with random operations on pages, beside a map of who has which entry: no entry has two pages,
// and a page that is away keeps its own.
#include <algorithm>
#include <array>
#include <map>

#include "farmem/core/entries/reservations.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace tmm::far;

struct ModelPage {
    EntryId entry = no_entry;
    bool is_away = false;
};

void require_consistent(const Reservations& reservations, const std::array<ModelPage, 256>& pages) {
    std::map<EntryId, int> owners;
    std::uint32_t nr_reserved = 0;
    for (const ModelPage& page : pages) {
        TMM_REQUIRE(!page.is_away || page.entry != no_entry);
        if (page.entry == no_entry)
            continue;
        TMM_REQUIRE(page.entry < reservations.quota());
        TMM_REQUIRE(++owners[page.entry] == 1);
        nr_reserved += page.is_away ? 0 : 1;
    }
    TMM_REQUIRE(owners.size() == reservations.nr_used());
    TMM_REQUIRE(nr_reserved == reservations.nr_reserved());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    Reservations reservations(data[0], {.keep = data[1] % 4 != 0, .hot = data[1] % 8 < 6});
    std::array<ModelPage, 256> pages;
    for (std::size_t at = 2; at + 1 < size; at += 2) {
        ModelPage& page = pages[data[at + 1]];
        switch (data[at] % 8) {
            case 0:
                if (page.entry != no_entry) {
                    reservations.free(page.entry);
                    page = ModelPage();
                }
                break;
            case 1:
                if (!page.is_away)
                    reservations.is_hot(page.entry);
                break;
            case 2:
            case 3:
            case 4:
                if (page.is_away)
                    page = {reservations.came_back(page.entry), false};
                break;
            default: {
                if (page.is_away)
                    break;
                const auto evicted = reservations.evict(data[at + 1], page.entry);
                if (!evicted) {
                    TMM_REQUIRE(std::count_if(pages.begin(), pages.end(), [](const ModelPage& p) { return p.is_away; }) ==
                                static_cast<std::ptrdiff_t>(reservations.quota()));
                    break;
                }
                TMM_REQUIRE(page.entry == no_entry || evicted->entry == page.entry);
                if (evicted->has_lost) {
                    ModelPage& other = pages.at(*evicted->has_lost);
                    TMM_REQUIRE(!other.is_away && other.entry == evicted->entry);
                    other.entry = no_entry;
                }
                page = {evicted->entry, true};
            }
        }
        require_consistent(reservations, pages);
    }
    return 0;
}
