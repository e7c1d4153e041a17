# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import contextlib
import io
import shutil
import unittest

import coffee_break

from desk import fakes
from desk.boots import Failure
from desk.fakes import FolderTest

from . import options
from .results import Results


class BelongsTest(unittest.TestCase):
    def belongs(self, *arguments: str, **changes: object) -> bool:
        chosen = options.complete(options.parser().parse_args(["--work=2", "--break=2", "--return=3", *arguments]))
        return coffee_break.belongs(fakes.row(**changes), chosen, options.runs_of(chosen)[0])

    def test_rows_of_the_same_conditions(self) -> None:
        self.assertTrue(self.belongs())
        self.assertTrue(self.belongs("--workloads=zipf", "--machine=lived-in"))
        self.assertTrue(self.belongs(workload="small", ram_mb=2048))
        for changes in ({"backing": "nvme"}, {"break_s": 300}, {"ram_mb": 256}, {"contribution": "custom"}, {"workload": "custom"}):
            self.assertFalse(self.belongs(**changes), changes)

    def test_other_days_do_not_compare(self) -> None:
        self.assertFalse(self.belongs("--workloads=medium", "--diary=away 1", workload="medium", ram_mb=2048))

    def test_rows_of_lived_in_machines_need_the_same_past(self) -> None:
        self.assertTrue(self.belongs(machine="lived-in", past_s=360, time_lapse=60))
        self.assertTrue(self.belongs("--past=9", "--time-lapse=2", machine="lived-in", past_s=9, time_lapse=2))
        self.assertFalse(self.belongs(machine="lived-in", past_s=9, time_lapse=30))
        self.assertFalse(self.belongs(machine="lived-in", past_s=360, time_lapse=2))


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class ConcludeTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder
        self.results = Results(self.out / "results.csv")
        self.results.rows = [fakes.row(system="none", contribution="none", key="n"), fakes.row(system="tmm", key="t")]
        folder = self.out / "runs/loop-tmm-1"
        fakes.write_run(folder)
        fakes.write_limits(folder)
        (folder / "key").write_text("t\n", encoding="utf-8")

    def conclude(self, failures: list[Failure]) -> tuple[bool, str]:
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            valid = coffee_break.conclude(self.results, [fakes.run()], failures, self.out, 1)
        return valid, said.getvalue()

    def test_draws_all_figures_and_reports(self) -> None:
        valid, said = self.conclude([])
        self.assertTrue(valid, said)
        self.assertEqual(sorted(path.name for path in self.out.glob("figure?.*")),
                         [f"figure{number}.{suffix}" for number in (2, 3, 4, 5) for suffix in ("png", "svg")])
        self.assertIn("![figure5](figure5.png)", (self.out / "report.md").read_text(encoding="utf-8"))

    def test_the_report_says_what_the_break_waits_for(self) -> None:
        runs = [fakes.run(system="none"), fakes.run(max_break_s=900)]
        self.assertIn("break at least 2 s, until the contribution has exceeded memory, at most 900 s,",
                      coffee_break.machine_text(runs, [], 1))
        self.assertIn("break at least 2 s, return", coffee_break.machine_text(runs[:1], [], 1))

    def test_figure_5_is_not_drawn_of_another_runs_files(self) -> None:
        (self.out / "runs/loop-tmm-1/key").write_text("other\n", encoding="utf-8")
        self.conclude([])
        self.assertFalse((self.out / "figure5.png").exists())

    def test_a_failed_run_or_a_contribution_that_is_too_small_is_no_success(self) -> None:
        valid, said = self.conclude([Failure("loop-plain-1", "timeout", self.out)])
        self.assertFalse(valid)
        self.assertIn("FAILED: loop-plain-1: timeout", said)
        self.results.rows = [fakes.row(contributor_peak_mb=1.0)]
        valid, said = self.conclude([])
        self.assertFalse(valid)
        self.assertIn("not valid: loop: the contribution on plain exceeds", said)
