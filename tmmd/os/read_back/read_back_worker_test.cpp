// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/read_back_worker.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr std::uint64_t page = 4096;
const std::string app = "sys/fs/cgroup/user.slice/app.slice";

class FakePageAdviser final : public PageAdviser {
public:
    explicit FakePageAdviser(const RootDir& root) : root_(root) {}
    Result<UniqueFd> open(pid_t pid) override {
        opened.push_back(pid);
        return root_.open_file("proc/" + std::to_string(pid) + "/stat", O_RDONLY);
    }
    Result<void> will_need(const UniqueFd& /*process*/, std::span<const AddressRange> ranges) override {
        if (refusal != 0)
            return Error(refusal, "refused");
        for (const AddressRange& range : ranges)
            advised.push_back(range);
        return {};
    }

    std::vector<pid_t> opened;
    std::vector<AddressRange> advised;
    int refusal = 0;

private:
    const RootDir& root_;
};

class ReadBackWorkerTest : public testing::Test {
protected:
    ReadBackWorkerTest() {
        tree_.file("proc/diskstats", "")
            .file("proc/zoneinfo", "Node 0, zone Normal\n  pages free 90000\n high 100\n managed 128000\n");
        tree_.file(app + "/memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
        add_process(10, 100);
        add_process(11, 100);
        set_processes("10\n11\n");
    }
    void set_processes(const std::string& pids) { tree_.file(app + "/cgroup.procs", pids); }
    static std::string name(pid_t pid, const char* file) { return "proc/" + std::to_string(pid) + "/" + file; }
    void set_use(pid_t pid, unsigned faults, unsigned ticks, unsigned started = 500) {
        tree_.file(name(pid, "stat"), std::to_string(pid) + " (x) S 1 1 1 0 -1 0 0 0 " + std::to_string(faults) + " 0 " +
                                          std::to_string(ticks) + " 0 0 0 20 0 1 0 " + std::to_string(started) + " 0 0\n");
    }
    // A process whose first mapping has so many pages, all swapped. Mapping and number differ, so that tests can tell them.
    void add_process(pid_t pid, std::uint64_t pages, const std::string& cgroup = "/user.slice/app.slice/x.scope") {
        const std::uint64_t begin = static_cast<std::uint64_t>(pid) * 1000;
        char range[64];
        std::snprintf(range, sizeof range, "%lx-%lx", begin * page, (begin + pages) * page);
        tree_.file(name(pid, "smaps"), std::string(range) + " rw-p 0 00:00 0\nSwap: " + std::to_string(4 * pages) + " kB\n");
        tree_.file(name(pid, "status"), "Name:\tx\nVmSwap:\t" + std::to_string(4 * pages) + " kB\n");
        tree_.file(name(pid, "cgroup"), "0::" + cgroup + "\n");
        std::string entries(begin * sizeof(std::uint64_t), '\0');
        const std::uint64_t entry = std::uint64_t{1} << 62;
        for (std::uint64_t i = 0; i < pages; ++i)
            entries.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        tree_.file(name(pid, "pagemap"), entries);
        set_use(pid, 0, 0);
    }
    void begin(std::uint64_t pages = 1000) { worker_.begin({{app, core::Pages(pages)}}, now_); }
    void run_for(milliseconds time) {
        for (const auto end = now_ + time; now_ < end && worker_.busy();)
            worker_.turn(now_ += milliseconds(10));
    }
    // The process of a page, by its address.
    static pid_t process_of(const AddressRange& range) { return static_cast<pid_t>(range.begin / page / 1000); }

    TempTree tree_;
    RootDir root_ = tree_.root();
    FakePageAdviser adviser_{root_};
    ReadBackWorker worker_{root_, adviser_, Bytes(page)};
    core::AwakeTime now_{hours(1)};
};

TEST_F(ReadBackWorkerTest, AllSwappedPagesComeBack) {
    begin();
    EXPECT_TRUE(worker_.busy());
    run_for(milliseconds(5000));
    EXPECT_FALSE(worker_.busy());
    EXPECT_EQ(worker_.read(), core::Pages(200));
    std::uint64_t bytes = 0;
    for (const AddressRange& range : adviser_.advised)
        bytes += range.end - range.begin;
    EXPECT_EQ(bytes, 200 * page);
    EXPECT_FALSE(worker_.problem());
}

TEST_F(ReadBackWorkerTest, TheProcessThatFetchesPagesComesFirst) {
    begin();
    set_use(10, 0, 900);
    set_use(11, 3, 1);
    run_for(milliseconds(5000));
    EXPECT_EQ(adviser_.opened, (std::vector<pid_t>{11, 10}));
    EXPECT_EQ(process_of(adviser_.advised.front()), 11);
}

TEST_F(ReadBackWorkerTest, NoMoreIsReadThanTheCgroupLost) {
    begin(130);
    run_for(milliseconds(5000));
    EXPECT_FALSE(worker_.busy());
    EXPECT_EQ(worker_.read(), core::Pages(130));
}

TEST_F(ReadBackWorkerTest, AProcessThatLeftTheCgroupIsLeftAlone) {
    begin();
    tree_.file(name(10, "cgroup"), "0::/transparent.slice/a\n");
    tree_.file(name(11, "cgroup"), "0::/user.slice/app.slice2\n");
    run_for(milliseconds(5000));
    EXPECT_FALSE(worker_.busy());
    EXPECT_EQ(worker_.read(), core::Pages(0));
}

TEST_F(ReadBackWorkerTest, AnotherProcessWithTheNumberIsLeftAlone) {
    begin();
    set_use(10, 7, 7, 501);
    run_for(milliseconds(5000));
    EXPECT_EQ(adviser_.opened, (std::vector<pid_t>{11}));
}

TEST_F(ReadBackWorkerTest, ProcessesThatEndDoNoHarm) {
    begin();
    std::filesystem::remove_all(tree_.path() / "proc/11");
    adviser_.refusal = ESRCH;
    run_for(milliseconds(5000));
    EXPECT_FALSE(worker_.busy());
    EXPECT_FALSE(worker_.problem()) << "an end is no problem";
}

TEST_F(ReadBackWorkerTest, ARemovedMappingEndsNothing) {
    add_process(12, 500);
    set_processes("12\n");
    begin();
    adviser_.refusal = ENOMEM;
    run_for(milliseconds(1030));
    ASSERT_TRUE(worker_.busy());
    adviser_.refusal = 0;
    run_for(milliseconds(5000));
    EXPECT_GT(worker_.read(), core::Pages(0));
    EXPECT_FALSE(worker_.problem());
}

TEST_F(ReadBackWorkerTest, ARefusalIsReported) {
    adviser_.refusal = EPERM;
    begin();
    run_for(milliseconds(5000));
    EXPECT_FALSE(worker_.busy());
    ASSERT_TRUE(worker_.problem());
    EXPECT_EQ(worker_.problem()->code(), EPERM);
}

TEST_F(ReadBackWorkerTest, NothingIsReadWhileTheCgroupsProgramsWait) {
    begin();
    for (int i = 1; i <= 60; ++i) {
        tree_.file(app + "/memory.pressure", "some avg10=0 avg60=0 avg300=0 total=" + std::to_string(i * 50'000) + "\n");
        run_for(milliseconds(50));
    }
    EXPECT_EQ(worker_.read(), core::Pages(0));
    run_for(milliseconds(5000));
    EXPECT_EQ(worker_.read(), core::Pages(200));
}

TEST_F(ReadBackWorkerTest, NothingIsReadWithoutRoomOrIntoABusyDisk) {
    tree_.file("proc/zoneinfo", "Node 0, zone Normal\n  pages free 1110\n high 100\n managed 128000\n");
    begin();
    run_for(milliseconds(3000));
    EXPECT_EQ(worker_.read(), core::Pages(0)) << "10 pages of room";
    tree_.file("proc/zoneinfo", "Node 0, zone Normal\n  pages free 90000\n high 100\n managed 128000\n");
    tree_.file("proc/diskstats", "8 0 sda 1 2 3 4 5 6 7 8 1 10 11\n");
    run_for(milliseconds(3000));
    EXPECT_EQ(worker_.read(), core::Pages(0));
    EXPECT_TRUE(worker_.busy());
}

TEST_F(ReadBackWorkerTest, WithoutPressureFilesNothingIsRead) {
    std::filesystem::remove(tree_.path() / (app + "/memory.pressure"));
    begin();
    run_for(milliseconds(5000));
    EXPECT_EQ(worker_.read(), core::Pages(0));
}

TEST_F(ReadBackWorkerTest, AnotherOrderReplacesTheFirst) {
    begin();
    run_for(milliseconds(1100));
    EXPECT_GT(worker_.read(), core::Pages(0));
    worker_.begin({{"sys/fs/cgroup/gone", core::Pages(5)}}, now_);
    EXPECT_EQ(worker_.read(), core::Pages(0));
    worker_.stop();
    EXPECT_FALSE(worker_.busy());
}

TEST_F(ReadBackWorkerTest, ManyMappingsAreReadInPart) {
    std::string text;
    for (std::uint64_t i = 0; text.size() < ReadBackWorker::max_smaps_bytes + (1 << 20); ++i)
        text += "10000-11000 rw-p 0 00:00 0 " + std::string(4000, 'x') + "\nSwap: 0 kB\n";
    tree_.file(name(10, "smaps"), text + "2710000-2711000 rw-p 0 00:00 0\nSwap: 4 kB\n");
    set_processes("10\n");
    begin();
    run_for(milliseconds(5000));
    EXPECT_FALSE(worker_.busy());
    EXPECT_EQ(worker_.read(), core::Pages(0)) << "beyond the bound";
}

}  // namespace
}  // namespace tmm::os
