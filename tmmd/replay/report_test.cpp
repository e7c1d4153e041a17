// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/report.hpp"

#include <gtest/gtest.h>

namespace tmm::replay {
namespace {

core::Reason measured() {
    core::Reason reason;
    reason.code = core::ReasonCode::measured;
    reason.total = core::Pages(100 << 8);
    reason.need = core::Pages(40 << 8);
    reason.opaque_limit = core::Pages(50 << 8);
    reason.allowed = core::Pages(50 << 8);
    return reason;
}

Outcome small_outcome(bool exact) {
    Outcome outcome;
    outcome.records = 9;
    outcome.references = 8;
    outcome.pages = core::Pages(2);
    outcome.epochs = 3;
    outcome.curve.add_first_uses(2);
    outcome.curve.add(core::Pages(1), 6);
    if (exact) {
        outcome.exact_curve = outcome.curve;
        outcome.error = {0.25, 0.5};
    }
    outcome.limits = {{0, core::Pages(100), {}}, {1'500'000, core::Pages(50), measured()}};
    outcome.achieved_beta = 1.025;
    return outcome;
}

Parameters parameters_of_half_a_second() {
    Parameters parameters;
    parameters.epoch_us = 500'000;
    parameters.sample_shift = 2;
    parameters.memory = core::Pages(100);
    return parameters;
}

TEST(Report, JsonIsOneObject) {
    const std::string json = format_outcome(small_outcome(true), parameters_of_half_a_second(), Form::json);
    EXPECT_EQ(
        json,
        "{\"records\": 9,\n \"references\": 8,\n \"pages\": 2,\n \"epoch_s\": 0.500,\n \"epochs\": 3,\n \"sample_shift\": 2,\n "
        "\"memory_pages\": 100,\n \"footprint_pages\": 0,\n \"active_s\": 0,\n \"need_pages\": 0,\n \"exact_need_pages\": 0,\n "
        "\"mean_abs_error\": 0.250000,\n \"max_abs_error\": 0.500000,\n \"misses_at_limit\": 0,\n \"misses_all_memory\": 0,\n "
        "\"achieved_beta\": 1.025000,\n \"curve\": [[0, 8], [1, 8], [2, 2]],\n \"exact\": [[0, 8], [1, 8], [2, 2]],\n "
        "\"limits\": [[0, 100, \"learning the needs of opaque programs; contributions get only free memory\"],\n  "
        "[1.500, 50, \"opaque programs need 40 MiB of 100 MiB, limit 50 MiB; contributions are allowed 50 MiB\"]]}\n");
}

TEST(Report, WithoutExactThereIsNoError) {
    const std::string json = format_outcome(small_outcome(false), parameters_of_half_a_second(), Form::json);
    EXPECT_NE(json.find("\"exact\": null"), std::string::npos);
    EXPECT_NE(json.find("\"mean_abs_error\": null"), std::string::npos);
    EXPECT_EQ(format_outcome(small_outcome(false), parameters_of_half_a_second(), Form::csv).find("exact"), std::string::npos);
}

TEST(Report, CsvIsOneTable) {
    const std::string csv = format_outcome(small_outcome(true), parameters_of_half_a_second(), Form::csv);
    EXPECT_TRUE(csv.starts_with("series,x,value,reason\nrecords,,9,\n"));
    EXPECT_NE(csv.find("\ncurve,1,8,\n"), std::string::npos);
    EXPECT_NE(csv.find("\nexact,2,2,\n"), std::string::npos);
    EXPECT_NE(csv.find("\nlimit,0,100,\"learning the needs"), std::string::npos);
}

TEST(Report, TextHasACurveEvenOfAnEmptyTrace) {
    EXPECT_NE(format_outcome(small_outcome(true), parameters_of_half_a_second(), Form::text).find("1.025000  achieved_beta"),
              std::string::npos);
    EXPECT_FALSE(format_outcome(Outcome(), Parameters(), Form::text).empty());
    EXPECT_NE(format_outcome(Outcome(), Parameters(), Form::json).find("\"curve\": [[0, 0]]"), std::string::npos);
}

}  // namespace
}  // namespace tmm::replay
