// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/presence/owner_presence.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

using core::Seconds;
using std::chrono::seconds;

const std::string interrupts =
    "           CPU0       CPU1\n"
    "  1:       9000         12  IR-IO-APIC    1-edge      i8042\n"
    "  8:          0          0  IR-IO-APIC    8-edge      rtc0\n"
    " 12:         10          5  IR-IO-APIC   12-edge      i8042, i801_smbus\n"
    " 16:         10          5  IR-IO-APIC   16-fasteoi   i801_smbus, i8042\n"
    " 51:      77777          1  IR-IO-APIC   51-fasteoi   ELAN1200:00\n"
    "130:        500          0  IR-PCI-MSI 327680-edge    xhci_hcd\n"
    "LOC:     100000     200000   Local timer interrupts\n";

TEST(InputInterrupts, OnlyThoseThatPeopleCause) {
    EXPECT_EQ(parse_input_interrupts(interrupts, {"ELAN1200:00"}),
              (InputCounters{{"interrupt 1:", 9012}, {"interrupt 51:", 77778}}));
    EXPECT_EQ(parse_input_interrupts(interrupts, {}), (InputCounters{{"interrupt 1:", 9012}}));
}

TEST(InputInterrupts, AnyTextIsRead) {
    EXPECT_TRUE(parse_input_interrupts("", {}).empty());
    EXPECT_TRUE(parse_input_interrupts("i8042\n:\n1:\n1: i8042x\nx i8042\n", {}).empty());
    EXPECT_EQ(parse_input_interrupts("1: i8042", {}), (InputCounters{{"interrupt 1:", 0}}));
    EXPECT_EQ(parse_input_interrupts("1: 99999999999999999999999 5 i8042", {}), (InputCounters{{"interrupt 1:", 5}}));
}

class OwnerPresenceTest : public testing::Test {
protected:
    // Returns the time without input, a minute later.
    std::optional<Seconds> next_minute() { return presence_.idle_for(now_ += seconds(60)); }
    void typed_at(const std::string& terminal, std::int64_t second) {
        tree_.file(terminal, "");
        const std::array<timespec, 2> times{{{second, 0}, {0, UTIME_OMIT}}};
        ASSERT_EQ(::utimensat(AT_FDCWD, (tree_.path() / terminal).c_str(), times.data(), 0), 0);
    }
    // In sysfs these are links; here directories serve as well.
    void usb(const std::string& interface, const std::string& usb_class, const std::string& protocol) {
        const std::string path = "sys/bus/usb/devices/" + interface;
        tree_.file(path + "/bInterfaceClass", usb_class + "\n").file(path + "/bInterfaceProtocol", protocol + "\n");
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    OwnerPresence presence_{root_};
    core::ElapsedTime now_{seconds(1000)};
};

TEST_F(OwnerPresenceTest, WithoutAnyCounterNobodyCanTell) {
    EXPECT_EQ(next_minute(), std::nullopt);
    tree_.file("proc/interrupts", "LOC: 1 2 Local timer interrupts\n");
    EXPECT_EQ(next_minute(), std::nullopt);
}

// Each machine has a console, and the owner may use a Bluetooth keyboard or a remote desktop alone.
TEST_F(OwnerPresenceTest, CountersThatNeverMovedMayTellNothing) {
    tree_.file("proc/interrupts", interrupts);
    typed_at("dev/tty1", 500);
    EXPECT_EQ(next_minute(), std::nullopt);
    EXPECT_EQ(next_minute(), std::nullopt);
    typed_at("dev/pts/3", 500);
    EXPECT_EQ(next_minute(), std::nullopt) << "programs open terminals, too";
    typed_at("dev/tty1", 560);
    EXPECT_EQ(next_minute(), Seconds(0));
    EXPECT_EQ(next_minute(), Seconds(60));
}

TEST_F(OwnerPresenceTest, AKeyPressed) {
    tree_.file("proc/interrupts", " 1: 5 IO-APIC 1-edge i8042\n");
    next_minute();
    next_minute();
    tree_.file("proc/interrupts", " 1: 6 IO-APIC 1-edge i8042\n");
    EXPECT_EQ(next_minute(), Seconds(0));
    EXPECT_EQ(next_minute(), Seconds(60));
}

TEST_F(OwnerPresenceTest, ATouchPadOnI2c) {
    tree_.dir("sys/bus/i2c/drivers/i2c_hid_acpi/i2c-ELAN1200:00");
    tree_.file("proc/interrupts", "51: 5 IO-APIC 51-fasteoi ELAN1200:00\n");
    next_minute();
    tree_.file("proc/interrupts", "51: 8 IO-APIC 51-fasteoi ELAN1200:00\n");
    EXPECT_EQ(next_minute(), Seconds(0));
}

TEST_F(OwnerPresenceTest, AUsbMouse) {
    usb("1-2:1.0", "03", "02");
    tree_.file("sys/bus/usb/devices/1-2/urbnum", "100\n");
    next_minute();
    tree_.file("sys/bus/usb/devices/1-2/urbnum", "101\n");
    EXPECT_EQ(next_minute(), Seconds(0));
}

TEST_F(OwnerPresenceTest, OtherUsbDevicesTellNothing) {
    usb("1-3:1.0", "03", "00");  // a power supply that reports on its own
    tree_.file("sys/bus/usb/devices/1-3/urbnum", "100\n");
    usb("1-4:1.0", "03", "01");  // a headset with keys
    usb("1-4:1.1", "01", "00");
    tree_.file("sys/bus/usb/devices/1-4/urbnum", "100\n");
    usb("1-5:1.0", "08", "50");  // a disk
    tree_.file("sys/bus/usb/devices/1-5/urbnum", "100\n");
    EXPECT_EQ(next_minute(), std::nullopt);
}

TEST_F(OwnerPresenceTest, Terminals) {
    typed_at("dev/pts/3", 500);
    typed_at("dev/tty2", 500);
    next_minute();
    typed_at("dev/pts/3", 560);
    EXPECT_EQ(next_minute(), Seconds(0));
    EXPECT_EQ(next_minute(), Seconds(60));
    typed_at("dev/tty2", 560);
    EXPECT_EQ(next_minute(), Seconds(0));
    EXPECT_EQ(next_minute(), Seconds(60));
    std::filesystem::remove(tree_.path() / "dev/pts/3");
    EXPECT_EQ(next_minute(), Seconds(120)) << "a device that goes away shows no presence";
    typed_at("dev/pts/4", 1);
    EXPECT_EQ(next_minute(), Seconds(0)) << "somebody opened a terminal";
    typed_at("dev/ttyS0", 1);
    typed_at("dev/pts/ptmx", 1);
    EXPECT_EQ(next_minute(), Seconds(60)) << "not a person's terminal";
}

TEST_F(OwnerPresenceTest, LooksEveryFiveSecondsAtMost) {
    typed_at("dev/pts/3", 500);
    next_minute();
    typed_at("dev/pts/3", 560);
    next_minute();
    typed_at("dev/pts/3", 620);
    EXPECT_EQ(presence_.idle_for(now_ + seconds(4)), Seconds(4));
    EXPECT_EQ(presence_.idle_for(now_ + seconds(4), Seconds(4)), Seconds(0)) << "unless the caller cannot wait";
    EXPECT_EQ(presence_.idle_for(now_ + seconds(5)), Seconds(1));
}

}  // namespace
}  // namespace tmm::os
