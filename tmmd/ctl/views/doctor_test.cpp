// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/cgroups/exceptions.hpp"
#include "base/temp_tree.hpp"
#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

class Doctor : public testing::Test {
protected:
    Doctor() {
        tree_.file("proc/sys/kernel/osrelease", "6.12.57\n").file("sys/kernel/mm/tmm/version", "1\n").file("dev/tmm", "");
        tree_.file("sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n").file("proc/pressure/memory", "some avg10=0.00\n");
        tree_.file("proc/swaps",
                   "Filename\t\tType\t\tSize\t\tUsed\n/dev/zram0 partition 2097152 0 100\n/swap\tfile\t1048576\t5\t-2\n");
        tree_.file("usr/lib/systemd/system/transparent.slice", "").file("usr/lib/systemd/system/tmmd.service", "");
        tree_.file("usr/share/dbus-1/system.d/org.transparentmemory.Tmm1.conf", "");
        tree_.file("usr/share/polkit-1/actions/org.transparentmemory.tmm1.policy", "");
        bus_.status = giving();
        bus_.status->version = TMM_VERSION;
        bus_.has_polkit = true;
    }
    Check check(const std::string& name) {
        const auto checks = examine(tree_.root(), bus_);
        const auto found = std::find_if(checks.begin(), checks.end(), [&](const Check& check) { return check.name == name; });
        return found == checks.end() ? Check{"no such check", Check::Result::ok, "", ""} : *found;
    }
    void expect(const std::string& name, Check::Result result, const std::string& finding, const std::string& advice) {
        const Check found = check(name);
        EXPECT_EQ(found.result, result) << name;
        EXPECT_EQ(found.finding, finding);
        EXPECT_NE(found.advice.find(advice), std::string::npos) << found.advice;
        EXPECT_EQ(found.advice.empty(), result == Check::Result::ok);
    }
    void remove(const std::string& path) { std::filesystem::remove_all(tree_.path() / path); }

    TempTree tree_;
    BusFacts bus_;
};

constexpr auto ok = Check::Result::ok;
constexpr auto warning = Check::Result::warning;
constexpr auto problem = Check::Result::problem;

TEST_F(Doctor, AHealthyMachineIsInOrder) {
    const auto checks = examine(tree_.root(), bus_);
    EXPECT_FALSE(has_problem(checks));
    EXPECT_EQ(format_checks(checks, {}),
              "ok       kernel: Linux 6.12.57 has TMM\n"
              "ok       cgroups: cgroup v2 with the memory controller\n"
              "ok       slice: transparent.slice is installed (/usr/lib/systemd/system/transparent.slice)\n"
              "ok       pressure: the kernel tells how long programs wait for memory\n"
              "ok       swap: 3.0 GiB (/dev/zram0, /swap)\n"
              "ok       configuration: tmmd.conf sets nothing: the defaults hold\n"
              "ok       bus: the system bus can be reached, and lets tmmd in\n"
              "ok       polkit: polkit decides who may pause and change limits\n"
              "ok       daemon: tmmd " TMM_VERSION
              " runs: giving\n"
              "All is in order.\n");
}

TEST_F(Doctor, ExceptionsAreTold) {
    const std::string game = "sys/fs/cgroup/user.slice/game.scope";
    tree_.dir(game);
    if (!set_exception(tree_.root().subdir(game).value(), Exception::never_count, true))
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    expect("cgroups", ok, "cgroup v2 with the memory controller; those that do not count as needed (user.tmm.count=never): 1",
           "");
}

TEST_F(Doctor, KernelsWithoutTmmAreNamed) {
    remove("dev/tmm");
    expect("kernel", problem, "Linux 6.12.57 has TMM, but /dev/tmm is missing", "devtmpfs");
    tree_.file("sys/kernel/mm/tmm/version", "2\n");
    expect("kernel", problem, "Linux 6.12.57 has version 2 of TMM's interface", "version 1");
    remove("sys/kernel");
    const std::string neither =
        " has neither TMM nor an idle page bitmap, a multi-gen LRU in use or footprints: contributions get only free memory";
    expect("kernel", warning, "Linux 6.12.57" + neither, "tmmd(8)");
    remove("proc/sys");
    expect("kernel", warning, "Linux of an unknown version" + neither, "--print-sources");
    tree_.file("sys/kernel/mm/page_idle/bitmap", "");
    expect("kernel", ok, "Linux of an unknown version has no TMM; tmmd can use its idle page bitmap", "");
}

TEST_F(Doctor, FilesTellTheSourceWhileNoDaemonRuns) {
    remove("sys/kernel");
    remove("dev/tmm");
    bus_.status.reset();
    tree_.file("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd can use the generations of its multi-gen LRU, if debugfs shows them",
           "");
    for (const char* bits : {"0x0000\n", "0x0001\n", "0x0006\n"}) {
        tree_.file("sys/kernel/mm/lru_gen/enabled", bits);
        EXPECT_EQ(check("kernel").result, warning) << bits;
    }
    tree_.file("proc/1/clear_refs", "");
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd can use the footprints of opaque programs", "");
}

// It knows what it could open.
TEST_F(Doctor, TheRunningDaemonTellsItsSource) {
    remove("sys/kernel");
    remove("dev/tmm");
    bus_.status->source = "mglru";
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd uses the generations of its multi-gen LRU", "");
    bus_.status->source = "footprint";
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd uses the footprints of opaque programs", "");
    bus_.status->source = "idle";
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd uses its idle page bitmap", "");
    tree_.file("sys/kernel/mm/page_idle/bitmap", "").file("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
    bus_.status->source = "none";
    expect("kernel", warning, "Linux 6.12.57 does not tell tmmd which memory is used: contributions get only free memory",
           "--print-sources");
    bus_.status->source = "mglru";
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd uses the generations of its multi-gen LRU", "");
    bus_.status->source = "footprint";
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd uses the footprints of opaque programs", "");
    // In trouble it has none.
    bus_.status->state = "trouble";
    bus_.status->source = "none";
    expect("kernel", ok, "Linux 6.12.57 has no TMM; tmmd can use its idle page bitmap", "");
}

// On by default since Linux 7. Only root can read whether it is.
TEST_F(Doctor, DamonStatTakesReferenceBitsFromSomeSources) {
    tree_.file("sys/module/damon_stat/parameters/enabled", "Y\n");
    bus_.status->source = "footprint";
    EXPECT_EQ(check("damon").name, "no such check");
    for (const char* source : {"tmm", "idle", "mglru"}) {
        bus_.status->source = source;
        expect("damon", warning, "DAMON_STAT is on, and takes reference bits: memory in use may look unused",
               "boot with damon_stat.enabled=N");
    }
    tree_.file("sys/module/damon_stat/parameters/enabled", "N\n");
    EXPECT_EQ(check("damon").name, "no such check");
}

TEST_F(Doctor, CgroupsHaveToBeVersion2WithMemory) {
    tree_.file("sys/fs/cgroup/cgroup.controllers", "cpu memory_other\n");
    expect("cgroups", problem, "cgroup v2 has no memory controller", "cgroup_disable");
    remove("sys/fs/cgroup");
    expect("cgroups", problem, "cgroup v2 is not mounted on /sys/fs/cgroup", "systemd.unified_cgroup_hierarchy=1");
}

TEST_F(Doctor, WhatIsMissingButNotNeededIsAWarning) {
    remove("usr/lib/systemd");
    remove("proc/pressure");
    remove("proc/swaps");
    expect("slice", warning, "systemd does not know transparent.slice, so contributions compete for the processor",
           "maketransparent");
    expect("pressure", warning, "the kernel does not measure how long programs wait for memory", "psi=1");
    expect("swap", warning, "there is no swap, so only memory of files can be given and taken back", "zram");
    EXPECT_FALSE(has_problem(examine(tree_.root(), bus_)));
}

TEST_F(Doctor, TheDaemonNeedsACapabilityForAlarms) {
    tree_.file("sys/fs/cgroup/system.slice/tmmd.service/cgroup.procs", "76\n77\n78\n");
    EXPECT_EQ(check("pressure").result, ok) << "it has just ended";
    tree_.file("proc/77/status", "Name:\ttmmd\nCapEff:\t0000000001200022\n");
    EXPECT_EQ(check("pressure").result, ok);
    tree_.file("proc/77/status", "Name:\ttmmd\nCapEff:\t0000000000200022\n");
    expect("pressure", warning, "tmmd has no CAP_SYS_RESOURCE, so the kernel does not alarm it at once when programs wait",
           "CapabilityBoundingSet=");
    tree_.file("proc/76/status", "Name:\ttmmd-footprints\nCapEff:\t0000000001200022\n");
    EXPECT_EQ(check("pressure").result, warning) << "the helper asks for none";
}

TEST_F(Doctor, SwapsThatMakeNoSenseAreNone) {
    for (const char* text : {"", "Filename\n", "Filename\n/dev/sda", "Filename\n/dev/sda partition x 0", "Filename\n\n\n"}) {
        tree_.file("proc/swaps", text);
        EXPECT_EQ(check("swap").result, warning) << text;
    }
}

TEST_F(Doctor, TheConfigurationIsRead) {
    tree_.file("etc/tmm/tmmd.conf", "[Policy]\nBeta = 1.1\n");
    expect("configuration", ok, "tmmd.conf is in order", "");
    tree_.file("etc/tmm/tmmd.conf.d/x.conf", "[Policy]\nGamma = 1\n");
    const Check wrong = check("configuration");
    EXPECT_EQ(wrong.result, problem);
    EXPECT_NE(wrong.finding.find("x.conf:2: Gamma: no such key"), std::string::npos) << wrong.finding;
    tree_.file("etc/tmm/tmmd.conf", "nonsense\n");
    EXPECT_EQ(check("configuration").result, problem);
}

TEST_F(Doctor, TheDaemonHasToRun) {
    bus_.status->version = "0.0.9";
    expect("daemon", warning, "tmmd is version 0.0.9, tmmctl is " TMM_VERSION, "restart");
    bus_.status->state = "trouble";
    bus_.status->reason = "the device is busy";
    expect("daemon", problem, "tmmd runs, but: the device is busy", "journalctl");
    bus_.status.reset();
    bus_.daemon_problem = "tmmd does not run";
    expect("daemon", problem, "tmmd does not run", "systemctl enable --now tmmd; if it ends");
    remove("usr/lib/systemd");
    expect("daemon", problem, "tmmd does not run", "install the package tmm-daemon");
}

TEST_F(Doctor, BusAndPolkitHaveToKnowTmm) {
    bus_.has_polkit = false;
    expect("polkit", warning, "polkit is not there, so only root may pause or change anything", "polkitd");
    bus_.has_polkit = true;
    remove("usr/share");
    expect("polkit", problem, "polkit does not know TMM's actions, so only root may pause or change anything", "again");
    expect("bus", problem, "the bus does not let tmmd in: org.transparentmemory.Tmm1.conf is missing", "again");
    remove("usr/lib/systemd");
    for (const char* name : {"bus", "polkit"})
        EXPECT_EQ(check(name).advice, "install the package tmm-daemon") << "nothing was installed, so nothing can be so again";
    tree_.file("usr/sbin/tmmd", "");
    for (const char* name : {"bus", "polkit"})
        EXPECT_EQ(check(name).advice, "install the package tmm-daemon again");
    bus_ = {};
    bus_.bus_problem = "no bus";
    expect("bus", problem, "no bus", "systemctl start dbus");
    expect("daemon", problem, "tmmd cannot be asked without the bus", "bus");
}

TEST_F(Doctor, ChecksAreCounted) {
    remove("dev/tmm");
    remove("proc/swaps");
    const auto checks = examine(tree_.root(), bus_);
    EXPECT_TRUE(format_checks(checks, {}).ends_with("\nProblems: 1, warnings: 1.\n"));
    EXPECT_TRUE(format_checks(checks, {true, true, 80, 24}).starts_with("\x1b[31mproblem\x1b[0m  kernel: "));
    const std::string json = checks_json(checks);
    EXPECT_TRUE(
        json.starts_with("{\"problems\": 1, \"warnings\": 1, \"checks\": [{\"check\": \"kernel\", \"result\": \"problem\", "
                         "\"finding\": \"Linux 6.12.57 has TMM, but /dev/tmm is missing\", \"advice\": \"mount"))
        << json;
    EXPECT_NE(json.find("\"result\": \"ok\", \"finding\": \"cgroup v2 with the memory controller\", \"advice\": null}"),
              std::string::npos);
}

}  // namespace
}  // namespace tmm::ctl
