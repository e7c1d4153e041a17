// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/memory_info.hpp"

#include <cerrno>

#include "base/units.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/stat_text.hpp"

namespace tmm::os {

Result<std::uint64_t> parse_meminfo_bytes(std::string_view meminfo, std::string_view name) {
    while (!meminfo.empty()) {
        const std::string_view line = next_line(meminfo);
        if (!line.starts_with(name) || line.substr(name.size(), 1) != ":")
            continue;
        auto bytes = parse_bytes(line.substr(name.size() + 1));
        if (!bytes)
            return std::move(bytes).error().with_context(std::string(name));
        return bytes;
    }
    return Error(ENOENT, "no line " + std::string(name));
}

Result<core::Pages> read_installed_pages(const RootDir& root) {
    const auto text = root.read_file("proc/meminfo");
    if (!text)
        return text.error();
    auto bytes = parse_meminfo_bytes(*text, "MemTotal");
    if (!bytes)
        return std::move(bytes).error().with_context(root.name_of("proc/meminfo"));
    return *bytes / page_bytes();
}

}  // namespace tmm::os
