# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The committed results: the tables and the report say what results.csv says."""

import pathlib
import re
import unittest

from desk import records

from . import project, report
from .systems import SYSTEMS, TMM_SYSTEMS

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "results"


def results(name: str) -> dict[str, report.Result]:
    rows = records.parse_csv(report.Result, (RESULTS / name / "results.csv").read_text(encoding="utf-8"), name)
    return {row.system: row for row in rows}


class CommittedTables(unittest.TestCase):
    def test_are_those_of_the_rows(self) -> None:
        records.check_tables(self, RESULTS, lambda name, command: report.text(list(results(name).values()), command))


def kept(row: report.Result) -> str:
    return f"{row.owner_kept_mb / row.owner_before_mb * 100:.0f} %"


def need(row: report.Result, unit: str = "") -> str:
    return f"{unit} of ".join(re.search(r"need (\d+) MiB of (\d+) MiB", row.decided).groups())


class CommittedReport(unittest.TestCase):
    """Every figure of the prose is one of the rows."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.loop, cls.phases, cls.lived_in = results("loop"), results("phases"), results("lived-in")
        cls.said = " ".join((RESULTS / "report.md").read_text(encoding="utf-8").split())

    def expect(self, *sentences: str) -> None:
        for sentence in sentences:
            self.assertIn(sentence, self.said)

    def test_what_ran(self) -> None:
        self.assertEqual(list(self.loop), list(SYSTEMS))
        self.assertEqual(set(self.phases), {"none", "boinc-50-90", "boinc-50", "boinc-25", "tmm-stock", "tmm"})
        sizes = project.tasks_mb(1024)
        self.expect(f"`loop` uses {self.loop['tmm-stock'].owner_before_mb:.0f} MB and `phases` {self.phases['tmm-stock'].owner_before_mb:.0f} MB",
                    f"tasks of {min(sizes)} to {max(sizes)} MB, {sum(sizes[:project.PROCESSORS])} MB in eight")
        for rows, machine in (self.loop, "fresh"), (self.phases, "fresh"), (self.lived_in, "lived-in"):
            self.assertEqual({row.machine for row in rows.values()}, {machine})
            self.assertLess(max(row.owner_before_mb for row in rows.values()) - min(row.owner_before_mb for row in rows.values()), 5)

    def test_those_without_a_fault(self) -> None:
        def spared(rows: dict[str, report.Result]) -> set[str]:
            return {name for name, row in rows.items() if row.faults_mean == row.stall_share == 0}

        self.assertEqual(spared(self.loop), {"none", "boinc-50", "boinc-25", "priority", *TMM_SYSTEMS})
        self.assertEqual(spared(self.phases), {"none", "tmm-stock", "tmm"})
        self.expect("no fault and no wait in the five boots above on fresh machines", "So did `priority`, `boinc-50` and `boinc-25` with `loop`",
                    f"`boinc-25` costs {self.phases['boinc-25'].faults_mean:.0f} faults a second",
                    f"and `boinc-50` {self.phases['boinc-50'].faults_mean:.0f}.")

    def test_boincs_own_preferences(self) -> None:
        own, suspend, most, all_of_it = (self.loop[name] for name in ("boinc-50-90", "boinc-suspend", "boinc-75", "boinc-90"))
        phases = self.phases["boinc-50-90"]
        more = most.task_s / self.loop["tmm-stock"].task_s - 1
        self.expect(f"the owner kept {kept(own)} of it, and had {own.faults_mean:.0f} faults a second; with `phases` {kept(phases)} and "
                    f"{phases.faults_mean:.0f}.", f"{kept(suspend)} kept, {suspend.faults_mean:.0f} faults a second, and hardly any science",
                    f"cost {most.faults_mean:.0f} and {all_of_it.faults_mean:.0f} faults a second",
                    f"did most of all, {most.task_s:.0f} task seconds, {more:.0%} more".replace("% more", " % more"))
        self.assertEqual(most.task_s, max(row.task_s or 0 for row in self.loop.values()))
        self.assertLess(suspend.task_s - suspend.task_break_s, 0.1 * suspend.task_break_s)

    def test_science(self) -> None:
        half, stock, keep, tmm, priority = (self.loop[name] for name in ("boinc-50", *TMM_SYSTEMS, "priority"))
        self.expect(f"`tmm-stock` did {stock.task_s:.0f} task seconds with `loop` and `tmm` {tmm.task_s:.0f}",
                    f"`boinc-50` did most, {half.task_s:.0f}.",
                    f"swapped {priority.swapped_out_mb:.0f} MB against each other and did {priority.task_s:.0f} task seconds",
                    f"wants all in memory, did {keep.task_s:.0f} task seconds",
                    f"It swapped {keep.swapped_out_mb:.0f} MB, `tmm-stock` {stock.swapped_out_mb:.0f}",
                    f"was {stock.science_s:.0f} for `tmm-stock` and {tmm.science_s:.0f} for `tmm` with `loop`, {half.science_s:.0f} for `boinc-50`")
        self.assertEqual(max(row.task_s for row in self.loop.values() if row.task_s and row.faults_mean == 0 and row.system.startswith("boinc")),
                         half.task_s)
        self.assertEqual({self.loop[name].ended for name in TMM_SYSTEMS}, {0})
        quarter, stock, tmm = (self.phases[name] for name in ("boinc-25", "tmm-stock", "tmm"))
        self.expect(f"With `phases` `tmm-stock` did {stock.task_s:.0f} and `tmm` {tmm.task_s:.0f}",
                    f"`boinc-25`, which hurt least, did {quarter.task_s:.0f}")

    def test_a_lived_in_machine(self) -> None:
        stock = self.lived_in["tmm-stock"]
        self.expect(f"`tmm-stock` gave {stock.donated_break_mb:.0f} MB in the break and did {stock.task_s:.0f} task seconds",
                    f"The owner kept {kept(stock)} of the memory in use and had {stock.faults_mean:.1f} faults a second.")
        for name, row in self.lived_in.items():
            if name.startswith("boinc"):
                self.expect(f"With `{name}` the owner kept {kept(row)} and had {row.faults_mean:.1f}, and its tasks did {row.task_s:.0f} task")
        if tmm := self.lived_in.get("tmm"):
            self.expect(f"`tmm` kept {kept(tmm)}, with {tmm.faults_mean:.1f} faults a second and {tmm.task_s:.0f} task seconds")

    def test_a_new_program(self) -> None:
        rows = results("new-program")
        off, own, end, keep = (rows[name] for name in ("none", "boinc-50-90", "tmm-stock", "tmm-stock-keep"))
        self.assertEqual((end.ended, keep.ended), (2, 0))
        self.assertEqual({kept(end), kept(keep)}, {"100 %"})
        sizes = project.tasks_mb(4096)
        after = {row: row.task_s - row.task_break_s for row in (own, end, keep)}
        self.expect(f"Tasks have {min(sizes)} to {max(sizes)} MB", f"with BOINC's defaults {kept(own)}.",
                    f"had {end.faults_mean:.0f} faults a second with `tmm-stock`, {keep.faults_mean:.0f} with `tmm-stock-keep` and "
                    f"{own.faults_mean:.0f} with `boinc-50-90`",
                    f"swapped {end.swapped_out_mb:.0f} MB in place of {keep.swapped_out_mb:.0f}",
                    f"waited for {100 * end.stall_share:.1f} % of the time in place of {100 * keep.stall_share:.1f} %",
                    f"did {after[end]:.0f} task seconds after the return in place of {after[keep]:.0f}",
                    f"defaults {after[own]:.0f} task seconds after the return, `tmm-stock` did {after[end]:.0f}",
                    f"came after {end.new_program_s:.0f} and {keep.new_program_s:.0f} s with TMM, after {off.new_program_s:.0f} s with BOINC off, "
                    f"and after {own.new_program_s:.0f} s with BOINC's defaults")

    def test_which_rule_decided(self) -> None:
        loop, phases = self.loop["tmm-stock"], self.phases["tmm-stock"]
        self.expect(f"needed {need(loop, ' MiB')} on", f"`phases` {need(phases)}.",
                    f"was {loop.free_before_mb:.0f} and {phases.free_before_mb:.0f} MB")
        self.assertEqual({self.loop[name].orders for name in TMM_SYSTEMS}, {"limit 2, suspend 5"})
        self.assertEqual({self.phases[name].orders for name in ("tmm-stock", "tmm")}, {"limit 2, suspend 7"})
        for row in [*(self.loop[name] for name in TMM_SYSTEMS), *(self.phases[name] for name in ("tmm-stock", "tmm"))]:
            self.assertEqual(kept(row), "100 %")

    def test_the_aims(self) -> None:
        every = [*self.loop.values(), *self.phases.values(), *self.lived_in.values()]
        self.assertEqual({row.aborted for row in every if row.aborted is not None}, {0})
        ours = [*(self.loop[name] for name in TMM_SYSTEMS), *(self.phases[name] for name in ("tmm-stock", "tmm"))]
        first = [row.first_interaction_s for row in ours]
        stock, tmm, half = (self.loop[name].task_s for name in ("tmm-stock", "tmm", "boinc-50"))
        self.expect(f"after {min(first):.2f} to {max(first):.2f} s, with BOINC off {self.loop['none'].first_interaction_s:.2f} s (`loop`) and "
                    f"{self.phases['none'].first_interaction_s:.2f} s (`phases`)",
                    f"{stock:.0f} and {tmm:.0f} task seconds with `loop`, {half:.0f} with `boinc-50`",
                    "lived in {:.0f} and {:.0f}, {:.0f} with `boinc-50`".format(
                        *(self.lived_in[name].task_s for name in ("tmm-stock", "tmm", "boinc-50"))))
