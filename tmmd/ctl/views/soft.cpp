// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/soft.hpp"

#include <algorithm>

#include "base/text/json.hpp"
#include "base/units.hpp"

namespace tmm::ctl {

namespace {

std::string name_of(std::uint32_t pid, const std::vector<Process>& processes) {
    const auto found = std::ranges::find(processes, pid, &Process::pid);
    return found == processes.end() ? "" : found->command;
}

std::string percent(double share) {
    return format_fixed(100 * share, 1) + " %";
}

std::string format_shares(const wire::SoftShares& shares) {
    std::string text;
    if (shares.max_bytes != wire::no_limit)
        text += "All together may have at most " + format_bytes(shares.max_bytes) + ".\n";
    for (const wire::SoftWeight& one : shares.weights)
        text += "User " + std::to_string(one.user) + " has weight " + std::to_string(one.weight) + "; 100 is usual.\n";
    return text;
}

}  // namespace

std::string format_soft(std::vector<wire::SoftHeap> heaps, const wire::SoftShares& shares, const std::vector<Process>& processes,
                        const Screen& screen) {
    const std::string wishes = format_shares(shares);
    if (heaps.empty())
        return "No program with soft memory speaks to tmmd.\n" + wishes;
    std::ranges::stable_sort(heaps, std::greater(), &wire::SoftHeap::gain);
    Table table({{"PID", Table::Kind::number},
                 {"PROGRAM", Table::Kind::shrinks},
                 {"MAY HAVE", Table::Kind::number},
                 {"HAS", Table::Kind::number},
                 {"COULD USE", Table::Kind::number},
                 {"HITS", Table::Kind::number},
                 {"PREDICTED", Table::Kind::number},
                 {"REBUILDING", Table::Kind::number},
                 {"100 MiB SAVE", Table::Kind::number}});
    for (const wire::SoftHeap& heap : heaps) {
        table.add({std::to_string(heap.process), name_of(heap.process, processes), format_bytes(heap.granted_bytes),
                   format_bytes(heap.used_bytes), format_bytes(heap.footprint_bytes), percent(heap.hits), percent(heap.predicted),
                   percent(heap.rebuilding), percent(heap.gain)});
    }
    return table.format(screen) + wishes;
}

std::string soft_json(const std::vector<wire::SoftHeap>& heaps, const wire::SoftShares& shares) {
    std::vector<std::string> objects;
    for (const wire::SoftHeap& heap : heaps) {
        JsonObject object;
        object.count("pid", heap.process).count("user", heap.user).count("granted_bytes", heap.granted_bytes);
        object.count("used_bytes", heap.used_bytes).count("footprint_bytes", heap.footprint_bytes);
        object.number("hits", heap.hits).number("predicted_hits", heap.predicted);
        objects.push_back(object.number("rebuilding", heap.rebuilding).number("gain_of_100_mib", heap.gain).str());
    }
    JsonObject all;
    std::vector<std::string> weights;
    for (const wire::SoftWeight& one : shares.weights) {
        JsonObject object;
        weights.push_back(object.count("user", one.user).count("weight", one.weight).str());
    }
    all.add("heaps", json_array(objects));
    if (shares.max_bytes != wire::no_limit)
        all.count("max_bytes", shares.max_bytes);
    all.add("weights", json_array(weights));
    return all.str() + "\n";
}

}  // namespace tmm::ctl
