# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import json
import pathlib
import re
import subprocess
import unittest

import resume_after_idle

from desk import boots, fakes, plan
from desk.errors import DeskError
from desk.fakes import FolderTest
from desk.report import breaks

from . import tables
from .systems import SYSTEMS


class Systems(FolderTest):
    def run_in_shell(self, command: str) -> None:
        for name in ("owner", "transparent.slice"):
            (self.folder / name).mkdir(exist_ok=True)
        subprocess.run(["bash", "-euc", f"cgroups={self.folder}; {command}"], check=True)

    def said(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="ascii")

    @staticmethod
    def total_bytes() -> int:
        return int(re.search(r"MemTotal: +(\d+)", pathlib.Path("/proc/meminfo").read_text(encoding="ascii"))[1]) * 1024

    def test_each_is_based_on_a_system_of_the_plan(self) -> None:
        self.assertEqual({system.base for system in SYSTEMS.values()} - set(plan.SYSTEMS), set())

    def test_none_is_there_twice(self) -> None:
        settings = [(system.base, system.setup, system.at_return, system.source) for system in SYSTEMS.values()]
        self.assertEqual(len(set(settings)), len(settings))

    def test_uresourced_protects_a_tenth_at_most(self) -> None:
        self.run_in_shell(SYSTEMS["memory-min"].setup)
        self.assertEqual(int(self.said("owner/memory.min")), min(self.total_bytes() // 10, 250 << 20))

    def test_the_contribution_is_frozen_at_the_return(self) -> None:
        self.run_in_shell(SYSTEMS["freeze"].at_return)
        self.assertEqual(self.said("transparent.slice/cgroup.freeze"), "1\n")

    def test_boinc_has_nine_tenths_in_the_break_and_half_after_it(self) -> None:
        limits = []
        for command in (SYSTEMS["boinc"].setup, SYSTEMS["boinc"].setup + "\n" + SYSTEMS["boinc"].at_return + "\nwait"):
            self.run_in_shell(command)
            limits.append(int(self.said("transparent.slice/memory.high")) / self.total_bytes())
        self.assertAlmostEqual(limits[0], 0.9, places=3)
        self.assertAlmostEqual(limits[1], 0.5, places=3)

    def test_a_static_share_is_an_eighth_and_has_no_swap_in_memory(self) -> None:
        for name, knob in (("static-eighth", "memory.max"), ("static-high", "memory.high")):
            for swaps, limit in (("/dev/vda partition 9 0 -2", None), ("/dev/zram0 partition 9 0 100", "0\n")):
                (self.folder / "swaps").write_text(swaps, encoding="ascii")
                self.run_in_shell(SYSTEMS[name].setup.replace("/proc/swaps", str(self.folder / "swaps")))
                no_swap = self.folder / "transparent.slice/memory.swap.max"
                self.assertEqual(no_swap.read_text(encoding="ascii") if no_swap.exists() else None, limit)
                self.assertEqual(int(self.said(f"transparent.slice/{knob}")), self.total_bytes() // 8)
                self.assertEqual(self.said("transparent.slice/memory.oom.group"), "1\n")
                no_swap.unlink(missing_ok=True)

    def test_oomd_reads_its_configuration(self) -> None:
        text = re.search(r"<<'END'\n(.*)\nEND\n", SYSTEMS["senpai"].setup, re.DOTALL)[1]
        self.assertEqual(json.loads(text)["rulesets"][0]["actions"][0]["args"]["cgroup"], "owner")

    def test_all_commands_are_bash(self) -> None:
        for system in SYSTEMS.values():
            for command in (system.setup, system.at_return):
                subprocess.run(["bash", "-n", "-c", command], check=True)


class Runs(unittest.TestCase):
    @staticmethod
    def runs(*arguments: str) -> dict[str, plan.Run]:
        chosen = resume_after_idle.parser().parse_args(arguments)
        return {name: resume_after_idle.run_of(boots.Boot(name), chosen) for name in SYSTEMS}

    def test_only_tmm_and_the_bitmap_need_a_kernel_of_our_own(self) -> None:
        self.assertEqual({name: run.kernel for name, run in self.runs().items() if run.kernel != "debian"}, {"tmm-idle": "plain", "tmm": "tmm"})
        self.assertEqual({run.kernel for run in self.runs("--kernel=own").values()}, {"plain", "tmm"})

    def test_the_multi_gen_lru_is_on_where_debian_leaves_it_to_the_machine(self) -> None:
        self.assertEqual({name: run.lru for name, run in self.runs().items() if run.lru != "default"}, {"tmm-idle": "mglru", "tmm": "mglru"})
        self.assertEqual({run.lru for run in self.runs("--lru=classic").values()}, {"classic"})

    def test_all_have_the_same_packages_but_for_the_kernel(self) -> None:
        self.assertEqual(len({run.packages for run in self.runs().values()}), 1)
        self.assertEqual(self.runs("--kernel=debian")["plain"].packages[0], "linux-image-amd64")

    def test_a_source_is_named_where_the_best_is_not_wanted(self) -> None:
        self.assertEqual({name: run.source for name, run in self.runs().items() if run.source}, {"tmm-footprint": "footprint", "tmm-idle": "idle"})

    def test_only_killers_may_kill(self) -> None:
        self.assertEqual({name for name, run in self.runs().items() if run.may_kill}, {"min-ttl", "systemd-oomd", "earlyoom"})
        self.assertTrue(all(run.may_kill for run in self.runs("--backing", "zram").values()), "the kernel has no other way out there")

    def test_memory_compresses_if_asked_for(self) -> None:
        self.assertEqual([{run.compressible for run in self.runs(*arguments).values()}
                          for arguments in ((), ("--compressible",), ("--compressible", "2"))], [{1}, {3}, {2}])

    def test_own_programs_replace_owner_and_contribution(self) -> None:
        runs = self.runs("--opaque=exec mpv film", "--contributor=exec fold")
        self.assertEqual({(run.workload, plan.owner_command(run)) for run in runs.values()}, {("custom", "exec mpv film")})
        commands = {name: (run.contribution, plan.contributor_command(run)) for name, run in runs.items()}
        self.assertEqual((commands.pop("none"), set(commands.values())), (("none", ""), {("custom", "exec fold")}))

    def test_a_boot_has_its_number(self) -> None:
        chosen = resume_after_idle.parser().parse_args(["--boots=2"])
        self.assertEqual(resume_after_idle.run_of(boots.Boot("plain", 2), chosen).run, 2)

    def test_a_lived_in_machine_has_a_past(self) -> None:
        self.assertEqual({(run.machine, run.past_s, run.time_lapse) for run in self.runs().values()}, {("fresh", 0, 1)})
        lived_in = self.runs("--machine=lived-in", "--past=90", "--time-lapse=30")
        self.assertEqual({(run.machine, run.past_s, run.time_lapse) for run in lived_in.values()}, {("lived-in", 90, 30)})

    def test_a_night_and_several_returns_are_asked_for(self) -> None:
        self.assertEqual({(run.night, run.returns) for run in self.runs().values()}, {(False, 1)})
        self.assertEqual({(run.night, run.returns) for run in self.runs("--machine=lived-in", "--night", "--returns=20").values()}, {(True, 20)})


class Table(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        fakes.write_run(self.folder)
        (self.folder / "kernel-release").write_text("6.12\n", encoding="ascii")

    def result(self, name: str = "plain", **changes: object) -> breaks.Result:
        return breaks.result_of(name, fakes.run(**changes), self.folder)

    def shown(self, result: breaks.Result) -> dict[str, str]:
        return dict(zip(tables.HEADER, tables.cells(result)))

    def test_has_a_row_for_each_run(self) -> None:
        result = self.result()
        self.assertEqual(tables.cells(result), ("plain", "a contribution, and nothing against it", "10.0", "20", "50.0%", "0.50", "75", "1", "-", "25%", "7",
                                                "0.0", "0", "2", "-"))
        shown = tables.text([result])
        self.assertTrue(shown.startswith("| system |  | faults/s |"), shown)
        self.assertEqual(len(shown.splitlines()), 3)

    def test_without_contribution_nothing_is_donated(self) -> None:
        row = self.shown(self.result("none", system="none"))
        self.assertEqual((row["donated MB"], row["contribution's work s"]), ("-", "-"))

    def test_of_a_lived_in_machine_what_was_left_need_not_be_kept(self) -> None:
        (self.folder / "workload-kept").write_text((self.folder / "workload-before").read_text(encoding="utf-8"), encoding="utf-8")
        shares = [self.shown(self.result(machine=machine))["owner kept"] for machine in (plan.FRESH, plan.LIVED_IN)]
        self.assertEqual(shares, ["25%", "100%"])

    def test_a_run_without_interactions_is_an_error(self) -> None:
        (self.folder / "latencies.csv").unlink()
        with self.assertRaisesRegex(DeskError, "no interaction"):
            self.result()

    def test_a_command_of_the_users_need_not_log_interactions(self) -> None:
        (self.folder / "latencies.csv").unlink()
        row = self.shown(self.result(workload="custom", opaque="exec mpv film"))
        self.assertEqual((row["faults/s"], row["first interaction s"], row["hitches"], row["p99 back after s"]), ("10.0", "-", "-", "-"))

    def test_a_killed_owner_has_no_interactions(self) -> None:
        (self.folder / "latencies.csv").unlink()
        (self.folder / "killed").write_text("owner\nowner\ncontribution\n", encoding="ascii")
        row = self.shown(self.result())
        self.assertEqual((row["faults/s"], row["first interaction s"], row["killed"]), ("-", "-", "owner contribution"))

    def test_donates_the_area_below_its_resident_memory(self) -> None:
        samples = fakes.SAMPLES_HEADER + "".join(
            fakes.sample_line(t_s, phase, contribution_current_bytes=mb << 20, contribution_swap_bytes=swap_mb << 20) for t_s, phase, mb, swap_mb in (
                (0, "work", 9999, 0), (3600, "break", 0, 0), (7200, "break", 10, 1), (10800, "return", 20, 3), (14400, "return", 20, 4),
                (18000, "end", 0, 5), (21600, "end", 9999, 6)))
        (self.folder / "samples.csv").write_text(samples, encoding="utf-8")
        self.assertEqual(breaks.donations(self.folder), {"donated_mb_hours": 5 + 15 + 20 + 10, "contribution_swap_mb": 3})

    def test_zram_costs_what_it_takes_more_at_the_return(self) -> None:
        self.assertIsNone(self.result().zram_grown_mb)
        (self.folder / "state").mkdir()
        for when, used in (("break", 3 << 20), ("return", 10 << 20)):
            (self.folder / f"state/owner-at-the-{when}-zram").write_text(f"{30 << 20} {9 << 20} {used} 0 {used} 0 0 0 0\n", encoding="ascii")
        self.assertEqual(self.result().zram_grown_mb, 7.0)
        (self.folder / "state/owner-at-the-return-zram").write_text("1 2\n", encoding="ascii")
        with self.assertRaisesRegex(DeskError, "mm_stat"):
            self.result()

    def test_latencies_before_the_break_and_after_the_return(self) -> None:
        rows = ["t_s,interactions,mean_ms,max_ms", "9,1,900,900", "10,2,1,1", "12,1,900,900", "14,1,101,101", "74,1,500,500"]
        (self.folder / "latencies.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        (self.folder / "returned").write_text("13.50\n", encoding="ascii")
        columns = breaks.latency_columns(self.folder)
        self.assertEqual((columns["p99_times_min"], columns["p99_times_max"]), (101, 101), "the minute after the return alone")
        self.assertEqual((columns["hitches_min"], columns["hitches_max"]), (2, 2), "one that the end interrupts counts")

    def test_the_first_interactions_of_several_returns(self) -> None:
        self.assertIsNone(self.result().returns)
        self.assertEqual(tables.returns_table([self.result()]), "")
        # A return every 30 s; interactions take 10, 20, ... ms.
        returns = [14.25, *(30.0 * number for number in range(1, 20))]
        rows = ["t_s,interactions,mean_ms,max_ms,first_end_s", "10,2,1.0,2.0,10.1"]
        rows += [f"{int(at)},1,1,{101 if at > 17 else 1},{at + 0.01 * number:.3f}" for number, at in enumerate(returns, 1)]
        (self.folder / "latencies.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        (self.folder / "returned-again").write_text("".join(f"{at}\n" for at in returns[1:]), encoding="ascii")
        result = self.result()
        self.assertEqual((result.returns, result.first_median_s, result.first_p95_s), (20, 0.105, 0.19), "19 of 20 do not exceed the p95")
        self.assertEqual((result.hitches_min, result.hitches_max), (0, 0), "later returns are not of the first")
        none = dataclasses.replace(result, system="none", first_median_s=0.1, first_p95_s=0.2)
        self.assertIn("| none | 20 | 100 | 200 | - | - |\n| plain | 20 | 105 | 190 | 5 | -10 |\n", tables.returns_table([none, result]))
        self.assertIn("| plain | 20 | 105 | 190 | - | - |\n", tables.text([result]))

    def test_a_return_without_an_interaction_is_an_error(self) -> None:
        (self.folder / "returned-again").write_text("99.0\n", encoding="ascii")
        with self.assertRaisesRegex(DeskError, "1 of 2 returns have no interaction"):
            self.result()

    def test_of_several_boots_has_a_second_table(self) -> None:
        first = dataclasses.replace(self.result(), oracle_donation_mb=10.0)
        results = [dataclasses.replace(first, boot=number, donated_mb=donated) for number, donated in ((1, 5.0), (2, 8.0), (3, 9.0))]
        row = dict(zip(tables.SPREAD_HEADER, tables.spread_cells(results), strict=True))
        self.assertEqual([row[name] for name in ("faults/s", "waited", "owner kept", "donated MB", "of oracle's")],
                         ["10.0", "50.0%", "25%", "8 (5 to 9)", "80% (50% to 90%)"])
        shown = tables.text(results)
        self.assertIn("| plain, boot 3 |", shown)
        self.assertIn("\n\nMedians of the boots, with the least and the most:\n\n| system | boots | faults/s |", shown)
