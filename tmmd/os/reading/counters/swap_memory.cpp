// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/swap_memory.hpp"

#include <cerrno>
#include <string>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/reading/counters/backing_latency.hpp"
#include "tmmd/os/reading/counters/memory_info.hpp"

namespace tmm::os {

SwapMemory::SwapMemory(const RootDir& root)
    : root_(root),
      swaps_(root, "proc/swaps"),
      zswap_enabled_(root, "sys/module/zswap/parameters/enabled"),
      meminfo_(root, "proc/meminfo") {}

// mm_stat has orig_data_size compr_data_size mem_used_total ... (Documentation/admin-guide/blockdev/zram.rst)
Result<SwapMemory::Sizes> SwapMemory::read_zram(const std::string& device) {
    const std::string path = "sys/block/" + device + "/mm_stat";
    const auto text = zrams_.try_emplace(device, root_, path).first->second.read();
    if (!text)
        return text.error();
    std::string_view rest = *text;
    auto stored = parse_uint(next_word(rest));
    next_word(rest);
    auto taken = parse_uint(next_word(rest));
    for (auto* const bytes : {&stored, &taken}) {
        if (!*bytes)
            return std::move(*bytes).error().with_context(root_.name_of(path));
    }
    return Sizes{*taken, *stored};
}

// meminfo is long. So this reads it only while zswap takes pages, and until zswap is empty again.
Result<SwapMemory::Sizes> SwapMemory::read_zswap() {
    const auto enabled = zswap_enabled_.read();
    if (!enabled && enabled.error().code() == ENOENT)
        return Sizes();  // a kernel without it
    if (enabled && enabled->starts_with('N') && zswap_was_empty_)
        return Sizes();
    const auto text = meminfo_.read();
    if (!text)
        return text.error();
    auto taken = parse_meminfo_bytes(*text, "Zswap");
    auto stored = parse_meminfo_bytes(*text, "Zswapped");
    for (auto* const bytes : {&taken, &stored}) {
        if (!*bytes && bytes->error().code() == ENOENT)
            *bytes = std::uint64_t{0};  // a kernel that does not count it
        if (!*bytes)
            return std::move(*bytes).error().with_context(root_.name_of("proc/meminfo"));
    }
    zswap_was_empty_ = *taken == 0;
    return Sizes{*taken, *stored};
}

Result<core::SwapInMemory> SwapMemory::read() {
    const auto text = swaps_.read();
    if (!text && text.error().code() == ENOENT)
        return core::SwapInMemory();  // a kernel without swap
    if (!text)
        return text.error();
    const auto areas = parse_swaps(*text);
    if (!areas)
        return Error(areas.error()).with_context(root_.name_of("proc/swaps"));
    if (areas->empty())
        return core::SwapInMemory();
    auto sizes = read_zswap();
    if (!sizes)
        return std::move(sizes).error();
    bool is_all = true;
    for (const SwapArea& area : *areas) {
        const std::string device = area.path.substr(area.path.rfind('/') + 1);
        if (area.is_file || !device.starts_with("zram")) {
            is_all = false;
            continue;
        }
        const auto more = read_zram(device);
        if (!more)
            return more.error();
        sizes->taken += more->taken;
        sizes->stored += more->stored;
    }
    return core::SwapInMemory{.taken = core::to_pages(Bytes(sizes->taken), page_bytes()),
                              .stored = core::to_pages(Bytes(sizes->stored), page_bytes()),
                              .is_all = is_all};
}

}  // namespace tmm::os
