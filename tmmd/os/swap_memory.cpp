// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/swap_memory.hpp"

#include <cerrno>
#include <string>

#include "base/units.hpp"
#include "tmmd/os/backing_latency.hpp"
#include "tmmd/os/memory_info.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/stat_text.hpp"

namespace tmm::os {

namespace {

// Its mm_stat: orig_data_size compr_data_size mem_used_total ... (Documentation/admin-guide/blockdev/zram.rst)
Result<std::uint64_t> read_zram_bytes(const RootDir& root, const std::string& device) {
    const std::string path = "sys/block/" + device + "/mm_stat";
    const auto text = root.read_file(path);
    if (!text)
        return text.error();
    std::string_view rest = *text;
    next_word(rest);
    next_word(rest);
    auto bytes = parse_uint(next_word(rest));
    if (!bytes)
        return std::move(bytes).error().with_context(root.name_of(path));
    return bytes;
}

Result<std::uint64_t> read_zswap_bytes(const RootDir& root) {
    const auto text = root.read_file("proc/meminfo");
    if (!text)
        return text.error();
    auto bytes = parse_meminfo_bytes(*text, "Zswap");
    if (!bytes && bytes.error().code() == ENOENT)
        return std::uint64_t{0};  // a kernel without it
    if (!bytes)
        return std::move(bytes).error().with_context(root.name_of("proc/meminfo"));
    return bytes;
}

}  // namespace

Result<core::Pages> read_swap_in_memory(const RootDir& root) {
    const auto areas = read_swap_areas(root);
    if (!areas)
        return areas.error();
    if (areas->empty())
        return core::Pages{0};
    auto bytes = read_zswap_bytes(root);
    if (!bytes)
        return std::move(bytes).error();
    for (const SwapArea& area : *areas) {
        const std::string device = area.path.substr(area.path.rfind('/') + 1);
        if (area.is_file || !device.starts_with("zram"))
            continue;
        const auto more = read_zram_bytes(root, device);
        if (!more)
            return more.error();
        *bytes += *more;
    }
    return *bytes / page_bytes();
}

}  // namespace tmm::os
