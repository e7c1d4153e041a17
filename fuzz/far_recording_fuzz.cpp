// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the parser of far memory's recordings, and replays each that it takes.
#include "farmem/recording/recording.hpp"
#include "farmem/sim/accesses.hpp"
#include "fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm::far;
    const auto faults = parse_recording(tmm::fuzz::text_of(data, size));
    if (!faults) {
        TMM_REQUIRE(faults.error().message().starts_with("line ") || faults.error().message().starts_with("not a recording"));
        return 0;
    }
    for (const RecordedFault& fault : *faults) {
        std::string line = format_fault(fault);
        line.pop_back();
        const auto same = parse_fault(line);
        TMM_REQUIRE(same && *same == fault);
    }
    const Behaviour behaviour = behaviour_of(*faults);
    std::size_t nr_accesses = 0;
    for (const auto& thread : behaviour.threads) {
        while (const auto access = thread->next()) {
            TMM_REQUIRE(access->work >= nanoseconds());
            ++nr_accesses;
        }
    }
    TMM_REQUIRE(nr_accesses == faults->size());
    return 0;
}
