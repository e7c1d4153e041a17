// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/watch.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

using Kind = Event::Kind;

TEST(Watch, EachEventIsALine) {
    use_utc();
    EXPECT_EQ(format_event({}, giving(), noon_us, {}),
              "12:00:00  giving: opaque 5.0 GiB of 6.0 GiB, given 9.0 GiB of 10.0 GiB, free 2.0 GiB: "
              "opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB\n");
    EXPECT_EQ(format_event({Kind::notice, "pressure", "held\n"}, giving(), noon_us, {}),
              "12:00:00  notice (pressure): held\\x0a\n");
    EXPECT_EQ(format_event({Kind::contribution_added, "/c/1", ""}, giving(), noon_us, {}),
              "12:00:00  contribution /c/1 has started\n");
    EXPECT_EQ(format_event({Kind::contribution_removed, "/c/1", "pov\x1bray"}, giving(), noon_us, {}),
              "12:00:00  contribution pov\\x1bray has ended\n");
    EXPECT_EQ(format_event({Kind::daemon_gone, "", ""}, {}, noon_us, {}),
              "12:00:00  tmmd is gone: no limit is in force until it is back\n");
    EXPECT_TRUE(format_event({Kind::daemon_back, "", ""}, giving(), noon_us, {}).starts_with("12:00:00  tmmd is back, giving: "));
}

TEST(Watch, JsonHasAWordForEach) {
    EXPECT_TRUE(
        event_json({}, giving(), noon_us)
            .starts_with("{\"time_unix_us\": 1795262400000000, \"event\": \"changed\", \"status\": {\"state\": \"giving\""));
    EXPECT_EQ(event_json({Kind::notice, "pressure", "held"}, {}, 1),
              "{\"time_unix_us\": 1, \"event\": \"notice\", \"kind\": \"pressure\", \"text\": \"held\"}\n");
    EXPECT_EQ(event_json({Kind::contribution_added, "/c/1", ""}, {}, 1),
              "{\"time_unix_us\": 1, \"event\": \"contribution-added\", \"object\": \"/c/1\", \"name\": null}\n");
    EXPECT_EQ(event_json({Kind::contribution_removed, "/c/1", "povray"}, {}, 1),
              "{\"time_unix_us\": 1, \"event\": \"contribution-removed\", \"object\": \"/c/1\", \"name\": \"povray\"}\n");
    EXPECT_EQ(event_json({Kind::daemon_gone, "", ""}, {}, 1), "{\"time_unix_us\": 1, \"event\": \"daemon-gone\"}\n");
    EXPECT_NE(event_json({Kind::daemon_back, "", ""}, giving(), 1).find("\"daemon-back\", \"status\""), std::string::npos);
}

}  // namespace
}  // namespace tmm::ctl
