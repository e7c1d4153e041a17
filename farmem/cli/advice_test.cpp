// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/advice.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tmm::far {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

// Returns the advice without what was measured.
std::string choice(std::uint64_t peak_bytes, double compressed) {
    const std::string text = advice({peak_bytes, compressed}, 4 * gib, "");
    const std::string last = text.substr(text.find('\n') + 1);
    return last.substr(0, last.find(':'));
}

TEST(AdviceTest, NeedsNothingForWhatFits) {
    EXPECT_EQ(choice(4 * gib, 0.1), "neither swap nor far memory");
}

TEST(AdviceTest, PrefersZramWhileEnoughStaysPlain) {
    EXPECT_EQ(choice(5 * gib, 0.3), "zram or zswap");
    EXPECT_EQ(choice(9 * gib, 0.3), "far memory");
    EXPECT_EQ(choice(40 * gib, 0.3), "far memory");
    EXPECT_EQ(choice(40 * gib, 0), "zram or zswap") << "zeros";
    EXPECT_EQ(choice(5 * gib, 1), "far memory");
}

TEST(AdviceTest, SaysWhatWasMeasuredAndWhyFarMemoryIsImpossible) {
    EXPECT_EQ(advice({6 * gib, 1}, 4 * gib, "it is static"),
              "the command had up to 6.0 GiB of 4.0 GiB; its pages shrink to about 100 %\n"
              "swap of 2.0 GiB: far memory is impossible (it is static)\n");
}

TEST(CompressedShareTest, IsSmallForWhatRepeats) {
    EXPECT_EQ(compressed_share(std::string(4096, '\0')), 0);
    std::string text;
    while (text.size() < 4096)
        text += "name=value, another=" + std::to_string(text.size()) + "\n";
    EXPECT_GT(compressed_share(text.substr(0, 4096)), 0.2);
    EXPECT_LT(compressed_share(text.substr(0, 4096)), 0.6);
    std::mt19937 random(1);
    std::string noise;
    while (noise.size() < 4096)
        noise += static_cast<char>(random());
    EXPECT_GT(compressed_share(noise), 0.95);
    EXPECT_EQ(compressed_share(""), 1);
}

}  // namespace
}  // namespace tmm::far
