# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import tempfile
import unittest

from . import fakes, results
from .errors import CoffeeError


class FormatTest(unittest.TestCase):
    def test_what_is_written_is_read_again(self) -> None:
        rows = [fakes.row(), fakes.row(system="none", workload="gnuplot, large", run=2, donated_mb=0.0)]
        self.assertEqual(results.parse_rows(results.format_rows(rows), "r.csv"), rows)

    def test_the_first_columns_are_those_that_others_read(self) -> None:
        self.assertTrue(results.format_rows([]).startswith(
            "system,workload,run,backing,ram_mb,break_s,faults_mean,faults_max,donated_mb,contributor_peak_mb,"))

    def test_malformed_files_are_refused_with_what_to_do(self) -> None:
        good = results.format_rows([fakes.row()])
        for bad in ("", "system,workload\n", good.replace(",512,", ",much,"), good.replace(",512,2,", ",512\n")):
            with self.assertRaisesRegex(CoffeeError, "r.csv.*--fresh"):
                results.parse_rows(bad, "r.csv")

    def test_a_truncated_last_line_is_left_out(self) -> None:
        self.assertEqual(results.parse_rows(results.format_rows([fakes.row(), fakes.row(run=2)])[:-4], "r.csv"), [fakes.row()])


class ResultsTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name) / "results.csv"

    def load(self) -> results.Results:
        loaded = results.Results(self.path)
        loaded.load()
        return loaded

    def test_rows_outlive_an_interruption(self) -> None:
        self.load().add(fakes.row(key="a"))
        self.assertEqual(self.load().with_key("a"), fakes.row(key="a"))
        self.assertIsNone(self.load().with_key("b"))

    def test_a_row_with_other_parameters_replaces_the_one_of_the_same_run(self) -> None:
        self.load().add(fakes.row(key="a"))
        again = self.load()
        again.add(fakes.row(key="b", break_s=9))
        again.add(fakes.row(key="c", run=2))
        self.assertEqual([row.key for row in self.load().rows], ["b", "c"])

    def test_rows_that_are_not_asked_for_are_dropped_and_the_others_ordered(self) -> None:
        loaded = self.load()
        loaded.add(fakes.row(key="a"))
        loaded.add(fakes.row(key="b", run=2))
        loaded.add(fakes.row(key="c", run=3))
        loaded.keep(["c", "x", "a"])
        self.assertEqual([row.key for row in self.load().rows], ["c", "a"])


if __name__ == "__main__":
    unittest.main()
