// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's text files.
#include "fuzz/fuzz.hpp"
#include "tmmd/os/backing_latency.hpp"
#include "tmmd/os/contribution.hpp"
#include "tmmd/os/memory_info.hpp"
#include "tmmd/os/opaque_activity.hpp"
#include "tmmd/os/owner_presence.hpp"
#include "tmmd/os/pressure.hpp"
#include "tmmd/os/stat_text.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    const std::string_view text = fuzz::text_of(data, size);
    (void)os::parse_meminfo_bytes(text, "MemTotal");
    (void)os::parse_stat(text, "pgmajfault");
    (void)os::parse_cpu_time_us(text, 100);
    (void)os::parse_diskstats(text);
    (void)os::parse_swaps(text);
    (void)os::parse_some_us(text);
    (void)os::parse_only_user(text);
    (void)os::parse_input_interrupts(text, {"ELAN1200:00"});
    return 0;
}
