// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/records.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/fake_status.hpp"

namespace tmm::ctl {
namespace {

std::vector<wire::HistoryRow> rows() {
    return {{noon_us, 600, 5 * gb, 9 * gb, gb, 2 * gb, 6 * gb, 10 * gb, 0.001, 12},
            {noon_us + 600'000'000, 60, 0, 0, 0, 0, 0, 0, wire::unknown_share, 0}};
}

TEST(Records, HistoryIsATable) {
    use_utc();
    EXPECT_EQ(format_history(rows(), {}),
              "FROM                 FOR  OPAQUE   LIMIT   GIVEN    LIMIT    SOFT    FREE     WAITED  RETURN FAULTS\n"
              "2026-11-21 12:00  10 min  5.0 GB  6.0 GB  9.0 GB  10.0 GB  1.0 GB  2.0 GB     0.10 %             12\n"
              "2026-11-21 12:10   1 min     0 B     0 B     0 B      0 B     0 B     0 B  not known              0\n");
    EXPECT_EQ(format_history({}, {}), "There is no history yet.\n");
}

TEST(Records, HistoryAsCsvHasEmptyCellsForWhatIsNotKnown) {
    EXPECT_EQ(history_csv({rows()[1]}),
              "start_unix_us,measured_s,opaque_bytes,transparent_bytes,soft_bytes,free_bytes,opaque_limit_bytes,"
              "transparent_limit_bytes,stall_share,return_faults\n"
              "1795263000000000,60,0,0,0,0,0,0,,0\n");
    EXPECT_NE(history_csv(rows()).find("10737418240,0.001,12\n"), std::string::npos);
}

TEST(Records, HistoryAsJson) {
    EXPECT_EQ(
        history_json("days", {rows()[1]}),
        "{\"resolution\": \"days\", \"rows\": [{\"start_unix_us\": 1795263000000000, \"measured_s\": 60, \"opaque_bytes\": 0, "
        "\"transparent_bytes\": 0, \"soft_bytes\": 0, \"free_bytes\": 0, \"opaque_limit_bytes\": 0, "
        "\"transparent_limit_bytes\": 0, \"stall_share\": null, \"return_faults\": 0}]}\n");
}

TEST(Records, DecisionsComeWithTheirReasons) {
    use_utc();
    const std::vector<wire::Decision> decisions{{noon_us - 60'000'000, noon_us, 7, "measured", "because\x1b"}};
    EXPECT_EQ(format_decisions(giving(), decisions, noon, {}),
              "giving: opaque needs 5.1 GB of 16 GB; 9.2 GB given\n"
              "\n"
              "FIRST  LAST   TIMES  KIND      WHY\n"
              "11:59  12:00      7  measured  because\\x1b\n");
    EXPECT_EQ(decisions_json(giving(), decisions),
              "{\"state\": \"giving\", \"reason\": \"opaque needs 5.1 GB of 16 GB; 9.2 GB given\", \"decisions\": "
              "[{\"first_unix_us\": 1795262340000000, \"last_unix_us\": 1795262400000000, \"times\": 7, \"kind\": \"measured\", "
              "\"reason\": \"because\\u001b\"}]}\n");
    EXPECT_NE(format_decisions(giving(), {}, noon, {}).find("No decision"), std::string::npos);
}

}  // namespace
}  // namespace tmm::ctl
