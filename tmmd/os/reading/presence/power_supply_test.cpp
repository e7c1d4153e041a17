// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/presence/power_supply.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

const PowerSupply plugged{"Mains", "", "1", ""};
const PowerSupply unplugged{"Mains", "", "0", ""};
const PowerSupply usb_port{"USB", "", "0", ""};
const PowerSupply usb_charger{"USB", "", "1", ""};

PowerSupply battery(const std::string& status) {
    return {"Battery", "System", "", status};
}

TEST(PowerSupply, ALaptop) {
    EXPECT_EQ(runs_on_mains({plugged, battery("Charging")}), true);
    EXPECT_EQ(runs_on_mains({plugged, battery("Discharging")}), true) << "a charger too weak is still mains";
    EXPECT_EQ(runs_on_mains({unplugged, battery("Discharging")}), false);
    EXPECT_EQ(runs_on_mains({unplugged, battery("Unknown")}), false);
    EXPECT_EQ(runs_on_mains({unplugged, usb_charger, battery("Charging")}), true);
    EXPECT_EQ(runs_on_mains({usb_port, usb_port, battery("Discharging")}), false);
}

// Chargers at ports that the kernel lists under no or another supply.
TEST(PowerSupply, ABatteryThatChargesHasMainsWhateverChargersSay) {
    EXPECT_EQ(runs_on_mains({unplugged, usb_port, battery("Charging")}), true);
    EXPECT_EQ(runs_on_mains({unplugged, battery("Full"), battery("Charging")}), true);
    EXPECT_EQ(runs_on_mains({unplugged, battery("Discharging"), battery("Charging")}), false) << "one fills the other";
    EXPECT_EQ(runs_on_mains({unplugged, battery("Full")}), false) << "it is full for a while after the plug is out";
    EXPECT_EQ(runs_on_mains({unplugged, battery("Not charging")}), false);
}

TEST(PowerSupply, ABatteryAloneTells) {
    EXPECT_EQ(runs_on_mains({battery("Discharging")}), false);
    EXPECT_EQ(runs_on_mains({battery("Charging")}), true);
    EXPECT_EQ(runs_on_mains({battery("Full")}), true);
    EXPECT_EQ(runs_on_mains({battery("Not charging")}), true);
    EXPECT_EQ(runs_on_mains({battery("Unknown")}), std::nullopt);
    EXPECT_EQ(runs_on_mains({battery("Full"), battery("Discharging")}), false);
}

TEST(PowerSupply, ADesktopHasNothingButMains) {
    EXPECT_EQ(runs_on_mains({}), true);
    EXPECT_EQ(runs_on_mains({{"Battery", "Device", "", "Discharging"}}), true) << "a mouse";
    EXPECT_EQ(runs_on_mains({usb_port}), true);
}

TEST(PowerSupply, AnUninterruptibleSupplyIsABattery) {
    EXPECT_EQ(runs_on_mains({{"UPS", "", "", "Discharging"}}), false);
    EXPECT_EQ(runs_on_mains({{"UPS", "", "", "Full"}}), true);
}

TEST(PowerSupply, IsReadBehindLinks) {
    TempTree tree;
    EXPECT_EQ(read_on_mains(tree.root()), true) << "a kernel without such a directory";
    tree.dir("sys/class/power_supply");
    EXPECT_EQ(read_on_mains(tree.root()), true);
    tree.file("sys/devices/AC/type", "Mains\n").file("sys/devices/AC/online", "0\n");
    tree.file("sys/devices/BAT0/type", "Battery\n").file("sys/devices/BAT0/status", "Discharging\n");
    for (const std::string name : {"AC", "BAT0"})
        std::filesystem::create_directory_symlink("../../devices/" + name, tree.path() / "sys/class/power_supply" / name);
    EXPECT_EQ(read_on_mains(tree.root()), false);
    tree.file("sys/devices/AC/online", "1\n");
    EXPECT_EQ(read_on_mains(tree.root()), true);
}

}  // namespace
}  // namespace tmm::os
