// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/text/screen.hpp"

#include <gtest/gtest.h>

namespace tmm::ctl {
namespace {

Table contributions() {
    Table table({{"NAME", Table::Kind::shrinks}, {"MEMORY", Table::Kind::number}, {"STATE"}});
    table.add({"povray", "4.0 GiB", "running"});
    table.add({"a very long name of a contribution", "120 MiB", "paused"});
    return table;
}

TEST(Screen, ColoursAreOnlyForScreensThatHaveThem) {
    EXPECT_EQ(coloured({}, Colour::red, "x"), "x");
    EXPECT_EQ(coloured({true, true, 80, 24}, Colour::red, "x"), "\x1b[31mx\x1b[0m");
    EXPECT_EQ(coloured({true, true, 80, 24}, Colour::plain, "x"), "x");
}

TEST(Screen, TablesAreAligned) {
    EXPECT_EQ(contributions().format({}),
              "NAME                                 MEMORY  STATE\n"
              "povray                              4.0 GiB  running\n"
              "a very long name of a contribution  120 MiB  paused\n");
}

TEST(Screen, NarrowTablesAreCutWhereItHurtsLeast) {
    EXPECT_EQ(contributions().format({true, false, 30, 0}),
              "NAME           MEMORY  STATE\n"
              "povray        4.0 GiB  running\n"
              "a very long…  120 MiB  paused\n");
}

TEST(Screen, BlanksInCellsDoNotShiftTheOthers) {
    Table table({{"NAME", Table::Kind::shrinks}, {"N", Table::Kind::number}});
    table.add({"\x1b[2J", "1"});
    table.add({"größer", "22"});
    table.add({"你好"});
    EXPECT_EQ(table.format({}),
              "NAME      N\n"
              "\\x1b[2J   1\n"
              "größer   22\n"
              "你好\n");
}

TEST(Screen, BarsShowShares) {
    const Screen narrow{true, false, 12, 0};
    EXPECT_EQ(bar(narrow, {{50, '#'}, {30, '+'}, {20, '.'}}, 100), "[#####+++..]");
    EXPECT_EQ(bar(narrow, {{50, '#'}, {1, '+'}}, 100), "[#####+    ]") << "little is not nothing";
    EXPECT_EQ(bar(narrow, {{500, '#'}, {1, '+'}}, 100), "[##########]") << "numbers that do not fit together";
    EXPECT_EQ(bar(narrow, {{5, '#'}}, 0), "[          ]");
    EXPECT_EQ(bar({}, {{1, '#'}}, 1).size(), 72U);
    EXPECT_EQ(bar({true, true, 12, 0}, {{100, '#', Colour::blue}}, 100), "[\x1b[34m##########\x1b[0m]");
}

}  // namespace
}  // namespace tmm::ctl
