// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/units.hpp"

namespace tmm::far {

std::string advice(const Watched& watched, std::uint64_t local_bytes, const std::string& refusal) {
    const auto peak = static_cast<double>(watched.peak_bytes);
    const auto local = static_cast<double>(local_bytes);
    const double compressed = watched.compressed;
    const std::string measured = "the command had up to " + format_bytes(watched.peak_bytes) + " of " +
                                 format_bytes(local_bytes) + "; its pages shrink to about " + format_fixed(compressed * 100, 0) +
                                 " %\n";
    if (peak <= local)
        return measured + "neither swap nor far memory: it fits\n";
    // What is not compressed, if both parts fill local memory. With less than half of it, most accesses would decompress.
    const double plain = compressed < 1 ? (local - peak * compressed) / (1 - compressed) : 0;
    if (plain >= local / 2)
        return measured + "zram or zswap: compressed, all of it fits, and a page comes back sooner than from a store\n";
    const std::string rest = format_bytes(watched.peak_bytes - local_bytes);
    if (!refusal.empty())
        return measured + "swap of " + rest + ": far memory is impossible (" + refusal + ")\n";
    return measured + "far memory: even compressed it does not fit well; the store needs " + rest + "\n";
}

double compressed_share(std::string_view page) {
    std::array<std::uint32_t, 256> counts{};
    for (const char c : page)
        ++counts[static_cast<unsigned char>(c)];
    double bits = 0;
    for (const std::uint32_t count : counts) {
        if (count > 0)
            bits -= count * std::log2(count / static_cast<double>(page.size()));
    }
    std::vector<std::uint64_t> words(page.size() / sizeof(std::uint64_t));
    if (words.empty())
        return 1;
    std::memcpy(words.data(), page.data(), words.size() * sizeof words[0]);
    std::sort(words.begin(), words.end());
    const auto nr_words = static_cast<double>(words.size());
    const auto nr_different = static_cast<double>(std::unique(words.begin(), words.end()) - words.begin());
    return std::min({1.0, bits / 8 / static_cast<double>(page.size()), nr_different / nr_words});
}

}  // namespace tmm::far
