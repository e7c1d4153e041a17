// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/advice.hpp"

#include <chrono>
#include <sstream>

namespace soft {
namespace {

constexpr std::chrono::seconds worth_a_word{1};
// A larger share of the rebuilding time than this is worth advice.
constexpr double large_share = 0.5;

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    out.precision(1);
    out << std::fixed;
    (out << ... << parts);
    return out.str();
}

}  // namespace

std::vector<std::string> advice(const pool_statistics& statistics) {
    std::vector<std::string> all;
    if (statistics.mismatches > 0) {
        all.push_back(text("The reconstructor made a different object in ", statistics.mismatches, " of ", statistics.validated,
                           " validations; readers can rely on neither."));
    }
    if (statistics.rebuild_time < worth_a_word) {
        return all;
    }
    const double total = seconds(statistics.rebuild_time);
    const double cold = seconds(statistics.cold_rebuild_time);
    if (cold > large_share * total) {
        all.push_back(
            text(cold, " of ", total, " s of rebuilding were for ", statistics.cold_rebuilds,
                 " objects that nobody had read for some time; keep objects elsewhere that are costly and seldom read."));
    }
    if (statistics.hits < statistics.rebuilds) {
        all.push_back(text(total, " s of rebuilding for ", statistics.rebuilds, " objects, which were found ", statistics.hits,
                           " times; soft memory saves nothing here unless it gets more room."));
    }
    return all;
}

}  // namespace soft
