// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses the kernel's text about a process's memory and use, and, for reading back, about free memory and busy disks. Pure.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tmmd/core/giving/read_back_order.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/read_back/swapped_ranges.hpp"

namespace tmm::os {

// Parses "begin-end", a mapping's addresses in /proc/PID/maps and smaps. Returns nothing if the word is no range, or an empty
// one.
std::optional<AddressRange> parse_address_range(std::string_view word);

// SmapsParser: takes /proc/PID/smaps in pieces, since a process may have a million mappings. It keeps those with swapped pages.
class SmapsParser {
public:
    // Takes the next piece; a line may reach from one into the next.
    void feed(std::string_view piece);
    // Returns the mappings with swapped pages so far, the last one included.
    std::vector<core::MappingUse> finish();
    // Returns the number of those before the last one.
    [[nodiscard]] std::size_t found() const { return found_.size(); }

private:
    void take(std::string_view line);
    void end_mapping();

    std::string rest_;
    core::MappingUse current_;
    std::vector<core::MappingUse> found_;
};

// Returns what /proc/PID/stat tells; nothing if it makes no sense. A process chooses its name, the second column.
std::optional<core::ProcessUse> parse_process_use(pid_t pid, std::string_view stat);

// Returns the free pages of /proc/zoneinfo that can be used before reclaim starts: what each zone has above its high watermark,
// and above what it keeps for requests that no other zone can meet. Less 1/128 of memory, for programs that take memory
// meanwhile. 0 if the text makes no sense.
core::Pages parse_room(std::string_view zoneinfo);

// Returns whether /proc/diskstats tells of a request that is under way.
bool is_any_disk_busy(std::string_view diskstats);

}  // namespace tmm::os
