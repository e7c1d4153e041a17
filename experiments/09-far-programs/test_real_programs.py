# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs real_programs.py with one short program over a fast link. TMM_BUILD: folder of the programs."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "farmem/tests")]
import real_programs  # noqa: E402
from real import swap  # noqa: E402
from rig import BUILD, TIMEOUT, why_not  # noqa: E402


class RealPrograms(unittest.TestCase):
    def test_the_report_is_of_the_table(self) -> None:
        for table in [HERE / "results/real.csv", *HERE.glob("results/real-swap*.csv")]:
            with self.subTest(table.name), table.open(encoding="utf-8") as file:
                self.assertEqual(real_programs.report(list(csv.DictReader(file))), table.with_suffix(".md").read_text(encoding="utf-8"))

    def test_a_report_says_how_it_was_made(self) -> None:
        row = {"link": "64M", "latency-us": "300", "system": "tmm", "program": "sort", "together": "no"}
        rows = [row, row, row | {"system": "swap"}, row | {"together": "yes"}]
        self.assertEqual(real_programs.command(rows), "real_programs.py --link=64M --latency=300 --systems=tmm,swap --programs=sort --runs=2")

    def test_a_name_hides_no_state(self) -> None:
        self.assertEqual(swap.state("42 (a) S (b) D 1 42 42 0 -1"), "D")
        self.assertEqual(swap.nr_blocked([str(os.getpid()), "0"]), 0)

    def test_a_failed_run_with_swap_is_repeated_and_counted(self) -> None:
        failure = real_programs.RunError("killed")
        with unittest.mock.patch.object(real_programs, "run", side_effect=[failure, failure, {"program": "sort"}]):
            row = real_programs.run_again({}, Path(), Path(), real_programs.Link("64M", 300), "swap", "sort", False)
        self.assertEqual(row, {"program": "sort", "failed-runs": "2"})
        with unittest.mock.patch.object(real_programs, "run", side_effect=failure), self.assertRaises(real_programs.RunError):
            real_programs.run_again({}, Path(), Path(), real_programs.Link("64M", 300), "swap", "sort", False)

    def test_a_failed_run_of_the_pager_is_a_failure(self) -> None:
        failure = real_programs.RunError("killed")
        with unittest.mock.patch.object(real_programs, "run", side_effect=[failure, {}]), self.assertRaises(real_programs.RunError):
            real_programs.run_again({}, Path(), Path(), real_programs.Link("64M", 300), "tmm", "sort", False)

    @unittest.skipIf(why_not(), why_not())
    def test_it_runs(self) -> None:
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([HERE / "real_programs.py", f"--build={BUILD}", f"--out={out}", "--link=256M", "--latency=100", "--programs=sort",
                            "--systems=tmm,no-prefetch"], check=True, timeout=TIMEOUT, stdout=subprocess.DEVNULL)
            with (Path(out) / "real.csv").open(encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([(row["system"], row["together"]) for row in rows],
                             [(system, together) for together in ("no", "yes") for system in ("tmm", "no-prefetch")])
            for row in rows:
                self.assertGreater(int(row["fetches"]), 0, row)
            self.assertIn("| no-prefetch |", (Path(out) / "real.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
