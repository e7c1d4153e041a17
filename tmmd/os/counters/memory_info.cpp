// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/counters/memory_info.hpp"

#include "base/proc_text.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

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

}  // namespace tmm::os
