// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/cgroup_limits.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/counters/backing_latency.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/stock/cgroup_tree.hpp"

namespace tmm::os {

namespace {

constexpr std::array<std::string_view, 5> lru_lists{"active_anon", "inactive_anon", "active_file", "inactive_file",
                                                    "unevictable"};

// Returns the setting that an administrator made, as a bound for ours.
core::Pages pages_of(std::string_view setting, core::Pages if_none) {
    const auto bytes = parse_uint(setting);
    return bytes ? core::to_pages(Bytes(*bytes), page_bytes()) : if_none;
}

// Returns whether a cgroup's protection covers those below it. A missing list of mounts is no reason to stop.
bool shares_protection(const RootDir& root) {
    const auto text = root.read_file("proc/mounts");
    if (!text)
        return true;
    std::string_view rest = *text;
    while (!rest.empty()) {
        std::string_view line = next_line(rest);
        next_word(line);
        const std::string_view place = next_word(line);
        const std::string_view type = next_word(line);
        if (type == "cgroup2" && place.substr(1) == cgroup_mount)
            return next_word(line).find("memory_recursiveprot") != std::string_view::npos;
    }
    return true;
}

}  // namespace

Result<CgroupLimits> CgroupLimits::open(const RootDir& root) {
    auto cgroups = read_cgroup_usages(root, {});
    if (!cgroups)
        return std::move(cgroups).error();
    if (!shares_protection(root))
        return Error(ENOTSUP, root.name_of(cgroup_mount) +
                                  " is mounted without memory_recursiveprot, so that cgroups cannot be protected: mount it as "
                                  "systemd does (mount -o remount,memory_recursiveprot " +
                                  root.name_of(cgroup_mount) + ")");
    return CgroupLimits(root);
}

CgroupLimits::~CgroupLimits() {
    // A knob that cannot be written has no cgroup any more, or `tmmd --release` tries again.
    if (knobs_.begun())
        static_cast<void>(knobs_.restore());
}

bool CgroupLimits::has_multi_gen_lru() const {
    // Bit 0 of a hexadecimal number (Documentation/admin-guide/mm/multigen_lru.rst).
    const auto text = root_->read_file("sys/kernel/mm/lru_gen/enabled");
    return text && (std::strtoul(text->c_str(), nullptr, 16) & 1) != 0;
}

Result<CgroupLimits::Swap> CgroupLimits::swap() const {
    const auto areas = read_swap_areas(*root_);
    if (!areas)
        return areas.error();
    if (areas->empty())
        return Swap::none;
    // A page goes to zram first where both are there, by the usual priorities.
    const bool in_memory = std::any_of(areas->begin(), areas->end(), [](const SwapArea& area) {
        return !area.is_file && area.path.substr(area.path.rfind('/') + 1).starts_with("zram");
    });
    return in_memory ? Swap::memory : Swap::disk;
}

// Returns 0 for a cgroup that has vanished or has no memory controller.
core::Pages CgroupLimits::lru_pages(const std::string& cgroup) const {
    core::Pages sum{0};
    const auto text = root_->read_file(cgroup + "/memory.stat");
    if (!text)
        return sum;
    for (const std::string_view list : lru_lists)
        sum += core::to_pages(Bytes(parse_stat(*text, list).has_value() ? *parse_stat(*text, list) : 0), page_bytes());
    return sum;
}

Result<core::MemoryUsage> CgroupLimits::usage() {
    const auto text = root_->read_file("proc/vmstat");
    if (!text)
        return text.error();
    core::Pages used{0};
    for (const std::string_view list : lru_lists) {
        auto pages = parse_stat(*text, "nr_" + std::string(list));
        if (!pages)
            return std::move(pages).error().with_context(root_->name_of("proc/vmstat"));
        used += core::Pages(*pages);
    }
    auto free = parse_stat(*text, "nr_free_pages");
    if (!free)
        return std::move(free).error().with_context(root_->name_of("proc/vmstat"));
    core::MemoryUsage usage{.total = used + core::Pages(*free)};
    for (const std::string& cgroup : transparent_cgroups_)
        usage.transparent += lru_pages(cgroup);
    usage.opaque = saturating_sub(used, usage.transparent);
    return usage;
}

void CgroupLimits::set(const std::string& path, core::Pages pages, std::vector<KnobValue>& values) {
    const auto [place, is_new] = in_force_.try_emplace(path, pages);
    if (!is_new && !core::worth_a_write(place->second, pages, page_bytes()))
        return;
    place->second = pages;
    values.push_back({path, std::to_string(core::to_bytes(pages, page_bytes()).count())});
}

void CgroupLimits::reset(const std::string& path, std::vector<KnobValue>& values) {
    if (in_force_.erase(path) > 0)
        values.push_back({path, knobs_.before(path)});
}

void CgroupLimits::add_protections(const core::MemoryUsage& usage, core::Pages opaque_limit,
                                   const std::vector<core::CgroupUsage>& cgroups, std::vector<KnobValue>& values) {
    std::string knob = "/memory.min";
    std::string other = "/memory.low";
    if (!has_multi_gen_lru())
        std::swap(knob, other);
    for (const core::CgroupProtection& one : core::protections(cgroups, core::reclaimable_opaque(usage, opaque_limit))) {
        const std::string path = one.path + knob;
        set(path, std::max(one.pages, pages_of(knobs_.before(path), core::Pages(0))), values);
        reset(one.path + other, values);
    }
}

void CgroupLimits::add_fences(const core::MemoryUsage& usage, core::Pages transparent_limit, Swap swap,
                              std::vector<KnobValue>& values) {
    std::vector<core::Pages> transparent;
    transparent.reserve(transparent_cgroups_.size());
    for (const std::string& cgroup : transparent_cgroups_)
        transparent.push_back(lru_pages(cgroup));
    const std::vector<core::Pages> limits = core::contribution_limits(usage, transparent_limit, transparent);
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const auto set_or_reset = [&](const char* knob, bool is_set, core::Pages pages) {
            const std::string path = transparent_cgroups_[i] + knob;
            if (is_set)
                set(path, std::min(pages, pages_of(knobs_.before(path), pages)), values);
            else
                reset(path, values);
        };
        set_or_reset("/memory.high", swap == Swap::disk, limits[i]);
        set_or_reset("/memory.max", swap == Swap::none, limits[i]);
        set_or_reset("/memory.swap.max", swap == Swap::memory, transparent_limit);
    }
}

Result<void> CgroupLimits::follow(const std::vector<std::string>& transparent_cgroups) {
    transparent_cgroups_ = transparent_cgroups;
    return enforce();
}

Result<void> CgroupLimits::write(const Limits& limits) {
    limits_ = limits;
    return enforce();
}

Result<void> CgroupLimits::enforce() {
    if (!limits_)
        return {};
    auto begun = knobs_.begin();
    if (!begun)
        return begun;
    const auto now = usage();
    if (!now)
        return now.error();
    const auto cgroups = read_cgroup_usages(*root_, transparent_cgroups_);
    if (!cgroups)
        return cgroups.error();
    const auto kind = swap();
    if (!kind)
        return kind.error();
    std::vector<KnobValue> values;
    add_protections(*now, limits_->opaque, *cgroups, values);
    add_fences(*now, limits_->transparent, *kind, values);
    return knobs_.write(values);
}

std::string CgroupLimits::problem() const {
    const std::vector<std::string> theirs = knobs_.theirs();
    if (theirs.empty())
        return "";
    std::string text = "somebody else changed settings that protect the owner's memory; tmmd leaves them alone: ";
    for (std::size_t i = 0; i < theirs.size(); ++i)
        text += (i == 0 ? "" : ", ") + root_->name_of(theirs[i]);
    return text;
}

}  // namespace tmm::os
