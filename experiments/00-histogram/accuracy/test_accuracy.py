# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import csv
import pathlib
import tempfile
import unittest

from desk.errors import DeskError
from desk.fakes import FolderTest

from . import figures, plan, report, results
from .runner import Programs

SAID = {"sample_shift": 2, "references": 1000, "pages": 40_000, "footprint_pages": 100, "exact_need_pages": 1000, "need_pages": 1020,
        "memory_pages": 2000, "mean_abs_error": 0.002, "achieved_beta": 1.01}


def row(workload: str = "zipf", epoch_s: float = 2.0, shift: int | None = 0, **said: float) -> results.Row:
    return results.row_of(plan.Replay(workload, 1, epoch_s, shift), SAID | said)


class PlanTest(unittest.TestCase):
    def test_each_workload_is_replayed_with_every_epoch_and_rate(self) -> None:
        replays = plan.replays("zipf", 1)
        self.assertEqual(len(replays), len(plan.EPOCHS_S) * len(plan.SHIFTS))
        self.assertEqual([replay.rate for replay in replays[:4]], ["1/1", "1/8", "1/64", "fixed"])

    def test_the_fixed_number_of_samples_is_the_programs_default(self) -> None:
        self.assertNotIn("--sample-shift", " ".join(plan.Replay("zipf", 1, 0.5, None).options(100)))
        self.assertIn("--sample-shift=3", plan.Replay("zipf", 1, 0.5, 3).options(100))


class ResultsTest(unittest.TestCase):
    def test_a_row_has_shares(self) -> None:
        self.assertAlmostEqual(row().footprint, 0.1)
        self.assertAlmostEqual(row().limit_error, 0.01)
        self.assertEqual(row().samples, 10_000)

    def test_what_tmmd_would_not_choose_is_out_of_reach(self) -> None:
        self.assertTrue(row().within_reach)
        self.assertFalse(row(footprint_pages=200).within_reach)
        self.assertFalse(row(sample_shift=3).within_reach)

    def test_the_table_has_a_line_for_each_row(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.csv"
            results.write_csv(path, [row(), row("loop")])
            with path.open(encoding="utf-8") as file:
                lines = list(csv.DictReader(file))
        self.assertEqual([line["workload"] for line in lines], ["zipf", "loop"])
        self.assertEqual(lines[0]["curve_error"], "0.002")

    def test_an_idle_machine_is_unmoved_if_nothing_changes_after_the_period_under_way(self) -> None:
        limits = [[0, 100, "learning"], [15, 50, ""], [650, 52, ""]]
        self.assertTrue(results.idle_of(limits, 100, 10_000).unmoved)
        self.assertFalse(results.idle_of([*limits, [5000, 60, ""]], 100, 10_000).unmoved)
        self.assertTrue(results.idle_of([*limits, [10_001, 60, ""]], 100, 10_000).unmoved, "the owner is back")


class ReportTest(unittest.TestCase):
    IDLE = results.Idle(50, 0, 50)

    def test_aims_that_are_missed_are_called_so(self) -> None:
        good = "\n".join(report.aims([row()], self.IDLE))
        self.assertEqual(good.count("| reached |"), 4)
        bad = "\n".join(report.aims([row(mean_abs_error=0.01, need_pages=1100, achieved_beta=2)], results.Idle(50, 1, 60)))
        self.assertEqual(bad.count("**missed**"), 4)

    def test_without_a_fair_run_it_says_so(self) -> None:
        self.assertIn("no run has", "\n".join(report.aims([row(sample_shift=6)], self.IDLE)))

    def test_the_text_has_all_runs_and_the_figures(self) -> None:
        rows = [row(workload, replay.epoch_s, replay.shift) for workload in plan.WORKLOADS for replay in plan.replays(workload, 1)]
        text = report.text(rows, self.IDLE, plan.QUICK, ["error.png", "error.svg"])
        self.assertIn("80 replays", text)
        self.assertIn("![error.png](error.png)", text)
        self.assertNotIn("error.svg", text)


class FiguresTest(unittest.TestCase):
    def test_every_workload_has_a_panel(self) -> None:
        rows = [row(workload, replay.epoch_s, replay.shift) for workload in plan.WORKLOADS for replay in plan.replays(workload, 1)]
        script = figures.error_script(rows)
        self.assertEqual(script.count("\nplot "), len(plan.WORKLOADS))
        said = {f"{workload} {epoch_s:g}": {"memory_pages": 10, "references": 4, "curve": [[0, 4], [5, 1]], "exact": [[0, 4], [5, 2]]}
                for workload in plan.WORKLOADS for epoch_s in (2.0, 30.0)}
        self.assertEqual(figures.curves_script(said, (2.0, 30.0)).count("\nplot "), len(plan.WORKLOADS))


class RunnerTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.build = self.folder

    def program(self, name: str, script: str) -> None:
        path = self.build / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def test_missing_programs_are_named(self) -> None:
        with self.assertRaisesRegex(DeskError, "not built: .*make-trace, .*tmm-replay; build with: ./run build"):
            Programs(self.build)

    def test_runs_them_and_reads_what_they_say(self) -> None:
        self.program("experiments/00-histogram/make-trace", 'echo "$@"')
        self.program("tmmd/replay/tmm-replay", "cat \"$2\" >&2; test \"$1\" = --json || exit 1; echo '{\"pages\": 3}'")
        programs = Programs(self.build)
        trace = self.build / "trace"
        programs.write_trace(trace, ["--seed=1"], "zipf")
        self.assertEqual(trace.read_text(), "--seed=1 zipf\n")
        self.assertEqual(programs.replay(trace, ["--json"]), {"pages": 3})
        with self.assertRaisesRegex(DeskError, "exit status 1: --seed=1 zipf"):
            programs.replay(trace, ["--csv"])
