// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/counters/swap_memory.hpp"

#include <cerrno>
#include <string>

#include "base/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/counters/backing_latency.hpp"
#include "tmmd/os/counters/memory_info.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

SwapMemory::SwapMemory(const RootDir& root)
    : root_(root),
      swaps_(root, "proc/swaps"),
      zswap_enabled_(root, "sys/module/zswap/parameters/enabled"),
      meminfo_(root, "proc/meminfo") {}

// mm_stat has orig_data_size compr_data_size mem_used_total ... (Documentation/admin-guide/blockdev/zram.rst)
Result<std::uint64_t> SwapMemory::read_zram_bytes(const std::string& device) {
    const std::string path = "sys/block/" + device + "/mm_stat";
    const auto text = zrams_.try_emplace(device, root_, path).first->second.read();
    if (!text)
        return text.error();
    std::string_view rest = *text;
    next_word(rest);
    next_word(rest);
    auto bytes = parse_uint(next_word(rest));
    if (!bytes)
        return std::move(bytes).error().with_context(root_.name_of(path));
    return bytes;
}

// meminfo is long. So this reads it only while zswap takes pages, and until zswap is empty again.
Result<std::uint64_t> SwapMemory::read_zswap_bytes() {
    const auto enabled = zswap_enabled_.read();
    if (!enabled && enabled.error().code() == ENOENT)
        return std::uint64_t{0};  // a kernel without it
    if (enabled && enabled->starts_with('N') && zswap_was_empty_)
        return std::uint64_t{0};
    const auto text = meminfo_.read();
    if (!text)
        return text.error();
    auto bytes = parse_meminfo_bytes(*text, "Zswap");
    if (!bytes && bytes.error().code() == ENOENT)
        bytes = std::uint64_t{0};  // a kernel that does not count it
    if (!bytes)
        return std::move(bytes).error().with_context(root_.name_of("proc/meminfo"));
    zswap_was_empty_ = *bytes == 0;
    return bytes;
}

Result<core::Pages> SwapMemory::read() {
    const auto text = swaps_.read();
    if (!text && text.error().code() == ENOENT)
        return core::Pages(0);  // a kernel without swap
    if (!text)
        return text.error();
    const auto areas = parse_swaps(*text);
    if (!areas)
        return Error(areas.error()).with_context(root_.name_of("proc/swaps"));
    if (areas->empty())
        return core::Pages(0);
    auto bytes = read_zswap_bytes();
    if (!bytes)
        return std::move(bytes).error();
    for (const SwapArea& area : *areas) {
        const std::string device = area.path.substr(area.path.rfind('/') + 1);
        if (area.is_file || !device.starts_with("zram"))
            continue;
        const auto more = read_zram_bytes(device);
        if (!more)
            return more.error();
        *bytes += *more;
    }
    return core::to_pages(Bytes(*bytes), page_bytes());
}

}  // namespace tmm::os
