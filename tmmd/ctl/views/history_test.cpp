// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/history.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

std::vector<wire::HistoryRow> rows() {
    return {{noon_us, 600, 5 * gb, 9 * gb, 2 * gb, 6 * gb, 10 * gb, 0.001, 12},
            {noon_us + 600'000'000, 60, 0, 0, 0, 0, 0, wire::unknown_share, 0}};
}

TEST(History, IsATable) {
    use_utc();
    EXPECT_EQ(format_history(rows(), {}),
              "FROM                 FOR   OPAQUE    LIMIT    GIVEN     LIMIT     FREE     WAITED  RETURN FAULTS\n"
              "2026-11-21 12:00  10 min  5.0 GiB  6.0 GiB  9.0 GiB  10.0 GiB  2.0 GiB     0.10 %             12\n"
              "2026-11-21 12:10   1 min      0 B      0 B      0 B       0 B      0 B  not known              0\n");
    EXPECT_EQ(format_history({}, {}), "There is no history yet.\n");
}

TEST(History, AsCsvHasEmptyCellsForWhatIsNotKnown) {
    EXPECT_EQ(history_csv({rows()[1]}),
              "start_unix_us,measured_s,opaque_bytes,transparent_bytes,free_bytes,opaque_limit_bytes,"
              "transparent_limit_bytes,stall_share,return_faults\n"
              "1795263000000000,60,0,0,0,0,0,,0\n");
    EXPECT_NE(history_csv(rows()).find("10737418240,0.001,12\n"), std::string::npos);
}

TEST(History, AsJson) {
    EXPECT_EQ(
        history_json("days", {rows()[1]}),
        "{\"resolution\": \"days\", \"rows\": [{\"start_unix_us\": 1795263000000000, \"measured_s\": 60, \"opaque_bytes\": 0, "
        "\"transparent_bytes\": 0, \"free_bytes\": 0, \"opaque_limit_bytes\": 0, "
        "\"transparent_limit_bytes\": 0, \"stall_share\": null, \"return_faults\": 0}]}\n");
}

}  // namespace
}  // namespace tmm::ctl
