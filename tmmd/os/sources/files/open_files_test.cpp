// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/files/open_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <string>

#include "base/temp_tree.hpp"
#include "tmmd/os/helper/without_capabilities.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

using core::Pages;
using core::ReadFiles;

std::string io_text(std::uint64_t bytes, std::uint64_t calls, std::uint64_t from_disk) {
    return "rchar: " + std::to_string(bytes) + "\nwchar: 9\nsyscr: " + std::to_string(calls) +
           "\nsyscw: 9\nread_bytes: " + std::to_string(from_disk) + "\nwrite_bytes: 9\ncancelled_write_bytes: 9\n";
}

TEST(ProcIo, TellsReads) {
    EXPECT_EQ(parse_io(io_text(5, 6, 7)).value(), (ReadCounts{5, 6, 7}));
    EXPECT_EQ(parse_io("rchar: 5\nsyscr: 6\n").error().code(), ENODATA);
    EXPECT_FALSE(parse_io("rchar: x\nsyscr: 6\nread_bytes: 7\n"));
}

TEST(CachedReads, CountsWholePagesCallsAndNoMisses) {
    const Bytes page(4096);
    EXPECT_EQ(cached_reads({}, {}, page), 0U);
    EXPECT_EQ(cached_reads({4096, 1, 0}, {12288, 4, 0}, page), 5U) << "two pages and three calls";
    EXPECT_EQ(cached_reads({}, {std::uint64_t{1} << 20, 8, std::uint64_t{1} << 20}, page), 8U) << "a file that is read once";
    EXPECT_EQ(cached_reads({}, {0, 0, 8192}, page), 0U) << "faults of mapped files";
    EXPECT_EQ(cached_reads({1 << 20, 9, 0}, {4096, 2, 0}, page), 3U) << "another process with the same number";
}

TEST(FdInfo, TellsHowAFileIsRead) {
    const auto text = [](const std::string& flags) {
        return "pos:\t0\nflags:\t" + flags + "\nmnt_id:\t29\nino:\t131\nlock:\t1: POSIX\n";
    };
    EXPECT_EQ(parse_fdinfo(text("0100000")).value(), (OpenFile{29, 131, true}));
    EXPECT_TRUE(parse_fdinfo(text("02100002")).value().is_read) << "for both";
    EXPECT_FALSE(parse_fdinfo(text("0100001")).value().is_read) << "only written";
    EXPECT_FALSE(parse_fdinfo(text("0140000")).value().is_read) << "without the cache";
    EXPECT_FALSE(parse_fdinfo(text("010100000")).value().is_read) << "a path";
    for (const char* odd :
         {"", "flags:\t9\nmnt_id:\t1\nino:\t1\n", "flags:\t0\nmnt_id:\t1\n", "flags:\t0\nmnt_id:\t-1\nino:\t1\n"})
        EXPECT_EQ(parse_fdinfo(odd).error().code(), EINVAL) << odd;
    EXPECT_EQ(parse_fdinfo("flags:\t0\nmnt_id:\t99999999999999999999\nino:\t1\n").error().code(), ERANGE);
}

TEST(DiskMounts, LeaveOutThoseThatMayMakeUsWait) {
    const std::string text =
        "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n"
        "22 21 8:2 / /media/a\\040-\\040b ro,nosuid - vfat /dev/sdb1 rw\n"
        "24 21 0:43 / /media/d rw - overlay overlay rw,lowerdir=/a\n"
        "25 21 0:44 / /home/user/remote rw - fuse.sshfs host:/ rw,user_id=1000\n"
        "26 21 0:45 / /proc rw - proc proc rw\n"
        "27 21 0:46 / /srv rw - btrfs /dev/sde rw,subvol=/@\n"
        "x\n\n28 21 8:9 / /broken rw\n";
    EXPECT_EQ(parse_disk_mounts(text), (std::map<std::uint64_t, std::string>{{21, "8:1"}, {22, "8:2"}, {27, "0:46"}}));
}

const std::string large = "7f0000000000-7f0001000000 r--s 00000000 08:01 131                        /home/user/data (1)\n";

TEST(Mappings, AreWorthALookIfAFileIsLarge) {
    const std::string small = "7f0000000000-7f0000fff000 r--s 00000000 08:01 131                        /home/user/data\n";
    const std::string code = "7f0000000000-7f0009000000 r-xp 00000000 08:01 131                        /usr/lib/libLLVM.so\n";
    const std::string heap = "7f0000000000-7f0009000000 rw-p 00000000 00:00 0                          [heap]\n";
    EXPECT_FALSE(has_large_file(""));
    EXPECT_FALSE(has_large_file(small + code + heap + "x\n-\n1-2\n"));
    EXPECT_TRUE(has_large_file(small + large + heap));
}

TEST(Mappings, TellTheResidentPagesThatAreReadAtRandom) {
    const auto mapping = [](const std::string& head, int kib, const std::string& flags) {
        return head + "Size:              16384 kB\nRss:              " + std::to_string(kib) + " kB\nVmFlags: rd sh " + flags +
               "\n";
    };
    const std::string heap = "7f0000000000-7f0009000000 rw-p 00000000 00:00 0                          [heap]\n";
    const std::string smaps = mapping(large, 400, "mr rr sd") + mapping(large, 40, "mr rr") + mapping(large, 8000, "mr sr") +
                              mapping(heap, 8000, "mr rr") + "x\n" + mapping(large, 4, "rr mr");
    EXPECT_EQ(parse_random_mappings(smaps, Bytes(4096)), Pages(111));
    EXPECT_EQ(parse_random_mappings("", Bytes(4096)), Pages(0));
}

TEST(Mappings, OfNoSenseAreNone) {
    const std::string rest = " r--s 00000000 08:01 131 /home/user/data\n";
    for (const char* range : {"", "-", "xyz-5", "5-4", "7f0001000000-7f0000000000", "0-10000000000000000", "7f0000000000"})
        EXPECT_FALSE(has_large_file(range + rest)) << range;
}

TEST(ProcessorTicks, AreReadBehindANameOfAnyKind) {
    EXPECT_EQ(parse_processor_ticks("7 (a) R 1 1 (b) S 1 7 7 0 -1 4194560 1186 0 33 0 400 25 0 0 20 0 1 0 12345\n"), 425U);
    EXPECT_EQ(parse_processor_ticks(""), std::nullopt);
    EXPECT_EQ(parse_processor_ticks("7 (a) S 1 7 7 0 -1 4194560 1186 0 33 0 400"), std::nullopt);
    EXPECT_EQ(parse_processor_ticks("7 (a) S 1 7 7 0 -1 4194560 1186 0 33 0 x 25 0 0 20 0 1 0 12345"), std::nullopt);
}

class ProcOpenFilesTest : public testing::Test {
protected:
    void process(int pid, const std::string& cgroup, std::uint64_t calls) {
        const std::string folder = "proc/" + std::to_string(pid);
        tree_.file(folder + "/cgroup", "0::" + cgroup + "\n")
            .file(folder + "/io", io_text(0, calls, 0))
            .file(folder + "/mountinfo", "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 21 0:44 / /net rw - nfs4 host:/ rw\n");
    }
    void cache(const std::string& cgroup, std::uint64_t pages) {
        const auto line = [](const std::string& name, std::uint64_t number) {
            return name + " " + std::to_string(number * page_bytes().count()) + "\n";
        };
        tree_.file("sys/fs/cgroup" + cgroup + "/memory.stat",
                   line("anon", 999) + line("file", pages + 50) + line("file_mapped", 30) + line("shmem", 20));
    }
    void file(int pid, int fd, int inode, std::size_t pages, const std::string& flags = "0100000", int mount = 21) {
        tree_.file(
            "proc/" + std::to_string(pid) + "/fdinfo/" + std::to_string(fd),
            "pos:\t0\nflags:\t" + flags + "\nmnt_id:\t" + std::to_string(mount) + "\nino:\t" + std::to_string(inode) + "\n");
        const std::string name = "proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
        tree_.file(name, "");
        std::filesystem::resize_file(tree_.path() / name, pages * page_bytes().count());
    }
    // Only root can give a cgroup to somebody.
    void own(const std::string& cgroup, uid_t user) {
        tree_.dir("sys/fs/cgroup/" + cgroup);
        if (::geteuid() != 0)
            GTEST_SKIP() << "only root makes cgroups of several users";
        ASSERT_EQ(::chown((tree_.path() / "sys/fs/cgroup" / cgroup).c_str(), user, user), 0);
    }
    std::map<std::string, ReadFiles> read() {
        auto files = files_.read({"sys/fs/cgroup/transparent.slice"}, FileKinds::open_and_mapped);
        EXPECT_TRUE(files) << files.error().message();
        return *std::move(files);
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    ProcOpenFiles files_{root_};
};

TEST_F(ProcOpenFilesTest, TellsTheFilesOfOpaqueProcessesThatRead) {
    for (const char* cgroup : {"/user.slice", "/system.slice", "/transparent.slice/task"})
        cache(cgroup, 1000);
    process(10, "/user.slice", 100000);
    file(10, 3, 131, 50);
    file(10, 4, 132, 20);
    process(11, "/transparent.slice/task", 100000);
    file(11, 3, 133, 70);
    process(12, "/system.slice", ProcOpenFiles::min_reads - 1);
    file(12, 3, 134, 90);
    EXPECT_EQ(read(), (std::map<std::string, ReadFiles>{{"/user.slice", {Pages(70), Pages(70)}}}));
}

TEST_F(ProcOpenFilesTest, ACgroupHasNoMoreInMemoryThanItsCache) {
    cache("/user.slice", 60);
    process(10, "/user.slice", 100000);
    file(10, 3, 131, 50);
    process(11, "/user.slice", 100000);
    file(11, 3, 132, 50);
    process(12, "/", 100000);
    file(12, 3, 133, 50);
    EXPECT_EQ(read(), (std::map<std::string, ReadFiles>{{"/user.slice", {Pages(60), Pages(60)}}}));
}

TEST_F(ProcOpenFilesTest, LooksOnlyAtFilesThatAreReadFromADisk) {
    cache("/user.slice", 1000);
    process(10, "/user.slice", 100000);
    file(10, 3, 131, 50, "0100001");
    file(10, 4, 132, 50, "0100000", 30);
    file(10, 5, 133, 50, "0100000", 99);
    file(10, 6, 134, 50);
    std::filesystem::remove(tree_.path() / "proc/10/fd/6");
    std::filesystem::create_directory(tree_.path() / "proc/10/fd/6");
    EXPECT_TRUE(read().empty());
}

TEST_F(ProcOpenFilesTest, AFileCountsOnceForACgroup) {
    cache("/user.slice", 1000);
    cache("/system.slice", 1000);
    process(10, "/user.slice", 100000);
    file(10, 3, 131, 50);
    file(10, 4, 131, 50);
    process(11, "/system.slice", 100000);
    file(11, 3, 131, 50);
    process(9, "/mallory.slice", 100000);
    file(9, 3, 131, 50);
    EXPECT_EQ(read(), (std::map<std::string, ReadFiles>{{"/user.slice", {Pages(50), Pages(50)}},
                                                        {"/system.slice", {Pages(50), Pages(50)}}}))
        << "a cgroup without cache takes it from no other";
}

TEST_F(ProcOpenFilesTest, LooksAgainOnlyWhenEnoughWasRead) {
    cache("/user.slice", 10000);
    process(10, "/user.slice", 1000);
    file(10, 3, 131, 50);
    EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(50), Pages(50)}));
    file(10, 4, 132, 1000);
    process(10, "/user.slice", 1000 + ProcOpenFiles::min_reads - 1);
    EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(50), Pages(0)}));
    process(10, "/user.slice", 1000 + ProcOpenFiles::min_reads);
    EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(1050), core::expected_used(Pages(1050), ProcOpenFiles::min_reads)}))
        << "reads add up";
}

TEST_F(ProcOpenFilesTest, FilesMappedAtRandomAreUsedWhileTheProcessRuns) {
    const auto smaps = [&](int pages) {
        const std::string rss = std::to_string(static_cast<std::uint64_t>(pages) * page_bytes().count() / 1024);
        tree_.file("proc/10/smaps", large + "Rss:    " + rss + " kB\nVmFlags: rd mr rr\n");
    };
    const auto run = [&](int ticks) {
        tree_.file("proc/10/stat", "10 (a) S 1 2 3 4 5 6 7 8 9 10 " + std::to_string(ticks) + " 5 0 0 20 0 1 0 99 0\n");
    };
    process(10, "/user.slice", 0);
    tree_.file("proc/10/maps", large);
    smaps(40);
    run(1);
    EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(40), Pages(40)}));
    EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(40), Pages(0)})) << "it stood still";
    smaps(60);
    for (int call = 2; call < ProcOpenFiles::calls_per_look_at_mappings; ++call) {
        run(call);
        EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(40), Pages(40)})) << "smaps is dear";
    }
    EXPECT_EQ(read().at("/user.slice"), (ReadFiles{Pages(60), Pages(0)}));
    EXPECT_TRUE(files_.read({}, FileKinds::open)->empty());
}

TEST_F(ProcOpenFilesTest, TellsHowMuchOfTheCacheBelongsToOtherFiles) {
    cache("/user.slice", 60);
    cache("/system.slice", 20);
    cache("/transparent.slice/task", 500);
    cache("/empty", 500);
    process(10, "/user.slice", 100000);
    file(10, 3, 131, 50);
    process(11, "/system.slice", 0);
    process(12, "/transparent.slice/task", 100000);
    process(13, "/", 0);
    const auto files = files_.read({"sys/fs/cgroup/transparent.slice"}, FileKinds::unmapped);
    ASSERT_TRUE(files);
    EXPECT_EQ(*files, (std::map<std::string, ReadFiles>{{"/user.slice", {Pages(50), Pages(50), Pages(10)}},
                                                        {"/system.slice", {Pages(0), Pages(0), Pages(20)}}}));
    EXPECT_EQ(read().at("/user.slice").others, Pages(0)) << "nobody asked";
}

TEST_F(ProcOpenFilesTest, LooksAtABoundedNumberOfFiles) {
    own("user.slice", 1000);
    cache("/user.slice", 1000);
    for (const int pid : {10, 11, 12}) {
        process(pid, "/user.slice", 100000);
        for (int fd = 0; fd < 4; ++fd)
            file(pid, fd, 10 * pid + fd, 1);
    }
    ProcOpenFiles bounded(root_, {.of_process = 3, .of_user = 5});
    const auto cached = [&] { return bounded.read({}, FileKinds::open).value().at("/user.slice").cached; };
    EXPECT_EQ(cached(), Pages(5)) << "3 of one process, 2 of the next";
    EXPECT_EQ(bounded.left_out(), (std::set<uid_t>{1000}));
    EXPECT_EQ(cached(), Pages(5)) << "those that it keeps count, too";
    std::filesystem::remove_all(tree_.path() / "proc/10");
    process(12, "/user.slice", 200000);
    EXPECT_EQ(cached(), Pages(5)) << "2 are kept, and there is room for 3 now";
}

// The attackers' processes come first, by number and by text.
TEST_F(ProcOpenFilesTest, NobodyHidesTheFilesOfOthers) {
    own("mallory.slice", 1000);
    own("user.slice", 1001);
    cache("/user.slice", 1000);
    process(900, "/user.slice", 100000);
    file(900, 3, 131, 50);
    const ReadFiles whole{Pages(50), Pages(50)};
    for (int pid = 10; pid < 30; ++pid) {
        process(pid, "/mallory.slice", 100000);
        for (int fd = 0; fd < 9; ++fd)
            file(pid, fd, 1000 * pid + fd, 1);
    }
    ProcOpenFiles few_files(root_, {.of_user = 5});
    EXPECT_EQ(few_files.read({}, FileKinds::open).value().at("/user.slice"), whole);
    EXPECT_EQ(few_files.left_out(), (std::set<uid_t>{1000}));
    const auto processes = opaque_processes(root_, {}, 4);
    EXPECT_EQ(processes->list.back().number, "900");
    EXPECT_EQ(processes->list.size(), 5U);
    EXPECT_EQ(processes->left_out, (std::set<uid_t>{1000}));
}

TEST_F(ProcOpenFilesTest, AsksForTheMountsOfANamespaceOnce) {
    own("user.slice", 1000);
    cache("/user.slice", 1000);
    for (const int pid : {10, 11, 12}) {
        process(pid, "/user.slice", 100000);
        file(pid, 3, pid, 1);
        // A process in the namespace of the first has no list of its own here.
        if (pid == 11)
            std::filesystem::remove(tree_.path() / "proc/11/mountinfo");
        std::filesystem::create_directory(tree_.path() / ("proc/" + std::to_string(pid) + "/ns"));
        if (pid != 11)
            tree_.file("proc/" + std::to_string(pid) + "/ns/mnt", "");
    }
    std::filesystem::create_hard_link(tree_.path() / "proc/10/ns/mnt", tree_.path() / "proc/11/ns/mnt");
    EXPECT_EQ(read().at("/user.slice").cached, Pages(3));
    ProcOpenFiles bounded(root_, {.namespaces = 1});
    EXPECT_EQ(bounded.read({}, FileKinds::open)->at("/user.slice").cached, Pages(2)) << "another namespace is beyond the bound";
    EXPECT_EQ(bounded.left_out(), (std::set<uid_t>{1000}));
}

TEST_F(ProcOpenFilesTest, AsksNothingOfDescriptorsWithoutAPath) {
    cache("/user.slice", 1000);
    process(10, "/user.slice", 100000);
    file(10, 3, 131, 50);
    std::filesystem::remove(tree_.path() / "proc/10/fd/3");
    std::filesystem::create_symlink("anon_inode:[eventpoll]", tree_.path() / "proc/10/fd/3");
    // Whoever reads it waits.
    std::filesystem::remove(tree_.path() / "proc/10/fdinfo/3");
    ASSERT_EQ(::mkfifo((tree_.path() / "proc/10/fdinfo/3").c_str(), 0600), 0);
    EXPECT_TRUE(read().empty());
}

TEST_F(ProcOpenFilesTest, OneProcessThatCannotBeReadHidesNoOther) {
    cache("/user.slice", 1000);
    process(10, "/user.slice", 1000);
    file(10, 3, 131, 50);
    tree_.dir("proc/9/cgroup");  // as if its path were too long to be shown
    EXPECT_EQ(read().at("/user.slice").cached, Pages(50));
}

TEST_F(ProcOpenFilesTest, AProcessThatEndedHasNoFiles) {
    cache("/user.slice", 1000);
    process(10, "/user.slice", 1000);
    file(10, 3, 131, 50);
    EXPECT_EQ(read().size(), 1U);
    std::filesystem::remove_all(tree_.path() / "proc/10");
    EXPECT_TRUE(read().empty());
}

TEST_F(ProcOpenFilesTest, ARefusalIsAnErrorIfNothingIsKnown) {
    cache("/system.slice", 1000);
    process(9, "/system.slice", 0);
    process(10, "/user.slice", 1000);
    ASSERT_EQ(::chmod((tree_.path() / "proc/10/io").c_str(), 0), 0);
    without_capabilities([&] {
        for (const FileKinds kinds : {FileKinds::open, FileKinds::unmapped}) {
            const auto refused = files_.read({}, kinds);
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().code(), EACCES);
            EXPECT_NE(refused.error().message().find("CAP_SYS_PTRACE"), std::string::npos);
        }
    });
}

}  // namespace
}  // namespace tmm::os
