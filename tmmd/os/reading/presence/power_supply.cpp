// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/presence/power_supply.hpp"

#include "base/units.hpp"

namespace tmm::os {

namespace {

constexpr const char* directory = "sys/class/power_supply";

std::string word(const RootDir& root, const std::string& path) {
    const auto text = root.read_file(path, 4096);
    return text ? std::string(trim(*text)) : std::string();
}

}  // namespace

std::optional<bool> runs_on_mains(const std::vector<PowerSupply>& supplies) {
    bool has_battery = false;
    bool discharging = false;
    bool charging = false;
    bool full = false;
    bool idle_charger = false;
    for (const PowerSupply& supply : supplies) {
        if (supply.scope == "Device")
            continue;
        if (supply.type == "Battery" || supply.type == "UPS") {
            has_battery = true;
            discharging |= supply.status == "Discharging";
            charging |= supply.status == "Charging";
            full |= supply.status == "Full" || supply.status == "Not charging";
        } else if (supply.type == "Mains" || supply.type == "USB" || supply.type == "Wireless") {
            if (supply.online == "1")
                return true;
            // A port that could charge, on a machine without a battery, does not mean that mains are missing.
            idle_charger |= supply.online == "0";
        }
    }
    if (!has_battery)
        return true;
    if (discharging)
        return false;
    // Some firmware calls a charger offline, or has none for the port in use.
    if (charging)
        return true;
    if (idle_charger)
        return false;
    return full ? std::optional(true) : std::nullopt;
}

std::optional<bool> read_on_mains(const RootDir& root) {
    const auto names = root.list_names(directory);
    if (!names)
        return root.exists(directory) ? std::nullopt : std::optional(true);
    std::vector<PowerSupply> supplies;
    for (const std::string& name : *names) {
        const std::string path = std::string(directory) + "/" + name + "/";
        supplies.push_back({.type = word(root, path + "type"),
                            .scope = word(root, path + "scope"),
                            .online = word(root, path + "online"),
                            .status = word(root, path + "status")});
    }
    return runs_on_mains(supplies);
}

}  // namespace tmm::os
