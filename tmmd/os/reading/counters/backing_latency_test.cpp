// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/backing_latency.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <limits>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

using std::chrono::milliseconds;

constexpr const char* swaps_header = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

// A line as Linux 6.12 writes it.
std::string line(const std::string& number, const std::string& name, std::uint64_t reads, std::uint64_t ms) {
    return number + " " + name + " " + std::to_string(reads) + " 11 2222 " + std::to_string(ms) +
           " 1 2 3 4 0 5 6 7 8 9 10 11 12\n";
}

std::string number_of_file_system(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return std::to_string(::major(status.st_dev)) + " " + std::to_string(::minor(status.st_dev));
}

void expect(const ReadStats& found, std::uint64_t reads, std::uint64_t ms, const char* what) {
    EXPECT_EQ(found.reads, reads) << what;
    EXPECT_EQ(found.time, milliseconds(ms)) << what;
}

// Makes a machine with a disk vda of two partitions.
class Machine {
public:
    Machine() : root_(tree_.root()) {
        tree_.dir("sys/block/vda/vda1").dir("sys/block/vda/vda2").dir("sys/block/vda/slaves");
        swaps("");
    }
    void disks(const std::string& lines) { tree_.file("proc/diskstats", lines); }
    void swaps(const std::string& lines) { tree_.file("proc/swaps", swaps_header + lines); }
    TempTree& tree() { return tree_; }
    [[nodiscard]] const RootDir& root() const { return root_; }

private:
    TempTree tree_;
    RootDir root_;
};

TEST(ParseDiskstats, TakesReadsAndTheirTime) {
    const auto devices = parse_diskstats(
        " 259       0 nvme0n1 100 20 3000 44 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
        "   8       1 sda1 4294967296 0 0 4294967295 1 2 3 4 5 6 7\n"
        "  72       0 cciss/c0d0 1 2 3 4");
    ASSERT_TRUE(devices);
    ASSERT_EQ(devices->size(), 3U);
    EXPECT_EQ((*devices)[0].major, 259U);
    EXPECT_EQ((*devices)[0].minor, 0U);
    EXPECT_EQ((*devices)[0].name, "nvme0n1");
    EXPECT_EQ((*devices)[0].counters.reads, 100U);
    EXPECT_EQ((*devices)[0].counters.milliseconds, 44U);
    EXPECT_EQ((*devices)[1].counters.reads, 4294967296U);
    EXPECT_EQ((*devices)[1].counters.milliseconds, 4294967295U);
    EXPECT_EQ((*devices)[2].name, "cciss/c0d0");
    EXPECT_EQ((*devices)[2].counters.milliseconds, 4U);
    EXPECT_TRUE(parse_diskstats("").value().empty()) << "a machine without disks";
}

TEST(ParseDiskstats, MalformedLinesAreErrorsWithTheirNumber) {
    for (const char* bad :
         {"\n", "8\n", "8 1\n", "8 1 sda1\n", "8 1 sda1 5\n", "8 1 sda1 5 6 7\n", "8 1 sda1 x 6 7 8\n", "8 1 sda1 5 6 7 -8\n",
          "8 1 sda1 99999999999999999999 6 7 8\n", "8 1 sda1 5 6 7 99999999999999999999\n", "x 1 sda1 5 6 7 8\n",
          "4096 1 sda1 5 6 7 8\n", "8 1048576 sda1 5 6 7 8\n", "sda1 5 6 7 8\n"}) {
        const auto devices = parse_diskstats("8 0 sda 1 2 3 4\n" + std::string(bad));
        ASSERT_FALSE(devices) << bad;
        EXPECT_TRUE(devices.error().message().starts_with("line 2: ")) << devices.error().message();
    }
}

TEST(ParseSwaps, TakesPathAndType) {
    const auto areas = parse_swaps(std::string(swaps_header) +
                                   "/dev/vda2                               partition\t1048572\t\t0\t\t-2\n"
                                   "/a\\040file\\134\\011x\\040(deleted)          file\t\t1\t\t0\t\t-3");
    ASSERT_TRUE(areas);
    ASSERT_EQ(areas->size(), 2U);
    EXPECT_EQ((*areas)[0].path, "/dev/vda2");
    EXPECT_FALSE((*areas)[0].is_file);
    EXPECT_EQ((*areas)[1].path, "/a file\\\tx (deleted)");
    EXPECT_TRUE((*areas)[1].is_file);
    EXPECT_TRUE(parse_swaps(swaps_header).value().empty());
    EXPECT_TRUE(parse_swaps(swaps_header + std::string("none virtual 2097152 0 0\n"))->front().is_file) << "no device";
}

TEST(ParseSwaps, MalformedTextIsAnErrorWithItsLine) {
    for (const char* bad : {"", "\n", "/dev/vda2 partition 1 0 -2\n", "Filenames Type\n"})
        EXPECT_TRUE(parse_swaps(bad).error().message().starts_with("line 1: ")) << bad;
    for (const char* bad : {"\n", "/dev/vda2\n", "/dev/vda2 ", "\\ file\n", "\\04 file\n", "\\08x file\n", "\\777 file\n", "x\\"})
        EXPECT_TRUE(parse_swaps(swaps_header + std::string(bad)).error().message().starts_with("line 2: ")) << bad;
}

TEST(CountersSince, AreWhatIsNew) {
    const auto since = [](ReadCounters now, ReadCounters before) {
        const ReadCounters found = counters_since(now, before);
        return std::pair(found.reads, found.milliseconds);
    };
    using Pair = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(since({15, 130}, {10, 100}), Pair(5, 30));
    EXPECT_EQ(since({15, 130}, {15, 130}), Pair(0, 0));
    EXPECT_EQ(since({3, 130}, {10, 100}), Pair(3, 130)) << "another device under the same name";
    EXPECT_EQ(since({15, 20}, {10, 100}), Pair(15, 20)) << "another device with more reads";
    EXPECT_EQ(since({15, 20}, {10, 4294967290U}), Pair(5, 26)) << "a 32-bit overflow";
    EXPECT_EQ(since({15, 20}, {10, std::numeric_limits<std::uint64_t>::max()}), Pair(15, 20)) << "more than 32 bits";
}

TEST(BackingLatency, TheFirstCallStartsTheCount) {
    Machine machine;
    machine.disks(line("254 0", "vda", 1000, 5000));
    BackingLatency latency(machine.root());
    for (int call = 0; call < 2; ++call) {
        const auto found = latency.read_delta().value();
        expect(found.file, 0, 0, "file");
        expect(found.anonymous_disk, 0, 0, "disk");
        expect(found.anonymous_zram, 0, 0, "zram");
    }
    machine.disks(line("254 0", "vda", 1010, 5025));
    expect(latency.read_delta().value().file, 10, 25, "file");
}

TEST(BackingLatency, TellsSwapPartitionZramAndFilesApart) {
    Machine machine;
    machine.tree().dir("sys/block/zram0/slaves").dir("sys/block/zram1/slaves");
    machine.swaps("/dev/vda2 partition 1 0 -2\n/dev/zram0 partition 1 0 100\n");
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 100, 1000) + line("254 1", "vda1", 60, 400) + line("254 2", "vda2", 40, 600) +
                  line("253 0", "zram0", 5000, 15) + line("253 1", "zram1", 7, 7));
    const auto found = latency.read_delta().value();
    expect(found.file, 60, 400, "file");
    expect(found.anonymous_disk, 40, 600, "disk");
    expect(found.anonymous_zram, 5000, 15, "zram; zram1 is a file system");
}

TEST(BackingLatency, CountsNothingTwice) {
    Machine machine;
    machine.tree().dir("sys/block/dm-0/slaves/vda1").dir("sys/block/loop0/slaves").dir("sys/block/ram0/slaves");
    machine.tree().dir("sys/block/nvme0n1").dir("sys/block/cciss!c0d0/slaves");
    machine.tree().file("sys/block/nvme0n1/hidden", "0\n").file("sys/block/nvme0c0n1/hidden", "1\n");
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 1, 10) + line("254 1", "vda1", 2, 2) + line("253 0", "dm-0", 4, 4) +
                  line("7 0", "loop0", 8, 8) + line("1 0", "ram0", 16, 16) + line("259 1", "nvme0n1", 32, 20) +
                  line("259 0", "nvme0c0n1", 64, 64) + line("72 0", "cciss/c0d0", 128, 40));
    expect(latency.read_delta().value().file, 1 + 32 + 128, 10 + 20 + 40, "vda, nvme0n1 and cciss/c0d0");
}

TEST(BackingLatency, ADiskThatIsSwapHoldsNoFiles) {
    Machine machine;
    machine.tree().dir("sys/block/vdb/slaves");
    machine.swaps("/dev/vdb partition 1 0 -2\n");
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 10, 100) + line("254 16", "vdb", 500, 900));
    const auto found = latency.read_delta().value();
    expect(found.file, 10, 100, "file");
    expect(found.anonymous_disk, 500, 900, "disk");
}

TEST(BackingLatency, EncryptedSwapIsNotTakenFromItsDisk) {
    Machine machine;
    machine.tree().dir("sys/block/dm-1/slaves/vda2");
    machine.swaps("/dev/dm-1 partition 1 0 -2\n");
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 100, 200) + line("253 1", "dm-1", 120, 260));
    const auto found = latency.read_delta().value();
    expect(found.file, 100, 200, "file");
    expect(found.anonymous_disk, 120, 260, "disk");
}

TEST(BackingLatency, SwapFilesCountAsTheDeviceOfTheirFileSystem) {
    Machine machine;
    machine.tree().file("swap one", "").file("swaptwo", "");
    const std::string number = number_of_file_system(machine.tree().path() / "swaptwo");
    machine.swaps("/swap\\040one file 1 0 -2\n/swaptwo file 1 0 -3\n");
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("4095 0", "vda", 100, 1000) + line(number, "vda1", 60, 400));
    const auto found = latency.read_delta().value();
    expect(found.anonymous_disk, 60, 400, "disk, once for both");
    expect(found.file, 100, 1000, "file");
}

TEST(BackingLatency, ASwapFileOnNoDeviceOrOutOfSightCountsAsAllDisks) {
    for (const char* area : {"/swapfile file 1 0 -2\n", "/gone\\040(deleted) file 1 0 -2\n"}) {
        Machine machine;
        machine.tree().file("swapfile", "");
        machine.swaps(area);
        machine.disks("");
        BackingLatency latency(machine.root());
        ASSERT_TRUE(latency.read_delta());
        // No file system has this device number.
        machine.disks(line("4095 1048575", "vda", 100, 1000));
        const auto found = latency.read_delta().value();
        expect(found.anonymous_disk, 100, 1000, area);
        expect(found.file, 100, 1000, area);
    }
}

TEST(BackingLatency, DevicesComeAndGo) {
    Machine machine;
    machine.tree().dir("sys/block/sda/slaves");
    machine.swaps("/dev/sda partition 1 0 -2\n/dev/unplugged partition 1 0 -3\n");
    machine.disks(line("254 0", "vda", 100, 1000) + line("8 0", "sda", 100, 1000));
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 101, 1010));
    expect(latency.read_delta().value().anonymous_disk, 0, 0, "gone");
    machine.disks(line("254 0", "vda", 101, 1010) + line("8 0", "sda", 7, 70));
    const auto back = latency.read_delta().value();
    expect(back.anonymous_disk, 7, 70, "back");
    expect(back.file, 0, 0, "file");
}

TEST(BackingLatency, WithoutSwapOnlyFilesAreRead) {
    Machine machine;
    std::filesystem::remove(machine.tree().path() / "proc/swaps");
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 100, 1000));
    const auto found = latency.read_delta().value();
    expect(found.file, 100, 1000, "file");
    expect(found.anonymous_disk, 0, 0, "disk");
}

TEST(BackingLatency, AnAbsurdTimeIsTheLongestThereIs) {
    Machine machine;
    machine.disks("");
    BackingLatency latency(machine.root());
    ASSERT_TRUE(latency.read_delta());
    machine.disks(line("254 0", "vda", 1, std::numeric_limits<std::uint64_t>::max()));
    EXPECT_GT(latency.read_delta().value().file.time, std::chrono::hours(24) * 365 * 290);
}

TEST(BackingLatency, ErrorsNameTheFileAndLoseNothing) {
    Machine machine;
    BackingLatency latency(machine.root());
    EXPECT_EQ(latency.read_delta().error().code(), ENOENT);
    machine.disks(line("254 0", "vda", 100, 1000));
    ASSERT_TRUE(latency.read_delta());
    machine.disks("254 0 vda 101\n");
    EXPECT_TRUE(
        latency.read_delta().error().message().starts_with((machine.tree().path() / "proc/diskstats: line 1: ").string()));
    machine.disks(line("254 0", "vda", 110, 1100));
    machine.tree().file("proc/swaps", "?\n");
    EXPECT_TRUE(latency.read_delta().error().message().starts_with((machine.tree().path() / "proc/swaps: line 1: ").string()));
    machine.swaps("");
    expect(latency.read_delta().value().file, 10, 100, "file");
}

}  // namespace
}  // namespace tmm::os
