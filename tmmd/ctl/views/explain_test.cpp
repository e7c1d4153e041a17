// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/explain.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

TEST(Explain, DecisionsComeWithTheirReasons) {
    use_utc();
    const std::vector<wire::Decision> decisions{{noon_us - 60'000'000, noon_us, 7, "measured", "because\x1b", {}, {}}};
    EXPECT_EQ(format_decisions(giving(), decisions, noon, {}),
              "giving: opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB\n"
              "\n"
              "FIRST  LAST   TIMES  KIND      WHY\n"
              "11:59  12:00      7  measured  because\\x1b\n");
    EXPECT_EQ(decisions_json(giving(), decisions),
              "{\"state\": \"giving\", \"reason\": \"opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are "
              "allowed 10.9 GiB\", "
              "\"reason_code\": \"measured\", "
              "\"reason_values\": {\"histogram_kept\": true, \"need_bytes\": 4294967296, \"quiet_hours\": \"22:00-07:00\"}, "
              "\"decisions\": "
              "[{\"first_unix_us\": 1795262340000000, \"last_unix_us\": 1795262400000000, \"times\": 7, \"kind\": \"measured\", "
              "\"reason\": \"because\\u001b\"}]}\n");
    EXPECT_NE(format_decisions(giving(), {}, noon, {}).find("No decision"), std::string::npos);
}

}  // namespace
}  // namespace tmm::ctl
