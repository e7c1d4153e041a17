// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/short_spin.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

int nr_spins(ShortSpin& spin, int nr_waits, bool has_come) {
    int nr = 0;
    for (int i = 0; i < nr_waits; ++i) {
        if (!spin.is_worthwhile())
            continue;
        ++nr;
        spin.ended(has_come);
    }
    return nr;
}

TEST(ShortSpinTest, IsRareWhileNoAnswerComes) {
    ShortSpin spin;
    EXPECT_EQ(nr_spins(spin, 100, true), 100);
    EXPECT_LE(nr_spins(spin, 6400, false), 101);
    EXPECT_GE(nr_spins(spin, 6400, true), 6300) << "once it pays again";
}

}  // namespace
}  // namespace tmm::far
