// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/top.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

TEST(Top, BiggestProcessesComeFirstByClass) {
    EXPECT_EQ(format_top(giving(), two_contributions(), four_processes(), noon, {false, false, 60, 0}),
              "giving: opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB\n"
              "[##################+++++++++++++++++++++++++++++++++.......]\n"
              "\n"
              "CONTRIBUTION  USER         MEMORY  STATE    WEIGHT\n"
              "povray        root        4.0 GiB  running     100\n"
              "-             4000000000  1.0 GiB  paused       50\n"
              "\n"
              "OPAQUE PROCESS  PID  USER   MEMORY\n"
              "big               9  root  3.0 GiB\n"
              "big              11  root  3.0 GiB\n"
              "small            10  root  1.0 GiB\n"
              "\n"
              "TRANSPARENT PROCESS  PID  USER   MEMORY\n"
              "povray                12  root  4.0 GiB\n");
}

TEST(Top, FitsTheWindow) {
    std::vector<wire::Contribution> contributions(100, two_contributions()[0]);
    std::vector<Process> processes;
    for (std::uint32_t i = 1; i <= 200; ++i)
        processes.push_back({i, 0, "p", i, i % 2 == 0});
    for (const std::size_t height : {12U, 24U, 50U}) {
        const std::string text = format_top(giving(), contributions, processes, noon, {true, false, 80, height});
        const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        EXPECT_LE(lines, height);
        EXPECT_GE(lines, height - 3) << "and uses it";
        // Where the first line takes two.
        const std::string narrow = format_top(giving(), contributions, processes, noon, {true, false, 40, height});
        EXPECT_LE(static_cast<std::size_t>(std::count(narrow.begin(), narrow.end(), '\n')) + 1, height);
    }
}

TEST(Top, JsonHoldsTheSame) {
    const std::string json = top_json(giving(), two_contributions(), four_processes());
    EXPECT_NE(json.find("\"opaque_processes\": [{\"pid\": 9, \"user_id\": 0, \"user\": \"root\", \"command\": \"big\", "
                        "\"memory_bytes\": 3221225472}, {\"pid\": 11"),
              std::string::npos);
    EXPECT_NE(json.find("\"transparent_processes\": [{\"pid\": 12"), std::string::npos);
    EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), 1) << "one line";
}

}  // namespace
}  // namespace tmm::ctl
