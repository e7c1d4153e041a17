// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/lru_gen_text.hpp"

#include <algorithm>
#include <cerrno>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::core {

namespace {

// Takes a number from the line; nothing if the next word is none.
bool take_number(std::string_view& line, std::uint64_t& number) {
    const auto parsed = parse_uint(next_word(line));
    if (parsed)
        number = *parsed;
    return parsed.has_value();
}

// A line "NUMBER AGE ANONYMOUS FILE", pages of one generation.
bool add_generation(std::string_view line, Generations& list) {
    std::uint64_t number = 0;
    std::uint64_t age_ms = 0;
    PagesByBacking pages{};
    std::uint64_t count = 0;
    // Numbers rise by one and never come near their end, so arithmetic with them need not mind it.
    if (list.pages.size() == max_generations || !take_number(line, number) || number > UINT64_MAX / 2 ||
        !take_number(line, age_ms))
        return false;
    for (Pages& of_backing : pages) {
        if (!take_number(line, count))
            return false;
        of_backing = Pages(count);
    }
    if (list.pages.empty())
        list.oldest = number;
    list.pages.push_back(pages);
    return number == list.youngest() && next_word(line).empty();
}

}  // namespace

bool Generations::empty() const {
    return std::all_of(pages.begin(), pages.end(), [](const PagesByBacking& one) { return one == PagesByBacking{}; });
}

Result<std::vector<Generations>> parse_lru_gen(std::string_view text) {
    std::vector<Generations> lists;
    std::uint64_t memcg = 0;
    std::string cgroup;
    bool in_memcg = false;
    bool in_node = false;
    const auto ends_well = [&] { return !in_node || !lists.back().pages.empty(); };
    for (std::size_t number = 1; !text.empty(); ++number) {
        const Error wrong(EINVAL, "lru_gen:" + std::to_string(number) + ": no line of a memcg, a node or a generation");
        const std::string_view line = next_line(text);
        std::string_view rest = line;
        const std::string_view word = next_word(rest);
        if (word == "memcg") {
            if (!ends_well() || !take_number(rest, memcg))
                return wrong;
            // The path may have blanks; one stands before it.
            cgroup = rest.substr(rest.empty() ? 0 : 1);
            in_memcg = true;
            in_node = false;
        } else if (word == "node") {
            Generations list{memcg, 0, cgroup, 0, {}};
            if (!in_memcg || !ends_well() || !take_number(rest, list.node) || !next_word(rest).empty())
                return wrong;
            lists.push_back(std::move(list));
            in_node = true;
        } else if (!in_node || !add_generation(line, lists.back())) {
            return wrong;
        }
    }
    if (!ends_well())
        return Error(EINVAL, "lru_gen: the last node has no generation");
    return lists;
}

}  // namespace tmm::core
