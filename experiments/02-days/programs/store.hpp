// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Store: where missed pages come from, and what one costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tmm::days {

inline constexpr std::uint64_t page_bytes = 4096;

struct Store {
    std::string name;
    double anonymous_s = 0;  // seconds a missed page
    double file_s = 0;
    double compressed = 0;  // what an evicted anonymous page takes of memory, in pages
};

// hdd, sata, nvme or zram, whose files are on nvme. compressed: for zram.
std::optional<Store> store_named(std::string_view name, double compressed);

}  // namespace tmm::days
