// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/return_reader.hpp"

#include <algorithm>

#include "base/units.hpp"
#include "tmmd/os/counters/pressure.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::app {

namespace {

// Returns the latency of swap; nothing before enough reads were seen. MissLatency then assumes a disk, and it may be zram.
std::optional<core::Seconds> measured(const core::MissLatency& latency) {
    if (!latency.of(core::Store::swap_disk).is_measured() && !latency.of(core::Store::swap_zram).is_measured())
        return std::nullopt;
    return core::Seconds(latency.usual()[static_cast<std::size_t>(core::Backing::anonymous)]);
}

std::string text_of(core::Pages pages) {
    return format_bytes(core::to_bytes(pages, os::page_bytes()).count());
}

}  // namespace

ReturnReader::ReturnReader(const RootDir& root, const Log& log, Result<std::unique_ptr<os::SwapReader>> reader)
    : root_(root), log_(log), problem_(log) {
    if (reader)
        reader_ = *std::move(reader);
    else
        log_.info(reader.error().message() + "; memory that a break cost is not read back");
}

// Unreadable counters of a cgroup leave it out.
std::optional<core::Swapped> ReturnReader::read_swapped(const std::vector<std::string>& transparent_cgroups) const {
    core::Swapped swapped;
    for (const std::string& cgroup : os::opaque_cgroups(root_, transparent_cgroups)) {
        const auto text = root_.read_file(cgroup + "/memory.swap.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (bytes)
            swapped[cgroup] = core::to_pages(Bytes(*bytes), os::page_bytes());
    }
    return swapped;
}

// Returns whether a contribution has begun in a cgroup whose memory is being read back.
bool ReturnReader::is_mixed(const std::vector<std::string>& transparent_cgroups) const {
    return std::ranges::any_of(order_, [&](const core::ReadBackShare& share) {
        return std::ranges::any_of(transparent_cgroups, [&](const std::string& top) {
            return top == share.cgroup || top.starts_with(share.cgroup + "/");
        });
    });
}

void ReturnReader::take_report() {
    const auto report = reader_->take_report();
    if (!report)
        return;
    if (!order_.empty() && report->read > core::Pages(0))
        log_.info("read " + text_of(report->read) + " of the owner's programs back from swap");
    problem_.warn(report->problem, "; the owner's programs fetch their evicted memory themselves");
    order_.clear();
}

void ReturnReader::end() {
    reader_->stop();
    order_.clear();
}

core::Pages ReturnReader::tick(const Inputs& inputs, const std::vector<std::string>& transparent_cgroups,
                               const core::MissLatency& latency, core::AwakeTime now) {
    if (!reader_)
        return core::Pages(0);
    take_report();
    if (is_mixed(transparent_cgroups))
        end();
    const auto swapped =
        rule_.asks_for_swapped(inputs.idle_for) ? read_swapped(transparent_cgroups) : std::optional<core::Swapped>();
    core::ReadBackAction action = rule_.step({.idle_for = inputs.idle_for,
                                              .swapped = swapped,
                                              .latency = measured(latency),
                                              .reading = !order_.empty(),
                                              .held = inputs.held,
                                              .evicting = inputs.evicting,
                                              .usage = inputs.usage},
                                             now);
    if (action.stop)
        end();
    if (!action.read.empty()) {
        const auto begun = reader_->begin(action.read);
        problem_.warn(begun ? "" : begun.error().message(), "; the owner's programs fetch their evicted memory themselves");
        if (begun)
            order_ = std::move(action.read);
    }
    return action.evict;
}

}  // namespace tmm::app
