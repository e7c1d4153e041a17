// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads from /sys/class/power_supply whether the machine runs on mains power. Stateless.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/root_dir.hpp"

namespace tmm::os {

// PowerSupply: a directory of /sys/class/power_supply, with words as the kernel writes them; empty if the file is missing.
struct PowerSupply {
    std::string type;    // "Mains", "USB", "Battery", "UPS", ...
    std::string scope;   // "Device": of a mouse or the like, not of the machine
    std::string online;  // "1": delivers power
    std::string status;  // of a battery: "Charging", "Discharging", "Full", "Not charging", "Unknown"
};

// Returns whether the machine is on mains power. A charger that delivers means mains. Without one, a discharging battery means no
// mains, else a charging one means mains, else a charger that does not deliver, beside a battery, means no mains. A machine with
// neither charger nor battery is on mains. Nothing: batteries with unknown status. Pure.
std::optional<bool> runs_on_mains(const std::vector<PowerSupply>& supplies);

// Reads all supplies and decides as above. Nothing: not known. A kernel without the directory knows of no battery.
std::optional<bool> read_on_mains(const RootDir& root);

}  // namespace tmm::os
