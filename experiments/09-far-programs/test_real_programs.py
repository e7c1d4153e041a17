# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs real_programs.py with one short program over a fast link. TMM_BUILD: folder of the programs."""
import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "farmem/tests")]
import real_programs  # noqa: E402
from rig import BUILD, TIMEOUT, why_not  # noqa: E402


class RealPrograms(unittest.TestCase):
    def test_the_report_is_of_the_table(self) -> None:
        with (HERE / "results/real.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(real_programs.report(rows), (HERE / "results/real.md").read_text(encoding="utf-8"))

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
