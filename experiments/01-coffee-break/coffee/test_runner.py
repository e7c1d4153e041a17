# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import tempfile
import unittest

from desk import fakes
from desk.errors import DeskError
from desk.plan import Run

from . import runner
from .results import Results


class RunnerTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = pathlib.Path(temporary.name)
        self.executed: list[str] = []
        self.said: list[str] = []

    def execute(self, run: Run, folder: pathlib.Path) -> None:
        self.executed.append(run.name)
        if run.run == 13:
            raise DeskError("the guest's kernel failed")
        fakes.write_run(folder)
        if run.run == 14:
            (folder / "samples.csv").unlink()

    def run_all(self, *numbers: int, jobs: int = 2) -> tuple[Results, list[runner.Failure]]:
        results = Results(self.out / "results.csv")
        results.load()
        runs = [(fakes.run(run=number), f"key {number}") for number in numbers]
        failures = runner.execute_all(runs, results, lambda run: self.out / run.name, self.execute, jobs, self.said.append)
        return results, failures

    def test_every_run_gives_a_row(self) -> None:
        results, failures = self.run_all(1, 2, 3)
        self.assertEqual(sorted(row.key for row in results.rows), ["key 1", "key 2", "key 3"])
        self.assertEqual(failures, [])
        self.assertEqual([runner.folder_key(self.out / name) for name in ("loop-plain-1", "loop-plain-9")], ["key 1", ""])

    def test_a_run_with_the_same_key_is_not_repeated(self) -> None:
        self.run_all(1, 2)
        self.executed.clear()
        results, _ = self.run_all(1, 2, 3)
        self.assertEqual(self.executed, ["loop-plain-3"])
        self.assertEqual(len(results.rows), 3)
        self.assertTrue(any("kept from before" in line for line in self.said))

    def test_a_failed_run_is_named_and_does_not_stop_the_others(self) -> None:
        results, failures = self.run_all(13, 1, 14, 2, jobs=1)
        self.assertEqual(self.executed, ["loop-plain-13", "loop-plain-1", "loop-plain-14", "loop-plain-2"])
        self.assertEqual(sorted(row.key for row in results.rows), ["key 1", "key 2"])
        self.assertEqual(sorted(failure.run.name for failure in failures), ["loop-plain-13", "loop-plain-14"])
        self.assertTrue(self.said[0].startswith("[1/4] loop-plain-13: FAILED: the guest's kernel failed"), self.said)

    def test_a_failed_run_is_tried_again_the_next_time(self) -> None:
        self.run_all(13)
        self.run_all(13)
        self.assertEqual(self.executed, ["loop-plain-13"] * 2)
