// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup_sample.hpp"

#include <map>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::desk {

namespace {

// Takes the named counters out of a file into the places given.
Result<void> read_counters(const RootDir& root, const std::string& path, const std::map<std::string, std::uint64_t*>& wanted) {
    const auto text = root.read_file(path);
    if (!text)
        return text.error();
    for (const auto& [key, place] : wanted) {
        auto value = parse_stat(*text, key);
        if (!value)
            return std::move(value).error().with_context(root.name_of(path));
        *place = *value;
    }
    return {};
}

Result<void> read_number(const RootDir& root, const std::string& path, std::uint64_t* place) {
    const auto text = root.read_file(path);
    if (!text)
        return text.error();
    auto value = parse_uint(trim(*text));
    if (!value)
        return std::move(value.error()).with_context(root.name_of(path));
    *place = *value;
    return {};
}

}  // namespace

std::uint64_t footprint_bytes(const ClassSample& sample) {
    const std::uint64_t both = sample.current_bytes + sample.swap_bytes;
    // The three numbers are read one after the other: their difference may be below 0.
    return both > sample.swapcached_bytes ? both - sample.swapcached_bytes : 0;
}

Result<ClassSample> read_class(const RootDir& root, const std::string& cgroup) {
    const std::string folder = "sys/fs/cgroup/" + cgroup + "/";
    ClassSample sample;
    if (auto result = read_counters(root, folder + "memory.stat",
                                    {{"pgmajfault", &sample.pgmajfault},
                                     {"workingset_refault_anon", &sample.refault_anon},
                                     {"workingset_refault_file", &sample.refault_file},
                                     {"anon", &sample.anon_bytes},
                                     {"file", &sample.file_bytes},
                                     {"swapcached", &sample.swapcached_bytes}});
        !result)
        return result.error();
    if (auto result = read_number(root, folder + "memory.current", &sample.current_bytes); !result)
        return result.error();
    if (auto result = read_number(root, folder + "memory.swap.current", &sample.swap_bytes); !result)
        return result.error();

    if (auto result = read_counters(root, folder + "cpu.stat", {{"usage_usec", &sample.cpu_us}, {"user_usec", &sample.user_us}});
        !result)
        return result.error();

    const std::string pressure = folder + "memory.pressure";
    const auto text = root.read_file(pressure);
    if (!text)
        return text.error();
    auto stall_us = parse_pressure_us(*text, "some");
    if (!stall_us)
        return std::move(stall_us.error()).with_context(root.name_of(pressure));
    sample.stall_us = *stall_us;
    return sample;
}

Result<MachineSample> read_machine(const RootDir& root) {
    MachineSample sample;
    if (auto result = read_counters(
            root, "proc/vmstat", {{"pswpin", &sample.pswpin}, {"pswpout", &sample.pswpout}, {"pgmajfault", &sample.pgmajfault}});
        !result)
        return result.error();
    const auto text = root.read_file("proc/meminfo");
    if (!text)
        return text.error();
    auto free_bytes = parse_meminfo_bytes(*text, "MemFree");
    if (!free_bytes)
        return std::move(free_bytes.error()).with_context(root.name_of("proc/meminfo"));
    sample.free_bytes = *free_bytes;
    return sample;
}

std::string class_header(const std::string& name) {
    std::string header;
    for (const char* column : {"pgmajfault", "refault_anon", "refault_file", "current_bytes", "swap_bytes", "swapcached_bytes",
                               "anon_bytes", "file_bytes", "stall_us", "cpu_us", "user_us"})
        header += (header.empty() ? "" : ",") + name + "_" + column;
    return header;
}

std::string class_row(const ClassSample& sample) {
    std::string row;
    for (const std::uint64_t value :
         {sample.pgmajfault, sample.refault_anon, sample.refault_file, sample.current_bytes, sample.swap_bytes,
          sample.swapcached_bytes, sample.anon_bytes, sample.file_bytes, sample.stall_us, sample.cpu_us, sample.user_us})
        row += (row.empty() ? "" : ",") + std::to_string(value);
    return row;
}

std::string machine_header() {
    return "free_bytes,pswpin,pswpout,pgmajfault";
}

std::string machine_row(const MachineSample& sample) {
    return std::to_string(sample.free_bytes) + ',' + std::to_string(sample.pswpin) + ',' + std::to_string(sample.pswpout) + ',' +
           std::to_string(sample.pgmajfault);
}

}  // namespace tmm::desk
