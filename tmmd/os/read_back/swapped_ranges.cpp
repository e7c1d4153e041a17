// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/swapped_ranges.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace tmm::os {

namespace {

// Documentation/admin-guide/mm/pagemap.rst: bit 62, "page swapped".
constexpr std::uint64_t swapped_bit = std::uint64_t{1} << 62;

}  // namespace

SwappedRanges::SwappedRanges(UniqueFd pagemap, std::span<const core::MappingUse> mappings, Bytes page_bytes)
    : pagemap_(std::move(pagemap)), page_bytes_(page_bytes) {
    for (const core::MappingUse& mapping : mappings) {
        const std::uint64_t begin = mapping.begin / page_bytes.count();
        const std::uint64_t end = std::min(mapping.end / page_bytes.count(), begin + max_pages_looked_at);
        const std::uint64_t swapped = mapping.swapped.count() / page_bytes.count();
        if (begin < end && swapped > 0)
            mappings_.push_back({begin, begin, end, swapped});
    }
}

// Makes sure that the entry of rest.next is there. Returns whether it is: a process that has ended has no memory.
bool SwappedRanges::load(Rest& rest) {
    if (rest.next >= loaded_ && rest.next < loaded_ + entries_.size())
        return true;
    entries_.resize(std::min<std::uint64_t>(entries_per_read, rest.end - rest.next));
    const auto offset = static_cast<off_t>(rest.next * sizeof(std::uint64_t));
    const ssize_t bytes = ::pread(pagemap_.get(), entries_.data(), entries_.size() * sizeof(std::uint64_t), offset);
    entries_.resize(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)) / sizeof(std::uint64_t));
    loaded_ = rest.next;
    return !entries_.empty();
}

// The kernel refuses a range with a hole, as there may be between two mappings.
void SwappedRanges::add(const Rest& rest, SwappedPages& found) const {
    const std::uint64_t begin = rest.next * page_bytes_.count();
    const std::uint64_t end = begin + page_bytes_.count();
    found.pages += core::Pages(1);
    if (!found.ranges.empty() && found.ranges.back().begin >= rest.begin * page_bytes_.count() &&
        begin >= found.ranges.back().end && begin - found.ranges.back().end <= max_gap * page_bytes_.count())
        found.ranges.back().end = end;
    else
        found.ranges.push_back({begin, end});
}

SwappedPages SwappedRanges::next(core::Pages max) {
    SwappedPages found;
    std::size_t reads = 0;
    while (!mappings_.empty() && found.pages < max && found.ranges.size() < max_ranges) {
        Rest& rest = mappings_.front();
        const bool loaded = rest.next >= loaded_ && rest.next < loaded_ + entries_.size();
        if (!loaded && reads++ == reads_per_call)
            break;
        if (!load(rest)) {
            mappings_.pop_front();
            continue;
        }
        if ((entries_[rest.next - loaded_] & swapped_bit) != 0) {
            add(rest, found);
            --rest.swapped;
        }
        if (++rest.next == rest.end || rest.swapped == 0)
            mappings_.pop_front();
    }
    return found;
}

}  // namespace tmm::os
