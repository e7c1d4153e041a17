// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/timeline.hpp"

#include <fcntl.h>

#include <cerrno>
#include <optional>

#include "base/units.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {

namespace {

std::string if_known(std::optional<double> value, int digits) {
    return value ? format_fixed(*value, digits) : "";
}

}  // namespace

std::string timeline_header() {
    return "t_s,wall_s,opaque_limit_mb,transparent_limit_mb,opaque_used_mb,transparent_used_mb,total_mb,opaque_faults_per_s,"
           "refaults_per_s,expected_misses_per_s,expected_slowdown,epoch_s,samples,anonymous_miss_ms,file_miss_ms,kind,"
           "giving,reason";
}

std::string format_row(const TimelineRow& row, Bytes page_bytes) {
    const auto megabytes = [&](core::Pages pages) {
        return format_fixed(pages.as_double() * page_bytes.as_double() / (1 << 20), 2);
    };
    const core::Decision& decision = row.step.decision;
    const char* kind = "learning";
    if (decision.kind == core::DecisionKind::measured)
        kind = "measured";
    else if (decision.kind == core::DecisionKind::corrected)
        kind = "corrected";
    // Reasons contain no quotation mark.
    return format_fixed(core::Seconds(row.step.since_start).count(), 3) + "," +
           format_fixed(core::Seconds(row.wall.time_since_epoch()).count(), 3) + "," + megabytes(row.given.opaque_limit) + "," +
           megabytes(row.given.transparent_limit) + "," + megabytes(row.step.usage.opaque) + "," +
           megabytes(row.step.usage.transparent) + "," + megabytes(row.step.usage.total) + "," +
           if_known(row.step.opaque_faults_per_s, 1) + "," + format_fixed(decision.refaults_per_s, 1) + "," +
           if_known(decision.expected_misses_per_s, 2) + "," + if_known(decision.expected_slowdown, 5) + "," +
           format_fixed(row.step.epoch.count(), 3) + "," + std::to_string(row.step.samples) + "," +
           format_fixed(1000 * row.step.miss_latency[0], 4) + "," + format_fixed(1000 * row.step.miss_latency[1], 4) + "," +
           kind + "," + std::string(core::name_of(row.given.kind)) + ",\"" + words::sentence(row.given.reason, page_bytes) + "\"";
}

Result<Timeline> Timeline::create(const std::string& path) {
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!fd)
        return Error::from_errno(errno, path);
    Timeline timeline(std::move(fd), path);
    auto written = timeline.write_line(timeline_header());
    if (!written)
        return std::move(written).error();
    return timeline;
}

Result<void> Timeline::append(const TimelineRow& row) {
    return write_line(format_row(row, os::page_bytes()));
}

Result<void> Timeline::write_line(std::string line) {
    line += '\n';
    const ssize_t written = ::write(fd_.get(), line.data(), line.size());
    if (written < 0)
        return Error::from_errno(errno, path_);
    if (static_cast<std::size_t>(written) != line.size())
        return Error(ENOSPC, path_ + ": only part of a line could be written");
    return {};
}

}  // namespace tmm::app
