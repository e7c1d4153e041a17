// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/soft/soft_records.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/text/utf8.hpp"
#include "softlib/coordinate/records.hpp"

namespace tmm::soft {

namespace {

namespace wire = ::soft::coordinate;

static_assert(std::endian::native == std::endian::little, "records are read as they are");
static_assert(wire::nr_buckets == core::nr_reuse_buckets);

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t max_rebuild_ns = 3600ULL * 1'000'000'000;
constexpr float max_rate = 1e12F;

// As long as a heap waits for the next grant at most, in case that tmmd stops.
constexpr std::uint32_t valid_ms = 10'000;

Error odd(const std::string& what) {
    return {EPROTO, "a record of soft memory has " + what};
}

bool is_rate(float rate) {
    return std::isfinite(rate) && rate >= 0 && rate <= max_rate;
}

Result<Record> hello_of(const wire::hello& record) {
    const auto* const end = std::find(std::begin(record.name), std::end(record.name), '\0');
    return Record(Hello{printable(std::string_view(std::begin(record.name), static_cast<std::size_t>(end - record.name)))});
}

Result<Record> report_of(const wire::report& record) {
    const bool sane = std::max({record.budget_bytes, record.used_bytes, record.footprint_bytes}) <= max_bytes &&
                      record.rebuild_ns <= max_rebuild_ns && is_rate(record.misses_per_s) && is_rate(record.first_uses_per_s) &&
                      std::ranges::all_of(record.reuses_per_s, is_rate);
    if (!sane)
        return odd("a number without sense");
    Report report;
    report.number = record.number;
    core::SoftHeap& heap = report.heap;
    heap.budget = Bytes(record.budget_bytes);
    heap.used = Bytes(record.used_bytes);
    heap.footprint = Bytes(record.footprint_bytes);
    heap.rebuild_s = static_cast<double>(record.rebuild_ns) / 1e9;
    heap.first_uses_per_s = record.first_uses_per_s;
    heap.real_misses_per_s = record.misses_per_s;
    std::ranges::copy(record.reuses_per_s, heap.reuses_per_s.begin());
    return Record(report);
}

template <typename WireRecord>
WireRecord copy_of(std::string_view bytes) {
    WireRecord record;
    std::memcpy(&record, bytes.data(), sizeof record);
    return record;
}

}  // namespace

Result<Record> parse_record(std::string_view bytes) {
    if (bytes.size() < sizeof(wire::header))
        return odd("no header");
    const auto header = copy_of<wire::header>(bytes);
    if (header.version != wire::version)
        return odd("version " + std::to_string(header.version) + "; tmmd knows " + std::to_string(wire::version));
    if (header.kind == static_cast<std::uint32_t>(wire::kind::hello) && bytes.size() == sizeof(wire::hello))
        return hello_of(copy_of<wire::hello>(bytes));
    if (header.kind == static_cast<std::uint32_t>(wire::kind::report) && bytes.size() == sizeof(wire::report))
        return report_of(copy_of<wire::report>(bytes));
    return odd("an unknown kind or another length");
}

std::string grant_record(std::uint64_t number, Bytes bytes, bool urgent) {
    const wire::grant grant{
        {wire::version, static_cast<std::uint32_t>(wire::kind::grant)}, number, bytes.count(), valid_ms, urgent ? 1U : 0U};
    std::string text(sizeof grant, '\0');
    std::memcpy(text.data(), &grant, sizeof grant);
    return text;
}

}  // namespace tmm::soft
