// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// in_turn: chooses things of several users so that each has an equal part of a bound. Pure; thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace tmm {

// Returns at most max of the things: the first of each key, then the second of each, and so on. Those of a key stay in their
// order.
template <typename Thing, typename KeyOf>
std::vector<Thing> in_turn(const std::vector<Thing>& things, const KeyOf& key_of, std::size_t max) {
    using Key = decltype(key_of(things.front()));
    std::map<Key, std::size_t> seen;
    std::vector<std::pair<std::size_t, const Thing*>> by_turn;
    by_turn.reserve(things.size());
    for (const Thing& thing : things)
        by_turn.emplace_back(seen[key_of(thing)]++, &thing);
    std::ranges::stable_sort(by_turn, {}, [](const auto& one) { return one.first; });
    std::vector<Thing> chosen;
    chosen.reserve(std::min(max, by_turn.size()));
    for (std::size_t i = 0; i < std::min(max, by_turn.size()); ++i)
        chosen.push_back(*by_turn[i].second);
    return chosen;
}

}  // namespace tmm
