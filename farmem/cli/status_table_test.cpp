// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/status_table.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

TEST(StatusTableTest, ShowsALineForEachProgram) {
    EXPECT_EQ(
        status_table("sort limit=1073741824 local=1048576 far=0 write-list=4096 faults/s=12 p50-us=8.5 p99-us=90.0 slot-hits=3 "
                     "fetches=1 waiting=1.5 link-share-now=0.254 store=memory\nx odd =\n\n"),
        "NAME            LIMIT     LOCAL     FAR       WRITING   FAULTS/S  P50 us    P99 us    WAITING   LINK      HITS      "
        "STORE\n"
        "sort            1.0 GiB   1 MiB     0 B       4 KiB     12        8.5       90.0      1.5       25 %      75 %      "
        "memory\n"
        "x               -         -         -         -         -         -         -         -         -         -         "
        "-\n");
}

TEST(StatusTableTest, OfNoProgramsIsTheHeader) {
    EXPECT_EQ(status_table(""),
              "NAME            LIMIT     LOCAL     FAR       WRITING   FAULTS/S  P50 us    P99 us    WAITING   LINK      HITS    "
              "  STORE\n");
}

}  // namespace
}  // namespace tmm::far
