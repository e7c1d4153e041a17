// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the records that programs with soft memory send, and the division of what they tell.
#include "fuzz/fuzz.hpp"
#include "tmmd/core/soft/division.hpp"
#include "tmmd/soft/soft_records.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    const auto record = soft::parse_record(fuzz::text_of(data, size));
    const auto* const report = record ? std::get_if<soft::Report>(&*record) : nullptr;
    if (!report)
        return 0;
    std::vector<core::SoftHeap> heaps(2, report->heap);
    heaps[0].id = 1;
    heaps[1].id = 2;
    const Bytes total(report->number % (std::uint64_t{1} << 40));
    Bytes sum{0};
    for (const core::SoftGrant& grant : core::SoftDivision().divide(total, heaps))
        sum += grant.bytes;
    TMM_REQUIRE(sum <= total);
    return 0;
}
