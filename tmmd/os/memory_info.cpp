// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/memory_info.hpp"

#include <cerrno>

#include "base/units.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

Result<std::uint64_t> parse_mem_total_bytes(std::string_view meminfo) {
    constexpr std::string_view name = "MemTotal:";
    const auto start = meminfo.find(name);
    if (start == std::string_view::npos || (start > 0 && meminfo[start - 1] != '\n'))
        return Error(EINVAL, "no line MemTotal");
    const std::string_view rest = meminfo.substr(start + name.size());
    auto bytes = parse_bytes(rest.substr(0, rest.find('\n')));
    if (!bytes)
        return std::move(bytes).error().with_context("MemTotal");
    return bytes;
}

Result<core::Pages> read_installed_pages(const RootDir& root) {
    const auto text = root.read_file("proc/meminfo");
    if (!text)
        return text.error();
    auto bytes = parse_mem_total_bytes(*text);
    if (!bytes)
        return std::move(bytes).error().with_context(root.name_of("proc/meminfo"));
    return *bytes / page_bytes();
}

}  // namespace tmm::os
