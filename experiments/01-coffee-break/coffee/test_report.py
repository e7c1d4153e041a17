# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import unittest

from desk import fakes
from desk.boots import Failure

from . import report


class ReportTest(unittest.TestCase):
    def text(self, rows: list, failures: list[Failure]) -> str:
        return report.text(rows, failures, [pathlib.Path("o/figure2.png"), pathlib.Path("o/figure2.svg")], "- machine: test\n")

    def test_has_ours_beside_the_papers_and_the_verdicts(self) -> None:
        rows = [fakes.row(system="none", faults_mean=0.0), fakes.row(faults_mean=90.0),
                fakes.row(workload="zipf", faults_mean=120.0), fakes.row(system="tmm", faults_mean=12.0, donated_mb=250.0)]
        text = self.text(rows, [])
        self.assertIn("| faults/s, plain kernel, worst workload | 190 | 120.0 |", text)
        self.assertIn("| faults/s, TMM, worst workload | 6.8 | 12.00 |", text)
        self.assertIn("| donated by TMM | hundreds of MB of 512 | 250 to 250 MB |", text)
        self.assertIn("MISSED      loop: tmm at most 1.1 x the faults without contribution, or 5/s: 12.00/s, without "
                      "contribution 0.00/s: 7.00/s too many", text)
        self.assertIn("| opaque faults/s in the first minute, mean (tmm) | at most 1.1 x no contribution, or 5/s (paper: 6.8/s) "
                      "| 0 of 1; missed: loop: 12.00/s, without contribution 0.00/s: 7.00/s too many |", text)
        self.assertIn("| donation (tmm) | at least 85% of the oracle's | not run |", text)
        self.assertIn("met         loop: at least 100 MB donated by tmm", text)
        self.assertIn("not tested  zipf: ", text)
        self.assertIn("- machine: test", text)
        self.assertEqual(text.count("![figure2](figure2.png)"), 1)
        self.assertNotIn("figure2.svg", text)
        self.assertNotIn("Failed runs", text)

    def test_has_lived_in_beside_fresh(self) -> None:
        self.assertNotIn("Lived-in beside fresh", self.text([fakes.row()], []))
        rows = [fakes.row(system="tmm", faults_mean=1.0, donated_mb=250.0, oracle_donation_mb=500.0, oracle_need_mb=1.0),
                fakes.row(system="tmm", machine="lived-in", faults_mean=2.0, donated_mb=125.0, new_program_s=3.25, oracle_need_mb=1.0,
                          oracle_donation_mb=500.0, decided="measured: because"),
                fakes.row(system="priority", machine="lived-in")]
        text = self.text(rows, [])
        self.assertIn("| loop, lived-in | tmm | 1.00 | 200 | 50.0% | 250 | 50% | 2.00 | 200 | 50.0% | 125 | 25% | 3.2 |\n", text)
        self.assertIn("| loop, lived-in | priority | - | - | - | - | - | 100.00 |", text)
        self.assertIn("- loop-lived-in-tmm-1: measured: because\n", text)
        self.assertIn("| lived-in: share of the first minute in which the owner waits (tmm) | at most 5% | 0 of 1; missed: "
                      "loop, lived-in: 50.0% |", text)

    def test_failures_are_named_even_when_nothing_succeeded(self) -> None:
        text = self.text([], [Failure("loop-plain-1", "timeout", pathlib.Path("o/runs/loop-plain-1"))])
        self.assertIn("- loop-plain-1: timeout (files: o/runs/loop-plain-1)", text)
        self.assertIn("| faults/s, TMM, worst workload | 6.8 | not run |", text)
