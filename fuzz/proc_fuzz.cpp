// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the parsers of the kernel's text files.
#include "base/text/proc_text.hpp"
#include "fuzz/fuzz.hpp"
#include "tmmd/os/cgroup/contribution.hpp"
#include "tmmd/os/reading/counters/backing_latency.hpp"
#include "tmmd/os/reading/counters/memory_info.hpp"
#include "tmmd/os/reading/counters/opaque_activity.hpp"
#include "tmmd/os/reading/counters/pressure.hpp"
#include "tmmd/os/reading/presence/owner_presence.hpp"
#include "tmmd/os/sources/files/open_files.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    const std::string_view text = fuzz::text_of(data, size);
    (void)parse_meminfo_bytes(text, "MemTotal");
    (void)parse_stat(text, "pgmajfault");
    (void)os::parse_cpu_time_us(text, 100);
    (void)os::parse_diskstats(text);
    (void)os::parse_swaps(text);
    (void)parse_pressure_us(text, "some");
    (void)os::parse_only_user(text);
    (void)os::parse_input_interrupts(text, {"ELAN1200:00"});
    (void)os::parse_processor_ticks(text);
    (void)os::parse_io(text);
    (void)os::parse_fdinfo(text);
    (void)os::parse_disk_mounts(text);
    (void)os::has_large_file(text);
    (void)os::parse_random_mappings(text, Bytes(4096));
    return 0;
}
