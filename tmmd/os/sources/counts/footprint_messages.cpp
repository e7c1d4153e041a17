// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/footprint_messages.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

#include "base/messages/message_socket.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

constexpr std::array<std::pair<std::string_view, FootprintOrder::Kind>, 5> kinds{{{"open", FootprintOrder::Kind::open},
                                                                                  {"read", FootprintOrder::Kind::read},
                                                                                  {"clear", FootprintOrder::Kind::clear},
                                                                                  {"files", FootprintOrder::Kind::files},
                                                                                  {"unmapped", FootprintOrder::Kind::unmapped}}};

constexpr std::size_t max_problem = 4096;

Error odd(const std::string& what) {
    return {EINVAL, "a message about footprints has " + what};
}

// Takes the next line, which has its line end.
Result<std::string_view> whole_line(std::string_view& text) {
    if (text.find('\n') == std::string_view::npos)
        return odd("no end of line");
    return next_line(text);
}

Result<std::pair<core::CgroupId, core::Footprint>> parse_footprint(std::string_view line) {
    std::array<std::uint64_t, 7> numbers{};
    for (std::uint64_t& number : numbers) {
        const auto parsed = parse_uint(next_word(line));
        if (!parsed)
            return parsed.error();
        number = *parsed;
    }
    const auto& [cgroup, anonymous, used_anonymous, file, used_file, read, used_read] = numbers;
    if (!line.empty() || used_anonymous > anonymous || used_file > file || used_read > read)
        return odd("an impossible footprint");
    return std::pair(cgroup, core::Footprint{{core::Pages(anonymous), core::Pages(file)},
                                             {core::Pages(used_anonymous), core::Pages(used_file)},
                                             {core::Pages(read), core::Pages(used_read)}});
}

}  // namespace

std::string text_of(const FootprintOrder& order) {
    const auto* const kind = std::ranges::find(kinds, order.kind, [](const auto& one) { return one.second; });
    std::string text = std::to_string(order.number) + ' ' + std::string(kind->first) + '\n';
    // The kernel lets no cgroup have a line end in its name.
    std::vector<std::string> paths = order.transparent_cgroups;
    std::ranges::stable_sort(paths, {}, &std::string::size);
    for (const std::string& path : paths) {
        if (text.size() + path.size() + 1 > max_message_bytes)
            break;
        text += path + '\n';
    }
    return text;
}

Result<FootprintOrder> parse_footprint_order(std::string_view text) {
    auto head = whole_line(text);
    if (!head)
        return std::move(head).error();
    const auto number = parse_uint(next_word(*head));
    if (!number)
        return number.error();
    const std::string_view word = next_word(*head);
    const auto* const kind = std::ranges::find(kinds, word, [](const auto& one) { return one.first; });
    if (kind == kinds.end() || !head->empty())
        return odd("an unknown order");
    FootprintOrder order{*number, kind->second, {}};
    while (!text.empty()) {
        const auto path = whole_line(text);
        if (!path)
            return path.error();
        if (path->empty() || order.kind == FootprintOrder::Kind::open || order.kind == FootprintOrder::Kind::clear)
            return odd("a line too many");
        order.transparent_cgroups.emplace_back(*path);
    }
    return order;
}

std::string text_of(const FootprintReply& reply) {
    std::string text = std::to_string(reply.number) + ' ' + std::to_string(reply.cpu_time.count()) + ' ' +
                       std::to_string(reply.error_code) + ' ' + reply.problem.substr(0, max_problem) + '\n';
    for (const auto& [cgroup, footprint] : reply.footprints) {
        text += std::to_string(cgroup);
        for (std::size_t i = 0; i < core::nr_backings; ++i) {
            text += ' ' + std::to_string(footprint.resident[i].count());
            text += ' ' + std::to_string(footprint.referenced[i].count());
        }
        text += ' ' + std::to_string(footprint.read.cached.count()) + ' ' + std::to_string(footprint.read.used.count()) + '\n';
    }
    return text;
}

Result<FootprintReply> parse_footprint_reply(std::string_view text) {
    auto head = whole_line(text);
    if (!head)
        return std::move(head).error();
    std::array<std::uint64_t, 3> numbers{};
    for (std::uint64_t& number : numbers) {
        const auto parsed = parse_uint(next_word(*head));
        if (!parsed)
            return parsed.error();
        number = *parsed;
    }
    const auto& [number, cpu_time, code] = numbers;
    if (cpu_time > static_cast<std::uint64_t>(std::chrono::nanoseconds::max().count()) ||
        code > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
        return Error::from_errno(ERANGE, "a message about footprints");
    FootprintReply reply{number, std::chrono::nanoseconds(cpu_time), static_cast<int>(code), std::string(trim(*head)), {}};
    while (!text.empty()) {
        const auto line = whole_line(text);
        if (!line)
            return line.error();
        const auto one = parse_footprint(*line);
        if (!one)
            return one.error();
        const bool is_next = reply.footprints.empty() || reply.footprints.rbegin()->first < one->first;
        if (!is_next || reply.error_code != 0)
            return odd("a line too many");
        reply.footprints.insert(*one);
    }
    return reply;
}

}  // namespace tmm::os
