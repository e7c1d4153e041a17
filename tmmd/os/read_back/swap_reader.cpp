// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/swap_reader.hpp"

#include <algorithm>

#include "base/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::os {

// The kernel lets no cgroup have a line end in its name.
std::string text_of(const ReadBackOrder& order) {
    std::string text = std::to_string(order.number) + "\n";
    for (const core::ReadBackShare& share : order.shares)
        text += std::to_string(share.pages.count()) + " " + share.cgroup + "\n";
    return text;
}

Result<ReadBackOrder> parse_order(std::string_view text) {
    const auto number = parse_uint(next_line(text));
    if (!number)
        return number.error();
    ReadBackOrder order{*number, {}};
    while (!text.empty()) {
        std::string_view line = next_line(text);
        const auto pages = parse_uint(next_word(line));
        if (!pages)
            return pages.error();
        order.shares.push_back({std::string(line.substr(std::min<std::size_t>(line.size(), 1))), core::Pages(*pages)});
    }
    return order;
}

std::string text_of(const ReadBackReport& report) {
    return std::to_string(report.number) + " " + std::to_string(report.read.count()) + " " + report.problem;
}

Result<ReadBackReport> parse_report(std::string_view text) {
    const auto number = parse_uint(next_word(text));
    if (!number)
        return number.error();
    const auto pages = parse_uint(next_word(text));
    if (!pages)
        return pages.error();
    return ReadBackReport{*number, core::Pages(*pages), std::string(trim(text))};
}

}  // namespace tmm::os
