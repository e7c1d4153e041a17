// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "store.hpp"

namespace tmm::days {

std::optional<Store> store_named(std::string_view name, double compressed) {
    constexpr double hdd_s = 2.5e-3;
    constexpr double sata_s = 150e-6;
    constexpr double nvme_s = 90e-6;
    constexpr double zram_s = 6.7e-6;
    if (name == "hdd")
        return Store{"hdd", hdd_s, hdd_s, 0};
    if (name == "sata")
        return Store{"sata", sata_s, sata_s, 0};
    if (name == "nvme")
        return Store{"nvme", nvme_s, nvme_s, 0};
    if (name == "zram")
        return Store{"zram", zram_s, nvme_s, compressed};
    return {};
}

}  // namespace tmm::days
