// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/doctor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "base/cgroups/transparent_class.hpp"
#include "base/text/ini.hpp"
#include "base/text/json.hpp"
#include "base/text/proc_text.hpp"
#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/multi_gen_lru.hpp"

namespace tmm::ctl {

namespace {

using Kind = Check::Result;

constexpr std::string_view kernel_version = "1";  // of the interface, docs/kernel-interface.md

std::string in_mount(std::string_view name) {
    return std::string(os::cgroup_mount) + "/" + std::string(name);
}

// Returns the file's path in the first of the directories that has it; empty if none has.
template <std::size_t size>
std::string found_in(const RootDir& root, const std::array<std::string_view, size>& directories, const std::string& file) {
    for (const std::string_view directory : directories) {
        std::string path = std::string(directory) + "/" + file;
        if (root.exists(path))
            return path;
    }
    return {};
}

constexpr std::array<std::string_view, 4> unit_directories{"etc/systemd/system", "usr/local/lib/systemd/system",
                                                           "usr/lib/systemd/system", "lib/systemd/system"};

// A file of the package is missing: either all of it is, or only that file.
std::string advice_to_install(const RootDir& root) {
    constexpr std::array<std::string_view, 2> programs{"usr/sbin", "usr/local/sbin"};
    const bool installed = !found_in(root, programs, "tmmd").empty() || !found_in(root, unit_directories, "tmmd.service").empty();
    return installed ? "install the package tmm-daemon again" : "install the package tmm-daemon";
}

// Returns whether the multi-gen LRU is in use and walks page tables. Only root can see whether debugfs shows its generations.
bool has_generations(const RootDir& root) {
    const auto bits = os::read_multi_gen_lru(root);
    constexpr unsigned long both = os::multi_gen_lru_is_used | os::multi_gen_lru_walks_page_tables;
    return bits && (*bits & both) == both;
}

// A kernel without TMM. The running tmmd knows best which source of samples it has; without it the files tell.
Check stock_kernel(const RootDir& root, const std::string& linux, const BusFacts& bus) {
    constexpr const char* advice = "'tmmd --print-sources', as root, says why; tmmd(8), section KERNEL, names better kernels";
    const std::string source = bus.status && bus.status->state != "trouble" ? bus.status->source : "";
    if (source == "none")
        return {"kernel", Kind::warning, linux + " does not tell tmmd which memory is used: contributions get only free memory",
                advice};
    if (source == "idle")
        return {"kernel", Kind::ok, linux + " has no TMM; tmmd uses its idle page bitmap", ""};
    if (source == "mglru")
        return {"kernel", Kind::ok, linux + " has no TMM; tmmd uses the generations of its multi-gen LRU", ""};
    if (source == "footprint")
        return {"kernel", Kind::ok, linux + " has no TMM; tmmd uses the footprints of opaque programs", ""};
    if (root.exists("sys/kernel/mm/page_idle/bitmap"))
        return {"kernel", Kind::ok, linux + " has no TMM; tmmd can use its idle page bitmap", ""};
    if (has_generations(root))
        return {"kernel", Kind::ok,
                linux + " has no TMM; tmmd can use the generations of its multi-gen LRU, if debugfs shows them", ""};
    if (root.exists("proc/1/clear_refs"))
        return {"kernel", Kind::ok, linux + " has no TMM; tmmd can use the footprints of opaque programs", ""};
    return {
        "kernel", Kind::warning,
        linux +
            " has neither TMM nor an idle page bitmap, a multi-gen LRU in use or footprints: contributions get only free memory",
        advice};
}

Check kernel(const RootDir& root, const BusFacts& bus) {
    const auto release = root.read_file("proc/sys/kernel/osrelease");
    const std::string linux = "Linux " + (release ? std::string(trim(*release)) : "of an unknown version");
    const auto version = root.read_file("sys/kernel/mm/tmm/version");
    if (!version)
        return stock_kernel(root, linux, bus);
    if (trim(*version) != kernel_version)
        return {"kernel", Kind::problem, linux + " has version " + std::string(trim(*version)) + " of TMM's interface",
                "this tmmd knows version " + std::string(kernel_version) + ": install the tmmd that belongs to the kernel"};
    if (!root.exists("dev/tmm"))
        return {"kernel", Kind::problem, linux + " has TMM, but /dev/tmm is missing", "mount devtmpfs on /dev"};
    return {"kernel", Kind::ok, linux + " has TMM", ""};
}

// DAMON's statistics of all memory, which Linux 7 makes by default. They clear the young bits of the pages that they sample, and
// set their idle flags. Footprints count those pages all the same.
bool loses_uses_to_damon(const RootDir& root, const BusFacts& bus) {
    const auto enabled = root.read_file("sys/module/damon_stat/parameters/enabled");
    const std::string source = bus.status ? bus.status->source : "";
    return enabled && trim(*enabled) == "Y" && source != "footprint" && source != "none";
}

Check damon() {
    return {"damon", Kind::warning, "DAMON_STAT is on, and takes reference bits: memory in use may look unused",
            "boot with damon_stat.enabled=N; until then: echo N >/sys/module/damon_stat/parameters/enabled"};
}

Check cgroups(const RootDir& root) {
    const auto controllers = root.read_file(in_mount("cgroup.controllers"));
    if (!controllers)
        return {"cgroups", Kind::problem, "cgroup v2 is not mounted on /sys/fs/cgroup",
                "boot with systemd.unified_cgroup_hierarchy=1"};
    const std::string words = " " + std::string(trim(*controllers)) + " ";
    if (words.find(" memory ") == std::string::npos)
        return {"cgroups", Kind::problem, "cgroup v2 has no memory controller",
                "boot without cgroup_disable=memory, and without cgroup v1 controllers"};
    const auto marked = os::find_marked_cgroups(root);
    const std::size_t uncounted = marked ? marked->uncounted.size() : 0;
    const std::string exceptions =
        uncounted == 0 ? "" : "; those that do not count as needed (user.tmm.count=never): " + std::to_string(uncounted);
    return {"cgroups", Kind::ok, "cgroup v2 with the memory controller" + exceptions, ""};
}

Check slice(const RootDir& root) {
    const std::string unit = found_in(root, unit_directories, std::string(transparent_slice));
    if (unit.empty())
        return {"slice", Kind::warning, "systemd does not know transparent.slice, so contributions compete for the processor",
                "install the package maketransparent"};
    return {"slice", Kind::ok, "transparent.slice is installed (/" + unit + ")", ""};
}

// Returns whether the running tmmd may ask the kernel for alarms; true if none runs as systemd's service.
bool may_ask_for_alarms(const RootDir& root) {
    const auto pids = root.read_file(in_mount("system.slice/tmmd.service/cgroup.procs"));
    std::string_view rest = pids ? std::string_view(*pids) : std::string_view();
    while (!rest.empty()) {
        const auto status = root.read_file("proc/" + std::string(next_line(rest)) + "/status");
        // Its helper has other capabilities.
        if (!status || !status->starts_with("Name:\ttmmd\n"))
            continue;
        constexpr std::string_view effective = "CapEff:\t";
        const auto at = status->find(effective);
        if (at == std::string::npos)
            continue;
        constexpr unsigned cap_sys_resource = 24;
        return (std::strtoull(status->c_str() + at + effective.size(), nullptr, 16) >> cap_sys_resource & 1) != 0;
    }
    return true;
}

Check pressure(const RootDir& root) {
    if (!root.read_file("proc/pressure/memory"))
        return {"pressure", Kind::warning, "the kernel does not measure how long programs wait for memory", "boot with psi=1"};
    if (!may_ask_for_alarms(root))
        return {"pressure", Kind::warning,
                "tmmd has no CAP_SYS_RESOURCE, so the kernel does not alarm it at once when programs wait",
                "let tmmd.service have it in CapabilityBoundingSet=, then: systemctl daemon-reload; systemctl restart tmmd"};
    return {"pressure", Kind::ok, "the kernel tells how long programs wait for memory", ""};
}

// /proc/swaps has a line of titles, then lines "FILE TYPE SIZE_KIB USED PRIORITY".
Check swap(const RootDir& root) {
    const auto text = root.read_file("proc/swaps");
    std::uint64_t bytes = 0;
    std::string names;
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
    while (!(rest = trim(rest)).empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size());
        const auto name_end = std::min(line.find_first_of(" \t"), line.size());
        std::string_view fields = trim(line.substr(name_end));
        fields = trim(fields.substr(std::min(fields.find_first_of(" \t"), fields.size())));
        const auto kib = parse_uint(fields.substr(0, fields.find_first_of(" \t")));
        if (!kib)
            continue;
        bytes += *kib * 1024;
        names += (names.empty() ? "" : ", ") + std::string(line.substr(0, name_end));
    }
    if (bytes == 0)
        return {"swap", Kind::warning, "there is no swap, so only memory of files can be given and taken back",
                "add zram (package zram-tools or systemd-zram-generator) or a swap file"};
    return {"swap", Kind::ok, format_bytes(bytes) + " (" + names + ")", ""};
}

Check configuration(const RootDir& root) {
    const auto entries = read_ini_with_dropins(root, config::default_config_path, true);
    if (!entries)
        return {"configuration", Kind::problem, entries.error().message(),
                "correct it: tmmd.conf(5); 'tmmd --check-config' checks it"};
    const auto config = config::make_config(*entries);
    if (!config)
        return {"configuration", Kind::problem, config.error().message(),
                "correct it: tmmd.conf(5); 'tmmd --check-config' checks it"};
    return {"configuration", Kind::ok, entries->empty() ? "tmmd.conf sets nothing: the defaults hold" : "tmmd.conf is in order",
            ""};
}

Check daemon(const RootDir& root, const BusFacts& bus) {
    if (!bus.daemon_problem.empty()) {
        const bool installed = !found_in(root, unit_directories, "tmmd.service").empty();
        return {"daemon", Kind::problem, bus.daemon_problem,
                installed ? "start it: systemctl enable --now tmmd; if it ends, 'journalctl -u tmmd' says why"
                          : "install the package tmm-daemon, then: systemctl enable --now tmmd"};
    }
    if (!bus.status)
        return {"daemon", Kind::problem, "tmmd cannot be asked without the bus", "see bus"};
    if (bus.status->state == "trouble")
        return {"daemon", Kind::problem, "tmmd runs, but: " + bus.status->reason,
                "the other checks may say why; so may 'journalctl -u tmmd'"};
    if (bus.status->version != TMM_VERSION)
        return {"daemon", Kind::warning, "tmmd is version " + bus.status->version + ", tmmctl is " TMM_VERSION,
                "start the new one: systemctl restart tmmd"};
    return {"daemon", Kind::ok, "tmmd " + bus.status->version + " runs: " + bus.status->state, ""};
}

Check message_bus(const RootDir& root, const BusFacts& bus) {
    if (!bus.bus_problem.empty())
        return {"bus", Kind::problem, bus.bus_problem, "start it: systemctl start dbus"};
    constexpr std::array<std::string_view, 3> policies{"etc/dbus-1/system.d", "usr/local/share/dbus-1/system.d",
                                                       "usr/share/dbus-1/system.d"};
    if (found_in(root, policies, "org.transparentmemory.Tmm1.conf").empty())
        return {"bus", Kind::problem, "the bus does not let tmmd in: org.transparentmemory.Tmm1.conf is missing",
                advice_to_install(root)};
    return {"bus", Kind::ok, "the system bus can be reached, and lets tmmd in", ""};
}

Check polkit(const RootDir& root, const BusFacts& bus) {
    constexpr std::array<std::string_view, 2> actions{"usr/share/polkit-1/actions", "usr/local/share/polkit-1/actions"};
    const std::string only_root = ", so only root may pause or change anything";
    if (bus.bus_problem.empty() && !bus.has_polkit)
        return {"polkit", Kind::warning, "polkit is not there" + only_root, "install the package polkitd"};
    if (found_in(root, actions, "org.transparentmemory.tmm1.policy").empty())
        return {"polkit", Kind::problem, "polkit does not know TMM's actions" + only_root, advice_to_install(root)};
    return {"polkit", Kind::ok, "polkit decides who may pause and change limits", ""};
}

std::size_t count(const std::vector<Check>& checks, Kind kind) {
    return static_cast<std::size_t>(
        std::count_if(checks.begin(), checks.end(), [&](const Check& check) { return check.result == kind; }));
}

std::string_view word_of(Kind kind) {
    constexpr std::array<std::string_view, 3> words{"ok", "warning", "problem"};
    return words.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::vector<Check> examine(const RootDir& root, const BusFacts& bus) {
    std::vector<Check> checks{kernel(root, bus),   cgroups(root),          slice(root),       pressure(root),   swap(root),
                              configuration(root), message_bus(root, bus), polkit(root, bus), daemon(root, bus)};
    if (loses_uses_to_damon(root, bus))
        checks.insert(checks.begin() + 1, damon());
    return checks;
}

bool has_problem(const std::vector<Check>& checks) {
    return count(checks, Kind::problem) > 0;
}

std::string format_checks(const std::vector<Check>& checks, const Screen& screen) {
    constexpr std::array<Colour, 3> colours{Colour::green, Colour::yellow, Colour::red};
    std::string text;
    for (const Check& check : checks) {
        const std::string_view word = word_of(check.result);
        text += coloured(screen, colours.at(static_cast<std::size_t>(check.result)), word) + std::string(9 - word.size(), ' ');
        text += check.name + ": " + printable(check.finding) + (check.advice.empty() ? "" : "; " + check.advice) + "\n";
    }
    const std::size_t problems = count(checks, Kind::problem);
    const std::size_t warnings = count(checks, Kind::warning);
    if (problems + warnings == 0)
        return text + "All is in order.\n";
    return text + "Problems: " + std::to_string(problems) + ", warnings: " + std::to_string(warnings) + ".\n";
}

std::string checks_json(const std::vector<Check>& checks) {
    std::vector<std::string> objects;
    for (const Check& check : checks) {
        JsonObject object;
        object.text("check", check.name).text("result", word_of(check.result)).text("finding", check.finding);
        check.advice.empty() ? object.null("advice") : object.text("advice", check.advice);
        objects.push_back(object.str());
    }
    JsonObject all;
    all.count("problems", count(checks, Kind::problem)).count("warnings", count(checks, Kind::warning));
    return all.add("checks", json_array(objects)).str() + "\n";
}

}  // namespace tmm::ctl
