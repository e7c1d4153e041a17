// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Wish: a page that a prefetcher wants to have fetched, and when the program will likely use it. Wishes: the wishes of one fault.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "farmem/core/page.hpp"
#include "farmem/core/time.hpp"

namespace tmm::far {

// The part of the prefetcher that asked, to which the pager reports what became of the page.
struct Origin {
    enum class Tier : std::uint8_t { stream, successor, edge };

    Tier tier = Tier::stream;
    bool is_voted = false;         // stream: one of the first pages of a stream that a vote began
    std::uint8_t stream = 0;       // stream: of the thread
    std::uint16_t generation = 0;  // stream: a later stream may have its place by the time of the report
    std::uint32_t thread = 0;
};

struct Wish {
    PageNumber page = 0;
    TimePoint deadline;  // the likely time of its use
    Origin origin;
};

class Wishes {
public:
    static constexpr std::size_t max_wishes = 64;

    // Ignores a wish beyond max_wishes.
    void add(const Wish& wish) {
        if (size_ < max_wishes)
            wishes_[size_++] = wish;
    }
    void clear() { size_ = 0; }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const Wish* begin() const { return wishes_.data(); }
    [[nodiscard]] const Wish* end() const { return wishes_.data() + size_; }

private:
    std::array<Wish, max_wishes> wishes_;
    std::size_t size_ = 0;
};

}  // namespace tmm::far
