// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/memory_info.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text/proc_text.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

namespace {

struct Zone {
    core::Pages high{0};
    core::Pages managed{0};
    core::Pages protection{0};

    [[nodiscard]] core::Pages kept() const { return std::min(high + protection, managed); }
};

// The number in a word, which may have a bracket before or behind it, or a comma; 0 if there is none, or more than any machine
// has.
core::Pages pages_of(std::string_view word) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    word.remove_prefix(word.starts_with('(') ? 1 : 0);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return core::Pages(error == std::errc() && number <= most ? number : 0);
}

}  // namespace

Result<core::Pages> read_installed_pages(const RootDir& root) {
    const auto text = root.read_file("proc/meminfo");
    if (!text)
        return text.error();
    auto bytes = parse_meminfo_bytes(*text, "MemTotal");
    if (!bytes)
        return std::move(bytes).error().with_context(root.name_of("proc/meminfo"));
    return core::to_pages(Bytes(*bytes), page_bytes());
}

Result<core::Pages> read_file_pages(const RootDir& root) {
    const auto text = root.read_file("proc/vmstat");
    if (!text)
        return text.error();
    core::Pages sum{0};
    for (const char* const list : {"nr_active_file", "nr_inactive_file"}) {
        auto pages = parse_stat(*text, list);
        if (!pages)
            return std::move(pages).error().with_context(root.name_of("proc/vmstat"));
        sum += core::Pages(*pages);
    }
    return sum;
}

Result<core::Pages> read_kept_pages(const RootDir& root) {
    const auto text = root.read_file("proc/zoneinfo");
    if (!text)
        return text.error();
    Zone zone;
    core::Pages sum{0};
    for (std::string_view rest = *text; !rest.empty();) {
        std::string_view line = next_line(rest);
        const std::string_view name = next_word(line);
        if (name == "Node") {
            sum += zone.kept();
            zone = {};
        } else if (name == "high") {
            zone.high = pages_of(next_word(line));
        } else if (name == "managed") {
            zone.managed = pages_of(next_word(line));
        } else if (name == "protection:") {
            while (!line.empty())
                zone.protection = std::max(zone.protection, pages_of(next_word(line)));
        }
    }
    return sum + zone.kept();
}

}  // namespace tmm::os
