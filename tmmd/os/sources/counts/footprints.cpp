// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/footprints.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <utility>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/sources/files/open_files.hpp"

namespace tmm::os {

namespace {

constexpr const char* rollup = "/smaps_rollup";
constexpr const char* references = "/clear_refs";

Error explained(const Error& error) {
    if (is_refusal(error.code()))
        return {error.code(), error.message() + ": it needs CAP_SYS_PTRACE and CAP_DAC_OVERRIDE"};
    if (error.code() == ENOENT)
        return {ENODEV, error.message() + ": the kernel was built without CONFIG_PROC_PAGE_MONITOR"};
    return error;
}

void add_up(core::Footprint& sum, const core::Footprint& more) {
    for (std::size_t i = 0; i < core::nr_backings; ++i) {
        sum.resident[i] += more.resident[i];
        sum.referenced[i] += more.referenced[i];
    }
}

}  // namespace

Result<ProcessMemory> parse_smaps_rollup(std::string_view text, Bytes page_bytes) {
    std::array<Bytes, 5> values{};
    constexpr std::array<std::string_view, 5> names{"Rss", "Referenced", "Pss_Anon", "Pss_Shmem", "Pss_File"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto bytes = parse_meminfo_bytes(text, names[i]);
        if (!bytes)
            return bytes.error();
        values[i] = Bytes(*bytes);
    }
    const auto& [rss, referenced, anonymous, shmem, file] = values;
    const double share = rss == Bytes(0) ? 0 : std::min(ratio(referenced, rss), 1.0);
    ProcessMemory memory;
    memory.resident = rss;
    const std::array<Bytes, core::nr_backings> by_backing{anonymous + shmem, file};
    for (std::size_t i = 0; i < core::nr_backings; ++i) {
        memory.footprint.resident[i] = core::to_pages(by_backing[i], page_bytes);
        memory.footprint.referenced[i] = core::Pages(std::llround(share * memory.footprint.resident[i].as_double()));
    }
    return memory;
}

Result<core::Footprint> parse_statm(std::string_view text) {
    std::array<core::Pages, 3> columns{};
    for (core::Pages& column : columns) {
        const auto number = parse_uint(next_word(text));
        if (!number)
            return number.error();
        column = core::Pages(*number);
    }
    const auto& [size, resident, shared] = columns;
    if (shared > resident)
        return Error(EINVAL, "statm: more shared than resident memory");
    const core::PagesByBacking all{resident - shared, shared};
    return core::Footprint{all, all};
}

Result<ProcFootprints> ProcFootprints::open(const RootDir& root, MayLook may_look) {
    // In a container, nobody in it may read the first process. read() sees whether another may be read.
    const auto first = root.read_file(std::string("proc/1") + rollup);
    if (!first && !is_refusal(first.error().code()))
        return explained(first.error());
    const auto file = root.open_file(std::string("proc/1") + references, O_WRONLY);
    if (!file && !is_refusal(file.error().code()))
        return explained(file.error());
    return ProcFootprints(root, std::move(may_look), compare_memories(root));
}

core::Footprint& ProcFootprints::sum_of(const std::string& cgroup, std::map<std::string, core::Footprint>& by_path) const {
    const auto [sum, is_new] = by_path.try_emplace(cgroup);
    if (is_new)
        sum->second.resident[static_cast<std::size_t>(core::Backing::file)] = unmapped_files(*root_, cgroup);
    return sum->second;
}

Result<void> ProcFootprints::add(const OpaqueProcess& process, std::map<std::string, core::Footprint>& by_path) {
    const std::string& pid = process.number;
    const std::string& cgroup = process.cgroup;
    if (!may_look_(process) || !seen_.add(process.user, static_cast<pid_t>(parse_uint(pid).value())))
        return {};
    const auto text = root_->read_file("proc/" + pid + rollup);
    if (!text && is_refusal(text.error().code())) {
        refused_ = explained(text.error());
        const auto statm = root_->read_file("proc/" + pid + "/statm");
        const auto all = statm ? parse_statm(*statm) : Result<core::Footprint>(statm.error());
        if (all)
            add_up(sum_of(cgroup, by_path), *all);
        return {};
    }
    if (!text)  // kernel threads seem to have ended
        return has_ended(text.error().code()) ? Result<void>() : explained(text.error());
    ++nr_readable_;
    const auto memory = parse_smaps_rollup(*text, page_bytes());
    if (!memory)  // it ended meanwhile
        return {};
    add_up(sum_of(cgroup, by_path), memory->footprint);
    if (memory->resident <= max_cleared)
        to_clear_.push_back(process);
    return {};
}

Result<std::map<core::CgroupId, core::Footprint>> ProcFootprints::read(const std::vector<std::string>& transparent_cgroups) {
    to_clear_.clear();
    seen_.clear();
    refused_.reset();
    nr_readable_ = 0;
    const auto processes = opaque_processes(*root_, transparent_cgroups);
    if (!processes)
        return processes.error();
    left_out_ = processes->left_out;
    std::map<std::string, core::Footprint> by_path;
    for (const OpaqueProcess& process : processes->list) {
        auto added = add(process, by_path);
        if (!added)
            return std::move(added).error();
    }
    if (refused_ && nr_readable_ == 0)
        return *refused_;
    std::map<core::CgroupId, core::Footprint> footprints;
    for (const auto& [path, footprint] : by_path)
        add_up(footprints[cgroup_id_of(*root_, path)], footprint);
    return footprints;
}

Result<void> ProcFootprints::clear() {
    std::optional<Error> refused;
    std::size_t cleared = 0;
    for (const OpaqueProcess& process : to_clear_) {
        if (!may_look_(process))
            continue;
        const auto written = root_->write_file("proc/" + process.number + references, "1");
        if (written)
            ++cleared;
        else if (is_refusal(written.error().code()))
            refused = explained(written.error());
        else if (!has_ended(written.error().code()))
            return explained(written.error());
    }
    if (refused && cleared == 0)
        return *refused;
    return {};
}

}  // namespace tmm::os
