// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether the machine runs on mains power, by /sys/class/power_supply. Stateless.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/root_dir.hpp"

namespace tmm::os {

// A directory of /sys/class/power_supply; words as the kernel writes them, empty where there is no such file.
struct PowerSupply {
    std::string type;    // "Mains", "USB", "Battery", "UPS", ...
    std::string scope;   // "Device": of a mouse or the like, not of the machine
    std::string online;  // "1": delivers power
    std::string status;  // of a battery: "Charging", "Discharging", "Full", "Not charging", "Unknown"
};

// Pure. A charger that delivers means mains; without one, a battery that is discharged, or a charger that does not deliver beside
// a battery, means none. A machine with neither charger nor battery has nothing but mains. Nothing: batteries that do not know.
std::optional<bool> runs_on_mains(const std::vector<PowerSupply>& supplies);

// Nothing: not known. A kernel without the directory knows of no battery.
std::optional<bool> read_on_mains(const RootDir& root);

}  // namespace tmm::os
