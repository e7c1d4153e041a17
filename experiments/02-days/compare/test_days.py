# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import tempfile
import unittest

from desk.errors import DeskError

from . import figures, plan, report, results
from .runner import Row, Simulator

HERE = pathlib.Path(__file__).resolve().parents[1]


def row(system: str = "tmm-paper", given_gb: float = 4, waited: float = 10, owner: str = "office", store: str = "hdd", **more: str) -> Row:
    rules = dict.fromkeys(results.RULES, "0") | {"by_need": "0.9", "by_learning": "0.1"}
    return {"owner": owner, "memory_mb": "16384", "seed": "1", "store": store, "system": system, "limit_mean_mb": "100",
            "donated_mean_mb": str(1024 * given_gb), "donated_gb_h": str(168 * given_gb), "oracle_gb_h": "1680", "oracle_share": str(given_gb / 10),
            "misses": "1000", "waited_s_per_day": str(waited), "waited_worst_minute_s": "5", "return_median_s": "0", "return_p95_s": "2",
            "return_worst_s": "3",
            "oracle_return_p95_s": "1"} | rules | more


class PlanTest(unittest.TestCase):
    def test_all_owners_and_patterns_are_there(self) -> None:
        folder = HERE
        for owner in (*plan.OWNERS, *plan.NOTE_CASES, *plan.LOOP_CASES):
            text = (folder / "owners" / f"{owner}.ini").read_text(encoding="utf-8")
            patterns = [line.split("=")[0].strip() for line in text.split("[Patterns]")[1].splitlines() if "=" in line]
            self.assertTrue(patterns)
            for pattern in patterns:
                self.assertTrue((folder / "patterns" / f"{pattern}.ini").exists(), pattern)

    def test_each_pattern_belongs_to_an_owner(self) -> None:
        folder = HERE
        owners = "".join(path.read_text(encoding="utf-8") for path in (folder / "owners").glob("*.ini"))
        for path in (folder / "patterns").glob("*.ini"):
            self.assertIn(f"\n{path.stem} = ", owners)

    def test_all_machines_and_stores_are_simulated(self) -> None:
        runs = [run for run in plan.full(1) if run.owner not in plan.NOTE_CASES]
        self.assertEqual({run.memory_gb for run in runs}, {4, 8, 16, 64})
        self.assertEqual(len(runs), 5 * 4)
        self.assertEqual(runs[0].stores, plan.STORES)
        self.assertEqual(len(plan.full(2)), 2 * 20 + 6)

    def test_people_with_four_times_the_memory_use_twice_as_much(self) -> None:
        self.assertEqual(plan.Run("office", 64, 1, plan.STORES).scale, 2)
        self.assertEqual(plan.Run("note-rare", 0.5, 1, plan.STORES).scale, 1)


class ResultsTest(unittest.TestCase):
    def test_one_beats_another_in_both_or_in_one_and_not_in_the_other(self) -> None:
        self.assertTrue(results.beats((5, 1), (4, 10)))
        self.assertTrue(results.beats((5, 10), (4, 10)))
        self.assertTrue(results.beats((4, 1), (4, 10)))
        self.assertFalse(results.beats((5, 11), (4, 10)))
        self.assertFalse(results.beats((4, 10), (4, 10)))
        self.assertFalse(results.beats((4.02, 10), (4, 10)), "less than one per cent is no difference")

    def test_the_front_is_what_nobody_beats(self) -> None:
        found = {"priority": (1.0, 0.0), "age-8h": (5.0, 10.0), "tmm-paper": (4.0, 20.0), "age-2m": (9.0, 500.0)}
        self.assertEqual(results.front(found), ["age-2m", "age-8h", "priority"])
        self.assertEqual(results.peers_over_tmm(found), {"tmm-paper": ["age-8h"]})

    def test_seeds_are_averaged(self) -> None:
        self.assertEqual(results.points([row(given_gb=2, waited=1), row(given_gb=4, waited=3)]), {"tmm-paper": (3, 2)})

    def test_the_rule_that_held_longest_decided(self) -> None:
        self.assertEqual(results.deciding_rule([row()]), "need 90 %")

    def test_a_table_is_read_as_it_was_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.csv"
            results.write(path, [row(), row("priority")])
            self.assertEqual(results.read(path), [row(), row("priority")])


class ReportTest(unittest.TestCase):
    def test_it_says_who_beats_tmm(self) -> None:
        text = report.text([row(), row("age-8h", 5, 5), row("priority", 1, 0)], "days.py", ["front.png"])
        self.assertIn("| 16 | office | hdd | age-8h, priority | age-8h | - |", text)
        self.assertIn("(front.png)", text)
        self.assertIn("2 (!)", text, "the aim for returns is missed")

    def test_the_cases_of_the_note_have_a_table(self) -> None:
        text = report.text([row(owner="note-rare", memory_mb="512")], "days.py", [])
        self.assertIn("| rare | tmm-paper | 100 | 1,000 | need 90 % |", text)
        self.assertNotIn("Who wins", text)



class FiguresTest(unittest.TestCase):
    def test_each_system_is_a_point_and_the_oracle_a_line(self) -> None:
        script = figures.front_script([row(), row("priority", 1, 0)], ("office",), ("hdd",))
        self.assertIn("title 'tmm-paper'", script)
        self.assertIn("25.000 10\n", script)
        self.assertIn("6.250 0.01\n", script, "no waiting has a place on a logarithmic axis")
        self.assertIn("title 'oracle'", script)


class SimulatorTest(unittest.TestCase):
    def test_a_missing_program_is_named(self) -> None:
        with self.assertRaisesRegex(DeskError, "owner-days"):
            Simulator(pathlib.Path("/nonexistent"), HERE)

    def test_a_failure_tells_what_the_program_said(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "experiments/02-days/owner-days"
            program.parent.mkdir(parents=True)
            program.write_text("#!/bin/sh\necho wrong >&2; exit 1\n", encoding="utf-8")
            program.chmod(0o755)
            with self.assertRaisesRegex(DeskError, "exit status 1: wrong"):
                Simulator(pathlib.Path(folder), HERE).rows(plan.Run("office", 4, 1, ("hdd",)))
