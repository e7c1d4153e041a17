// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/soft.hpp"

#include <gtest/gtest.h>

namespace tmm::ctl {
namespace {

const std::vector<wire::SoftHeap> heaps{{.process = 7,
                                         .user = 1000,
                                         .granted_bytes = 1 << 30,
                                         .used_bytes = 1 << 29,
                                         .footprint_bytes = std::uint64_t{3} << 30,
                                         .rebuilding = 0.25,
                                         .gain = 0.01,
                                         .hits = 0.9,
                                         .predicted = 0.875},
                                        {.process = 8, .user = 1000, .granted_bytes = 1 << 20, .rebuilding = 1.5, .gain = 0.5}};

TEST(Soft, ShowsWhoGainsMostFirst) {
    EXPECT_EQ(format_soft(heaps, {}, {{.pid = 7, .user = 1000, .command = "thumbnails"}}, {}),
              "PID  PROGRAM     MAY HAVE      HAS  COULD USE    HITS  PREDICTED  REBUILDING  100 MiB SAVE\n"
              "  8                 1 MiB      0 B        0 B   0.0 %      0.0 %     150.0 %        50.0 %\n"
              "  7  thumbnails   1.0 GiB  512 MiB    3.0 GiB  90.0 %     87.5 %      25.0 %         1.0 %\n");
    EXPECT_EQ(format_soft({}, {}, {}, {}), "No program with soft memory speaks to tmmd.\n");
}

const wire::SoftShares wishes{.max_bytes = std::uint64_t{2} << 30, .weights = {{1000, 200}}};

TEST(Soft, ShowsTheOwnersWishes) {
    EXPECT_EQ(format_soft({}, wishes, {}, {}),
              "No program with soft memory speaks to tmmd.\nAll together may have at most 2.0 GiB.\n"
              "User 1000 has weight 200; 100 is usual.\n");
}

TEST(Soft, IsAlsoJson) {
    EXPECT_EQ(soft_json({}, {}), "{\"heaps\": [], \"weights\": []}\n");
    EXPECT_NE(soft_json(heaps, {}).find("\"granted_bytes\": 1073741824"), std::string::npos);
    EXPECT_EQ(soft_json({}, wishes),
              "{\"heaps\": [], \"max_bytes\": 2147483648, \"weights\": [{\"user\": 1000, \"weight\": 200}]}\n");
}

}  // namespace
}  // namespace tmm::ctl
