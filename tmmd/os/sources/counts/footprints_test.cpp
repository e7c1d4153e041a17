// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/footprints.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/helper/without_capabilities.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

using core::Pages;

struct Sizes {
    int rss = 0;
    int referenced = 0;
    int anonymous = 0;
    int shmem = 0;
    int file = 0;
};

std::string text_of(const Sizes& pages) {
    const auto line = [](const std::string& name, int number) {
        return name + ":" + std::string(10, ' ') +
               std::to_string(static_cast<std::uint64_t>(number) * page_bytes().count() / 1024) + " kB\n";
    };
    return "55d000-7ffd00 ---p 00000000 00:00 0                          [rollup]\n" + line("Rss", pages.rss) +
           line("Pss", pages.anonymous + pages.shmem + pages.file) + line("Pss_Anon", pages.anonymous) +
           line("Pss_File", pages.file) + line("Pss_Shmem", pages.shmem) + line("Referenced", pages.referenced) +
           line("Anonymous", pages.anonymous);
}

TEST(SmapsRollup, DividesReferencesByBacking) {
    const auto memory =
        parse_smaps_rollup(text_of({.rss = 200, .referenced = 50, .anonymous = 80, .shmem = 20, .file = 40}), page_bytes());
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->resident, page_bytes() * 200);
    EXPECT_EQ(memory->footprint, (core::Footprint{{Pages(100), Pages(40)}, {Pages(25), Pages(10)}}));
}

TEST(SmapsRollup, RefusesAnythingElse) {
    EXPECT_EQ(parse_smaps_rollup("", page_bytes()).error().code(), ENOENT);
    EXPECT_FALSE(parse_smaps_rollup("Rss: 5 kB\nReferenced: x kB\n", page_bytes()));
    const std::string whole = text_of({.rss = 1});
    EXPECT_FALSE(parse_smaps_rollup(std::string_view(whole).substr(0, whole.find("Pss_File")), page_bytes()));
    // Nothing resident, and more referenced than there is.
    EXPECT_EQ(parse_smaps_rollup(text_of({}), page_bytes()).value().footprint, core::Footprint{});
    const auto odd = parse_smaps_rollup(text_of({.rss = 10, .referenced = 20, .anonymous = 10}), page_bytes());
    EXPECT_EQ(odd.value().footprint.referenced[0], Pages(10));
}

TEST(Statm, CountsAllAsUsed) {
    const core::PagesByBacking all{Pages(30), Pages(20)};
    EXPECT_EQ(parse_statm("100 50 20 1 0 9 0\n").value(), (core::Footprint{all, all}));
    EXPECT_EQ(parse_statm("0 0 0 0 0 0 0\n").value(), core::Footprint{});
    for (const char* text : {"", "100", "100 50", "100 x 20", "100 20 50"})
        EXPECT_EQ(parse_statm(text).error().code(), EINVAL) << text;
    EXPECT_EQ(parse_statm("100 99999999999999999999 20").error().code(), ERANGE);
}

class ProcFootprintsTest : public testing::Test {
protected:
    ProcFootprints open() {
        tree_.dir("sys/fs/cgroup/user.slice").dir("sys/fs/cgroup/system.slice");
        add("1", "/init.scope", {.rss = 2, .referenced = 2, .anonymous = 2});
        return ProcFootprints::open(root_).value();
    }
    void add(const std::string& pid, const std::string& cgroup, const Sizes& sizes) {
        const std::string dir = "proc/" + pid;
        tree_.file(dir + "/cgroup", "0::" + cgroup + "\n")
            .file(dir + "/smaps_rollup", text_of(sizes))
            .file(dir + "/clear_refs", "");
    }
    std::map<core::CgroupId, core::Footprint> read() {
        auto footprints = processes_.read({"sys/fs/cgroup/transparent.slice"});
        EXPECT_TRUE(footprints) << footprints.error().message();
        return *std::move(footprints);
    }
    // Denies the files of a process to all but those with CAP_DAC_OVERRIDE.
    void deny(const std::string& file) { ASSERT_EQ(::chmod((tree_.path() / file).c_str(), 0), 0); }
    core::CgroupId id(const std::string& cgroup) { return cgroup_id_of(root_, cgroup); }

    TempTree tree_;
    RootDir root_ = tree_.root();
    ProcFootprints processes_ = open();
};

TEST_F(ProcFootprintsTest, SumsUpTheProcessesOfACgroup) {
    add("20", "/user.slice", {.rss = 100, .referenced = 40, .anonymous = 100});
    add("21", "/user.slice", {.rss = 50, .referenced = 50, .anonymous = 30, .file = 10});
    add("22", "/system.slice", {.rss = 7, .file = 7});
    tree_.file("proc/version", "Linux").dir("proc/sys");
    tree_.dir("proc/2").file("proc/2/cgroup", "0::/\n");  // a kernel thread
    const auto footprints = read();
    EXPECT_EQ(footprints.at(id("/user.slice")), (core::Footprint{{Pages(130), Pages(10)}, {Pages(70), Pages(10)}}));
    EXPECT_EQ(footprints.at(id("/system.slice")), (core::Footprint{{Pages(0), Pages(7)}, {Pages(0), Pages(0)}}));
    EXPECT_EQ(footprints.at(core::unknown_cgroup).resident[0], Pages(2)) << "/init.scope has no directory here";
}

// As of one user, who would need more than the machine has.
TEST_F(ProcFootprintsTest, MemoryThatProcessesShareCountsOnce) {
    for (int pid = 100; pid < 400; ++pid)
        add(std::to_string(pid), "/user.slice", {.rss = 100, .referenced = 40, .anonymous = 100});
    add("20", "/system.slice", {.rss = 7, .anonymous = 7});
    const auto shares = [](pid_t one, pid_t other) {
        one = std::min(one, 100);
        other = std::min(other, 100);
        return one == other ? MemoryOrder::same : one < other ? MemoryOrder::before : MemoryOrder::after;
    };
    ProcFootprints processes(
        root_, [](const OpaqueProcess&) { return true; }, shares);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(processes.read({})->at(id("/user.slice")).resident[0], Pages(100)) << i;
    EXPECT_EQ(processes.read({})->at(id("/system.slice")).resident[0], Pages(7));
    ASSERT_TRUE(processes.clear());
    EXPECT_EQ(tree_.text("proc/100/clear_refs"), "1");
    EXPECT_EQ(tree_.text("proc/101/clear_refs"), "") << "the references are those of the first";
}

TEST_F(ProcFootprintsTest, ClearsOpaqueProcesses) {
    add("20", "/user.slice", {.rss = 1});
    add("30", "/transparent.slice/povray.scope", {.rss = 1});
    add("40", "/user.slice", {.rss = 3 << 18});  // more than max_cleared with pages of 4 KiB
    ASSERT_EQ(read().count(id("/user.slice")), 1U);
    std::filesystem::remove_all(tree_.path() / "proc/1");
    ASSERT_TRUE(processes_.clear()) << "a process that ended is no error";
    EXPECT_EQ(tree_.text("proc/20/clear_refs"), "1");
    EXPECT_EQ(tree_.text("proc/30/clear_refs"), "");
    EXPECT_EQ(tree_.text("proc/40/clear_refs"), "");
    EXPECT_EQ(read().size(), 1U) << "contributions are no owner's cgroups";
}

TEST_F(ProcFootprintsTest, FilesThatNoProcessMapsAreResident) {
    add("20", "/user.slice", {.rss = 10, .file = 10});
    const auto bytes = [](int pages) { return std::to_string(static_cast<std::uint64_t>(pages) * page_bytes().count()); };
    const std::string stat = "file " + bytes(100) + "\nshmem " + bytes(20) + "\nfile_mapped " + bytes(30) + "\n";
    tree_.file("sys/fs/cgroup/user.slice/memory.stat", stat).file("sys/fs/cgroup/memory.stat", stat);
    add("21", "/", {.rss = 1, .file = 1});
    EXPECT_EQ(read().at(id("/user.slice")).resident[1], Pages(60));
    EXPECT_EQ(read().at(id("/")).resident[1], Pages(1)) << "the file at the top counts all cgroups";
}

// As a security module may do.
TEST_F(ProcFootprintsTest, MemoryOfProcessesThatMayNotBeReadIsUsed) {
    add("20", "/user.slice", {.rss = 100, .referenced = 40, .anonymous = 100});
    add("21", "/user.slice", {.rss = 1});
    add("22", "/user.slice", {.rss = 1});
    tree_.file("proc/21/statm", "100 50 20 1 0 9 0\n");
    for (const char* file : {"proc/21/smaps_rollup", "proc/22/smaps_rollup", "proc/20/clear_refs"})
        deny(file);
    without_capabilities([&] {
        EXPECT_EQ(read().at(id("/user.slice")), (core::Footprint{{Pages(130), Pages(20)}, {Pages(70), Pages(20)}}));
        ASSERT_TRUE(processes_.clear());
    });
    EXPECT_EQ(tree_.text("proc/1/clear_refs"), "1");
    EXPECT_EQ(tree_.text("proc/21/clear_refs"), "");
}

TEST_F(ProcFootprintsTest, NeedAProcessThatMayBeReadAndCleared) {
    deny("proc/1/clear_refs");
    without_capabilities([&] {
        static_cast<void>(read());
        const auto cleared = processes_.clear();
        ASSERT_FALSE(cleared);
        EXPECT_EQ(cleared.error().code(), EACCES);
        EXPECT_NE(cleared.error().message().find("CAP_DAC_OVERRIDE"), std::string::npos);
    });
    tree_.file("proc/1/statm", "100 50 20 1 0 9 0\n");
    deny("proc/1/smaps_rollup");
    without_capabilities([&] { EXPECT_EQ(processes_.read({}).error().code(), EACCES); });
}

TEST_F(ProcFootprintsTest, SaysWhatIsMissing) {
    std::filesystem::remove(tree_.path() / "proc/1/smaps_rollup");
    const auto missing = ProcFootprints::open(root_);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code(), ENODEV);
    EXPECT_NE(missing.error().message().find("CONFIG_PROC_PAGE_MONITOR"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
