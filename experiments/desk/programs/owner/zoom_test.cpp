// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "zoom.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tmm::desk {
namespace {

TEST(Zoom, EveryEighthInteractionShowsAll) {
    for (const std::uint64_t step : {0U, 8U, 800U}) {
        EXPECT_EQ(zoom_window(step, 1000).from, 0);
        EXPECT_EQ(zoom_window(step, 1000).to, 1000);
    }
}

TEST(Zoom, StaysOnTheAxisAndChangesPlaces) {
    std::set<double> places;
    for (std::uint64_t step = 0; step < 800; ++step) {
        const Window window = zoom_window(step, 1e6);
        EXPECT_GE(window.from, 0);
        EXPECT_LT(window.from, window.to);
        EXPECT_LE(window.to, 1e6);
        places.insert(window.from);
    }
    EXPECT_GT(places.size(), 500U);
}

TEST(Zoom, Commands) {
    EXPECT_EQ(zoom_commands({10.4, 20.6}, "done"), "set output '/dev/null'\nset xrange [10:21]\nrefresh\nprint 'done'\n");
    const std::string load = load_commands("d.bin", 2800000, "done");
    EXPECT_NE(load.find("plot 'd.bin' binary array=(2800000) format='%float'"), std::string::npos) << load;
    EXPECT_TRUE(load.ends_with("print 'done'\n"));
}

}  // namespace
}  // namespace tmm::desk
