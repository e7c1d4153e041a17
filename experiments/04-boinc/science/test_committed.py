# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The committed results: the tables and the report say what results.csv says."""

import pathlib
import re
import unittest

from . import project, report
from .systems import SYSTEMS, TMM_SYSTEMS

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "results"


def results(name: str) -> dict[str, report.Result]:
    rows = report.parse_csv((RESULTS / name / "results.csv").read_text(encoding="utf-8"))
    return {row.system: row for row in rows}


class CommittedTables(unittest.TestCase):
    def test_are_those_of_the_rows(self) -> None:
        said = (RESULTS / "report.md").read_text(encoding="utf-8")
        folders = sorted(path.parent for path in RESULTS.glob("*/results.csv"))
        self.assertTrue(folders)
        for folder in folders:
            committed = (folder / "table.md").read_text(encoding="utf-8")
            command, _, table = committed.partition("\n\n")
            self.assertEqual(report.text(list(results(folder.name).values()), command.strip()), committed)
            self.assertIn(command, said)
            self.assertIn(table.strip(), said)


def kept(row: report.Result) -> str:
    return f"{row.owner_kept_mb / row.owner_before_mb * 100:.0f} %"


def need(row: report.Result) -> str:
    return " of ".join(re.search(r"need (\d+) MiB of (\d+) MiB", row.decided).groups())


class CommittedReport(unittest.TestCase):
    """Every figure of the prose is one of the rows."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.loop, cls.phases = results("loop"), results("phases")
        cls.said = " ".join((RESULTS / "report.md").read_text(encoding="utf-8").split())

    def expect(self, *sentences: str) -> None:
        for sentence in sentences:
            self.assertIn(sentence, self.said)

    def test_what_ran(self) -> None:
        self.assertEqual(list(self.loop), list(SYSTEMS))
        self.assertEqual(set(self.phases), {"boinc-50", "boinc-25", *TMM_SYSTEMS})
        sizes = project.tasks_mb(1024)
        self.expect(f"`loop` uses {self.loop['tmm-stock'].owner_before_mb:.0f} MB and `phases` {self.phases['tmm-stock'].owner_before_mb:.0f} MB",
                    f"tasks of {min(sizes)} to {max(sizes)} MB, {sum(sizes[:project.PROCESSORS])} MB in eight")
        for rows in (self.loop, self.phases):
            self.assertEqual({row.machine for row in rows.values()}, {"fresh"})
            self.assertLess(max(row.owner_before_mb for row in rows.values()) - min(row.owner_before_mb for row in rows.values()), 5)

    def test_those_without_a_fault(self) -> None:
        def spared(rows: dict[str, report.Result]) -> set[str]:
            return {name for name, row in rows.items() if row.faults_mean == row.stall_share == 0}

        self.assertEqual(spared(self.loop), {"none", "boinc-50", "boinc-25", "priority", *TMM_SYSTEMS})
        self.assertEqual(spared(self.phases), set(TMM_SYSTEMS))
        self.expect(f"`boinc-25` costs {self.phases['boinc-25'].faults_mean:.0f} faults a second and `boinc-50` {self.phases['boinc-50'].faults_mean:.0f}")

    def test_boincs_own_preferences(self) -> None:
        own, suspend, most = (self.loop[name] for name in ("boinc-50-90", "boinc-suspend", "boinc-75"))
        self.expect(f"the owner kept {kept(own)} of it, and had {own.faults_mean:.0f} faults a second",
                    f"{kept(suspend)} kept, {suspend.faults_mean:.0f} faults a second, and no science",
                    f"costs most faults, {most.faults_mean:.0f} a second", f"of all, {most.task_s:.0f} task seconds")
        self.assertEqual(most.faults_mean, max(row.faults_mean for row in self.loop.values()))
        self.assertEqual(most.task_s, max(row.task_s or 0 for row in self.loop.values()))
        self.assertEqual(suspend.task_s, suspend.task_break_s)

    def test_science(self) -> None:
        half, stock, tmm = (self.loop[name] for name in ("boinc-50", *TMM_SYSTEMS))
        self.expect(f"did {half.task_s:.0f} task seconds without a fault. `tmm-stock` did {stock.task_s:.0f}, `tmm` {tmm.task_s:.0f}",
                    f"it did {stock.task_break_s:.0f} task seconds, `boinc-50` {half.task_break_s:.0f}",
                    f"it did {stock.task_s - stock.task_break_s:.0f}, `boinc-50` {half.task_s - half.task_break_s:.0f}",
                    f"Seven tasks ran in {stock.donated_after_mb:.0f} MB, five in {half.donated_after_mb:.0f}",
                    f"with `loop`: {stock.task_s:.0f} task seconds, {half.task_s:.0f} with `boinc-50`.** `tmm` did {tmm.task_s:.0f}",
                    f"was {stock.science_s:.0f} for `tmm-stock` and {tmm.science_s:.0f} for `tmm` with `loop`, {half.science_s:.0f} for `boinc-50`")
        self.assertEqual((stock.executing_after, half.executing_after), (7, 5))
        quarter, stock, tmm = (self.phases[name] for name in ("boinc-25", *TMM_SYSTEMS))
        self.expect(f"did {quarter.task_s:.0f} task seconds; `tmm-stock` did {stock.task_s:.0f} and `tmm` {tmm.task_s:.0f}")

    def test_which_rule_decided(self) -> None:
        loop, phases = self.loop["tmm-stock"], self.phases["tmm-stock"]
        self.expect(f"needed {need(loop)} on".replace(" of", " MiB of"), f"`phases` {need(phases)}.",
                    f"was {loop.free_before_mb:.0f} and {phases.free_before_mb:.0f} MB",
                    f"swapped out {loop.swapped_out_mb:.0f} MB (`tmm-stock`) and {self.loop['tmm'].swapped_out_mb:.0f} MB",
                    f"with `phases` {phases.swapped_out_mb:.0f} and {self.phases['tmm'].swapped_out_mb:.0f} MB",
                    f"swapped out {self.loop['priority'].swapped_out_mb:.0f} MB with `loop`")
        self.assertEqual({self.loop[name].orders for name in TMM_SYSTEMS}, {"limit 3, suspend 5"})
        for rows in (self.loop, self.phases):
            for name in TMM_SYSTEMS:
                self.assertRegex(rows[name].orders, r"^limit 3, suspend \d$", "none went on")
                self.assertEqual(kept(rows[name]), "100 %")

    def test_the_aims(self) -> None:
        every = [*self.loop.values(), *self.phases.values()]
        self.assertEqual({row.aborted for row in every if row.aborted is not None}, {0})
        first = [rows[name].first_interaction_s for rows in (self.loop, self.phases) for name in TMM_SYSTEMS]
        self.expect(f"after {min(first):.2f} to {max(first):.2f} s, {self.loop['none'].first_interaction_s:.2f} s with BOINC off")
