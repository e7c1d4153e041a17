# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import unittest

from desk import fakes
from desk.errors import DeskError
from desk.fakes import FolderTest
from desk.report import records
from desk.report.metrics import Row

from . import results


class FormatTest(unittest.TestCase):
    def test_the_first_columns_are_those_that_others_read(self) -> None:
        self.assertTrue(records.csv_text(Row, []).startswith(
            "system,workload,run,backing,ram_mb,break_s,faults_mean,faults_max,donated_mb,contributor_peak_mb,"))

    def test_the_committed_results_are_read(self) -> None:
        path = pathlib.Path(__file__).resolve().parents[1] / "results/results.csv"
        rows = results.parse_rows(path.read_text(encoding="utf-8"), str(path))
        self.assertEqual((len(rows), {row.break_taken_s for row in rows}), (240, {300.0}))
        self.assertEqual({(row.situation[1:], row.past, row.free_before_mb, row.decided) for row in rows},
                         {(("fresh", "nothing", "nothing"), (0, 1), None, "")})

    def test_malformed_files_are_refused_with_what_to_do(self) -> None:
        good = records.csv_text(Row, [fakes.row()])
        for bad in ("", "system,workload\n", good.replace(",512,", ",much,"), good.replace(",512,2,", ",512\n")):
            with self.assertRaisesRegex(DeskError, "r.csv.*--fresh"):
                results.parse_rows(bad, "r.csv")


class ResultsTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder / "results.csv"

    def load(self) -> results.Results:
        loaded = results.Results(self.path)
        loaded.load()
        return loaded

    def test_rows_outlive_an_interruption(self) -> None:
        self.load().add(fakes.row(key="a"))
        self.assertEqual(self.load().with_key("a"), fakes.row(key="a"))
        self.assertIsNone(self.load().with_key("b"))

    def test_a_row_of_other_programs_replaces_the_one_of_the_same_run(self) -> None:
        self.load().add(fakes.row(key="a"))
        again = self.load()
        again.add(fakes.row(key="b", faults_mean=9.0))
        again.add(fakes.row(key="c", run=2))
        again.add(fakes.row(key="d", contribution="hog"))
        again.add(fakes.row(key="e", machine="lived-in"))
        again.add(fakes.row(key="f", machine="lived-in", during="nightly"))
        self.assertEqual([row.key for row in self.load().rows], ["b", "c", "d", "e", "f"])

    def test_what_belongs_to_the_runs_asked_for_stays_beside_them_in_order(self) -> None:
        loaded = self.load()
        for number, key in enumerate("abc", 1):
            loaded.add(fakes.row(key=key, run=number))
        loaded.select(["c", "x", "a"], lambda row: True)
        self.assertEqual([row.key for row in self.load().rows], ["c", "a", "b"])

    def test_rows_of_other_conditions_are_put_aside_and_come_back(self) -> None:
        loaded = self.load()
        loaded.add(fakes.row(key="a"))
        loaded.select(["x"], lambda row: row.break_s == 300)
        loaded = self.load()
        self.assertEqual((loaded.rows, [row.key for row in loaded.others]), ([], ["a"]))
        self.assertIsNotNone(loaded.with_key("a"))
        loaded.add(fakes.row(key="x", break_s=300))
        loaded.select(["a"], lambda row: row.break_s == 2)
        loaded = self.load()
        self.assertEqual(([row.key for row in loaded.rows], [row.key for row in loaded.others]), (["a"], ["x"]))

    def test_a_file_of_another_version_is_refused_or_put_away(self) -> None:
        self.path.write_text("system,workload\nnone,loop\n", encoding="utf-8")
        with self.assertRaisesRegex(DeskError, "has other columns than Row; .*--fresh"):
            self.load()
        renewed = results.Results(self.path)
        renewed.load(renew=True)
        self.assertEqual(renewed.rows, [])
        self.assertTrue(self.path.with_name("results.csv.old").exists())

    def test_a_run_of_two_builds_is_in_the_results_once(self) -> None:
        loaded = self.load()
        loaded.add(fakes.row(key="a"))
        loaded.select(["x"], lambda row: False)
        loaded.add(fakes.row(key="b"))
        loaded.select(["x"], lambda row: True)
        self.assertEqual(([row.key for row in loaded.rows], [row.key for row in loaded.others]), (["b"], ["a"]))
