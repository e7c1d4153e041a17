// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/read_back_worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ranges>
#include <utility>

#include "base/proc_text.hpp"
#include "tmmd/os/cgroup/cgroup_processes.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/read_back/process_text.hpp"

namespace tmm::os {

namespace {

constexpr std::size_t max_cgroups = 256;  // of a share

std::string file_of(pid_t pid, const char* name) {
    return "proc/" + std::to_string(pid) + "/" + name;
}

// Returns whether a process belongs to the cgroup, by the text of its /proc/PID/cgroup.
bool belongs(std::string_view text, const std::string& cgroup) {
    constexpr std::string_view v2 = "0::";
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with(v2))
            return is_below(line.substr(v2.size()), {cgroup});
    }
    return false;
}

std::vector<core::MappingUse> read_mappings(const UniqueFd& smaps) {
    SmapsParser parser;
    std::array<char, 65536> piece{};
    for (std::size_t total = 0; total < ReadBackWorker::max_smaps_bytes;) {
        const ssize_t bytes = ::read(smaps.get(), piece.data(), piece.size());
        if (bytes <= 0)
            break;
        parser.feed({piece.data(), static_cast<std::size_t>(bytes)});
        total += static_cast<std::size_t>(bytes);
    }
    return parser.finish();
}

}  // namespace

ReadBackWorker::ReadBackWorker(const RootDir& root, PageAdviser& adviser, Bytes page_bytes)
    : root_(root), adviser_(adviser), page_bytes_(page_bytes) {}

void ReadBackWorker::begin(const std::vector<core::ReadBackShare>& shares, core::AwakeTime now) {
    stop();
    read_ = core::Pages(0);
    problem_.reset();
    pace_.emplace(core::to_pages(max_step, page_bytes_));
    renewed_ = now;
    for (const core::ReadBackShare& share : shares) {
        for (const pid_t pid : processes_of(share.cgroup, max_processes / shares.size())) {
            if (const auto use = use_of(pid))
                candidates_.try_emplace(pid, Candidate{*use, shares_.size()});
        }
        shares_.push_back({share.cgroup, share.pages, PersistentFile(root_, share.cgroup + "/memory.pressure")});
    }
}

void ReadBackWorker::stop() {
    pace_.reset();
    shares_.clear();
    candidates_.clear();
    order_.clear();
    current_.reset();
}

std::vector<pid_t> ReadBackWorker::processes_of(const std::string& cgroup, std::size_t max) const {
    const auto dir = root_.subdir_without_links(cgroup);
    return dir ? processes_below(*dir, max, max_cgroups) : std::vector<pid_t>();
}

std::optional<core::ProcessUse> ReadBackWorker::use_of(pid_t pid) const {
    const auto text = root_.read_file(file_of(pid, "stat"));
    return text ? parse_process_use(pid, *text) : std::nullopt;
}

core::ReadBackSigns ReadBackWorker::signs() {
    core::ReadBackSigns signs;
    for (Share& share : shares_) {
        const auto text = share.pressure.read();
        const auto us = text ? parse_pressure_us(*text, "some") : Result<std::uint64_t>(text.error());
        if (us)
            signs.waited = signs.waited.value_or(core::Seconds(0)) + std::chrono::microseconds(*us);
    }
    const auto disks = root_.read_file("proc/diskstats");
    signs.disk_busy = disks && is_any_disk_busy(*disks);
    if (signs.disk_busy)
        return signs;
    const auto zones = root_.read_file("proc/zoneinfo");
    if (zones)
        signs.room = parse_room(*zones);
    return signs;
}

// Compares with the begin of the order, which the owner's return began.
void ReadBackWorker::renew_order(core::AwakeTime now) {
    renewed_ = now;
    order_.clear();
    for (auto it = candidates_.begin(); it != candidates_.end();) {
        const auto use = use_of(it->first);
        const core::ProcessUse& before = it->second.use;
        // A process of the same number that started later is another one.
        if (!use || use->started != before.started) {
            it = candidates_.erase(it);
            continue;
        }
        order_.push_back({.pid = it->first,
                          .faults = use->faults - std::min(use->faults, before.faults),
                          .ticks = use->ticks - std::min(use->ticks, before.ticks),
                          .started = use->started});
        ++it;
    }
    core::put_most_recent_first(order_);
    std::ranges::reverse(order_);
}

std::optional<pid_t> ReadBackWorker::take_next(core::AwakeTime now) {
    if (order_.empty() || now - *renewed_ >= renewal)
        renew_order(now);
    if (order_.empty())
        return std::nullopt;
    const pid_t pid = order_.back().pid;
    order_.pop_back();
    return pid;
}

// The descriptor comes first: from then on, a new process with the same number is not taken for this one.
std::optional<ReadBackWorker::Current> ReadBackWorker::open(pid_t pid, std::size_t share) const {
    auto process = adviser_.open(pid);
    const auto cgroup = root_.read_file(file_of(pid, "cgroup"));
    if (!process || !cgroup || !belongs(*cgroup, shares_[share].cgroup))
        return std::nullopt;
    const auto status = root_.read_file(file_of(pid, "status"));
    const auto swapped = status ? parse_meminfo_bytes(*status, "VmSwap") : Result<std::uint64_t>(status.error());
    if (!swapped || *swapped == 0)
        return std::nullopt;
    const auto smaps = root_.open_file(file_of(pid, "smaps"), O_RDONLY);
    auto pagemap = root_.open_file(file_of(pid, "pagemap"), O_RDONLY);
    if (!smaps || !pagemap)
        return std::nullopt;
    std::vector<core::MappingUse> mappings = read_mappings(*smaps);
    core::put_most_recent_first(mappings);
    return Current{share, *std::move(process), SwappedRanges(*std::move(pagemap), mappings, page_bytes_)};
}

void ReadBackWorker::turn(core::AwakeTime now) {
    if (!pace_)
        return;
    if (!current_ && candidates_.empty())
        return stop();
    const core::Pages pages = pace_->step(signs(), now);
    if (pages > core::Pages(0))
        read_some(pages, now);
}

// Opens one process at most, so that a stop is never far.
void ReadBackWorker::read_some(core::Pages pages, core::AwakeTime now) {
    if (!current_) {
        const auto pid = take_next(now);
        if (!pid)
            return stop();
        const std::size_t share = candidates_.extract(*pid).mapped().share;
        if (shares_[share].left > core::Pages(0))
            current_ = open(*pid, share);
        if (!current_)
            return;
    }
    core::Pages& left = shares_[current_->share].left;
    const SwappedPages found = current_->ranges.next(std::min(pages, left));
    if (found.pages > core::Pages(0)) {
        const auto advised = adviser_.will_need(current_->process, found.ranges);
        pace_->issue(found.pages, now);
        // The process may have removed one of the mappings meanwhile, or ended.
        if (advised) {
            read_ += found.pages;
            left -= found.pages;
        } else if (advised.error().code() != ENOMEM) {
            if (advised.error().code() != ESRCH)
                problem_ = advised.error();
            current_.reset();
            return;
        }
    }
    if (current_->ranges.at_end() || left == core::Pages(0))
        current_.reset();
}

}  // namespace tmm::os
