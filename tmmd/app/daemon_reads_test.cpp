// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A tick of a daemon with the real adapters of a kernel reads no file twice.
#include <gtest/gtest.h>

#include <algorithm>

#include "tmmd/app/daemon_fixture.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"
#include "tmmd/os/limits/kernel_limits.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/sources/counts/generation_sorter.hpp"

namespace tmm::app {
namespace {

const std::vector<std::string> contributions{os::slice, "sys/fs/cgroup/user.slice/transparent.slice"};

class DaemonReadsTest : public DaemonFixture {
protected:
    DaemonReadsTest() {
        tree_.dir("run/tmm").file("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
        tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/zram0 partition 100000 0 100\n");
        tree_.file("sys/block/zram0/mm_stat", "409600 102400 122880 0 0 0 0 0 0\n");
        tree_.file("proc/meminfo", "MemTotal: 409600 kB\nSwapFree: 50000 kB\n");
        tree_.file("proc/diskstats", "252 0 zram0 0 0 0 0 0 0 0 0 0 0 0\n");
        tree_.file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
        tree_.file("proc/interrupts", "1: 5 IO-APIC 1-edge i8042\n").file("sys/fs/cgroup/cgroup.stat", "nr_descendants 3\n");
        tree_.file("proc/vmstat",
                   "nr_free_pages 2000\nnr_inactive_anon 6000\nnr_active_anon 0\nnr_inactive_file 1500\nnr_active_file "
                   "500\nnr_unevictable 0\npgmajfault 5\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
        for (const char* const cgroup : {"sys/fs/cgroup/user.slice", "sys/fs/cgroup/system.slice"})
            add_cgroup(cgroup, 2'000);
        for (const std::string& cgroup : contributions) {
            add_cgroup(cgroup, 1'000);
            add_cgroup(cgroup + "/task.scope", 1'000);
        }
    }
    void add_cgroup(const std::string& cgroup, int pages) {
        const std::string bytes = std::to_string(pages * os::page_bytes().count());
        tree_.file(cgroup + "/memory.current", bytes + "\n").file(cgroup + "/cpu.stat", "usage_usec 5\n");
        tree_.file(cgroup + "/memory.stat", "inactive_anon " + bytes +
                                                "\nactive_anon 0\ninactive_file 0\nactive_file 0\nunevictable 0\npgmajfault "
                                                "0\nworkingset_refault_anon 0\nworkingset_refault_file 0\n");
        tree_.file(cgroup + "/memory.swap.current", "0\n").file(cgroup + "/memory.swap.max", "max\n");
        tree_.file(cgroup + "/memory.min", "0\n").file(cgroup + "/memory.low", "0\n").file(cgroup + "/memory.high", "max\n");
        tree_.file(cgroup + "/memory.max", "max\n").file(cgroup + "/memory.oom.group", "0\n");
        tree_.file(cgroup + "/memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
        tree_.file(cgroup + "/cgroup.events", "populated 1\nfrozen 0\n").file(cgroup + "/cgroup.freeze", "0\n");
        tree_.file(cgroup + "/cgroup.procs", "");
    }
    // The most reads of one file in the last tick, and the file.
    [[nodiscard]] std::pair<int, std::string> most_reads() const {
        std::pair<int, std::string> most;
        for (const auto& [file, reads] : root_.texts().reads())
            most = std::max(most, std::pair(reads, file));
        return most;
    }
    [[nodiscard]] bool was_read(const std::string& file) const {
        return root_.texts().reads().contains((tree_.path() / file).string());
    }
};

TEST_F(DaemonReadsTest, ATickReadsNoFileTwice) {
    AdapterFactory factory = fakes();
    factory.open_sink = [this]() -> Result<std::unique_ptr<os::LimitSink>> {
        return std::unique_ptr<os::LimitSink>(std::make_unique<os::KernelLimits>(os::KernelLimits::open_cgroups(root_).value()));
    };
    Daemon daemon(every_second(), root_, log_, factory, core::Pages(10'240), false, {});
    ASSERT_TRUE(daemon.start(now_));
    machine_.refaults_per_poll = core::Pages(1);
    for (int second = 0; second < 90; ++second) {
        run_for(daemon, 1);
        const auto [reads, file] = most_reads();
        EXPECT_EQ(reads, 1) << file << " in second " << second;
        EXPECT_TRUE(was_read("proc/vmstat") && was_read(os::slice + "/memory.stat") && was_read("proc/swaps"));
    }
    EXPECT_GT(daemon.decided().wanted().given.transparent_limit, core::Pages(0)) << daemon.condition().reason;
}

}  // namespace
}  // namespace tmm::app
