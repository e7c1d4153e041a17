// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/status.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

TEST(Status, IsShownForPeople) {
    use_utc();
    EXPECT_EQ(format_status(giving(), two_contributions(), noon, {false, false, 60, 0}),
              "giving: opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB\n"
              "[##################+++++++++++++++++++++++++++++++++.......]\n"
              "\n"
              "MEMORY          USED     LIMIT\n"
              "opaque (#)   5.0 GiB   6.0 GiB\n"
              "given (+)    9.0 GiB  10.0 GiB\n"
              "free (.)     2.0 GiB\n"
              "all         16.0 GiB\n"
              "\n"
              "Expected slowdown:  0.40 %\n"
              "Waited for memory:  not known\n"
              "Given so far:       1.5 GiB hours\n"
              "Conditions:         none\n"
              "Samples from:       tmm (the kernel has it)\n"
              "\n"
              "CONTRIBUTION  USER         MEMORY  STATE    WEIGHT\n"
              "povray        root        4.0 GiB  running     100\n"
              "-             4000000000  1.0 GiB  paused       50\n");
}

TEST(Status, FarMemoryStandsBesideTheMemoryOfAContribution) {
    auto contributions = two_contributions();
    contributions[0].far_bytes = 3 * gb;
    EXPECT_NE(format_contributions(contributions, {}, {}).find("4.0 GiB + 3.0 GiB far  running"), std::string::npos);
}

TEST(Status, SoftMemoryIsPartOfOpaque) {
    wire::Status status = giving();
    status.soft_bytes = gb;
    EXPECT_NE(format_status(status, {}, noon, {})
                  .find("opaque (#)     5.0 GiB   6.0 GiB\n"
                        "  of it soft   1.0 GiB\n"
                        "given (+)      9.0 GiB"),
              std::string::npos);
}

TEST(Status, PausesTellWhenTheyEnd) {
    use_utc();
    wire::Status status = giving();
    EXPECT_EQ(state_sentence(status, noon), "giving");
    status.state = "paused";
    status.paused_until_us = wire::until_resumed;
    EXPECT_EQ(state_sentence(status, noon), "paused until 'tmmctl resume'");
    status.paused_until_us = noon_us + 5400ULL * 1'000'000;
    EXPECT_EQ(state_sentence(status, noon), "paused until 13:30 (1 h 30 min more)");
}

TEST(Status, LimitsMayBeMissing) {
    EXPECT_EQ(format_limit(wire::no_limit), "none");
    EXPECT_EQ(format_limit(6 * gb), "6.0 GiB");
    EXPECT_EQ(format_share(wire::unknown_share), "not known");
}

TEST(Status, ReasonsAndNamesCannotSteerTheTerminal) {
    wire::Status status = giving();
    status.state = "gi\x1bving";
    status.reason = "\x1b[2Jgone\n";
    status.source = "\x07";
    auto contributions = two_contributions();
    contributions[0].name = "\x1b]0;title\x07";
    contributions[0].state = "\r";
    const std::string text = format_status(status, contributions, noon, {});
    for (const char c : {'\x1b', '\x07', '\r'})
        EXPECT_EQ(text.find(c), std::string::npos);
    EXPECT_NE(text.find("\\x1b[2Jgone\\x0a"), std::string::npos);
}

TEST(Status, JsonHasUnitsInItsNamesAndNullForWhatIsNot) {
    wire::Status status = giving();
    status.opaque_limit_bytes = wire::no_limit;
    EXPECT_EQ(
        status_json(status).str(),
        "{\"state\": \"giving\", "
        "\"reason\": \"opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB\", "
        "\"reason_code\": \"measured\", "
        "\"reason_values\": {\"histogram_kept\": true, \"need_bytes\": 4294967296, \"quiet_hours\": \"22:00-07:00\"}, "
        "\"paused_until_unix_us\": null, "
        "\"total_bytes\": 17179869184, \"opaque_bytes\": 5368709120, \"transparent_bytes\": 9663676416, "
        "\"free_bytes\": 2147483648, \"soft_bytes\": 0, \"opaque_limit_bytes\": null, \"transparent_limit_bytes\": 10737418240, "
        "\"expected_slowdown_share\": 0.004, \"measured_stall_share\": null, \"last_return_faults\": 0, "
        "\"given_byte_seconds\": 5798205849600, "
        "\"caps\": {\"max_bytes\": null, \"max_percent\": 100, \"only_when_idle\": false, \"only_on_mains\": false, "
        "\"quiet_hours\": null}, \"source\": \"tmm\", \"source_reason\": \"the kernel has it\", \"daemon_version\": \"0.1.0\"}");
    EXPECT_EQ(contributions_json({two_contributions()[1]}),
              "[{\"object\": \"/c/2\", \"name\": null, \"user_id\": 4000000000, \"user\": \"4000000000\", "
              "\"memory_bytes\": 1073741824, \"far_bytes\": 0, \"state\": \"paused\", \"weight\": 50}]");
}

TEST(Status, CapsAreOneSentence) {
    EXPECT_EQ(caps_sentence({}), "none");
    EXPECT_EQ(caps_sentence({4 * gb, 25, true, true, "22:00-07:00"}),
              "at most 4.0 GiB; at most 25.0 % of all memory; only while the owner is away; only on mains power; "
              "nothing during 22:00-07:00");
    EXPECT_EQ(format_caps({wire::no_limit, 25, false, true, ""}),
              "At most:            none\n"
              "At most, of all:    25.0 %\n"
              "Only when idle:     no\n"
              "Only on mains:      yes\n"
              "Quiet hours:        none\n");
}

TEST(Status, QuietExitStatusesAreOnesThatScriptsCanTellApart) {
    EXPECT_EQ(exit_of_state("giving"), 0);
    EXPECT_EQ(exit_of_state("waiting"), 10);
    EXPECT_EQ(exit_of_state("paused"), 11);
    EXPECT_EQ(exit_of_state("off"), 12);
    EXPECT_EQ(exit_of_state("trouble"), 13);
    EXPECT_EQ(exit_of_state("dreaming"), 14);
}

}  // namespace
}  // namespace tmm::ctl
