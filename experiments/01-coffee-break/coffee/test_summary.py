# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from . import fakes, summary, table


def group(system: str, **changes: object) -> summary.Group:
    return summary.groups([fakes.row(system=system, **changes)])[0]


class GroupsTest(unittest.TestCase):
    def test_medians_by_workload_and_system(self) -> None:
        rows = [fakes.row(run=number, faults_mean=value) for number, value in enumerate((1.0, 9.0, 2.0), 1)]
        groups = summary.groups([*rows, fakes.row(system="tmm", faults_mean=4.0), fakes.row(workload="zipf", faults_mean=5.0)])
        self.assertEqual([(one.workload, one.system, one.runs, one.faults_mean) for one in groups],
                         [("loop", "plain", 3, 2.0), ("loop", "tmm", 1, 4.0), ("zipf", "plain", 1, 5.0)])

    def test_slowdown_is_the_papers_arithmetic(self) -> None:
        self.assertAlmostEqual(group("tmm", faults_mean=6.8).slowdown, 0.017)

    def test_nothing_to_sum_up(self) -> None:
        self.assertEqual(summary.groups([]), [])
        self.assertEqual(summary.verdicts([]), [])


class VerdictsTest(unittest.TestCase):
    def test_gain(self) -> None:
        self.assertTrue(summary.gain("loop", group("plain"), group("tmm", faults_mean=10.0)).met)
        missed = summary.gain("loop", group("plain"), group("tmm", faults_mean=20.0))
        self.assertEqual((missed.met, missed.text), (False, "100.0/s against 20.00/s: 5.0 x, short by a factor of 2.0"))
        self.assertIn("no fault at all", summary.gain("loop", group("plain"), group("tmm", faults_mean=0.0)).text)

    def test_a_plain_kernel_that_does_not_suffer_proves_nothing(self) -> None:
        self.assertIs(summary.gain("loop", group("plain", faults_mean=0.0), group("tmm", faults_mean=0.0)).met, False)

    def test_unnoticed(self) -> None:
        self.assertTrue(summary.unnoticed("loop", group("none", faults_mean=0.0), group("tmm", faults_mean=5.0)).met)
        self.assertTrue(summary.unnoticed("loop", group("none", faults_mean=20.0), group("tmm", faults_mean=22.0)).met)
        missed = summary.unnoticed("loop", group("none", faults_mean=20.0), group("tmm", faults_mean=25.0))
        self.assertEqual((missed.met, missed.text), (False, "25.00/s, without contribution 20.00/s: 3.00/s too many"))

    def test_donated(self) -> None:
        self.assertTrue(summary.donated("loop", group("tmm", donated_mb=100.0)).met)
        self.assertEqual(summary.donated("loop", group("tmm", donated_mb=60.0)).text, "60 of 512 MB: 40 MB too little")

    def test_exceeded(self) -> None:
        self.assertTrue(summary.exceeded(group("plain", contributor_peak_mb=513.0)).met)
        self.assertIs(summary.exceeded(group("plain", contributor_peak_mb=512.0)).met, False)

    def test_missing_systems_are_not_judged(self) -> None:
        verdicts = summary.verdicts([group("none")])
        self.assertEqual([verdict.met for verdict in verdicts], [None, None, None])

    def test_every_workload_is_judged(self) -> None:
        groups = [group(system, workload=workload, faults_mean=faults) for workload in ("loop", "zipf")
                  for system, faults in (("none", 0.0), ("plain", 100.0), ("tmm", 1.0))]
        verdicts = summary.verdicts(groups)
        self.assertEqual(len(verdicts), 10)
        self.assertEqual({verdict.met for verdict in verdicts}, {True})


class TableTest(unittest.TestCase):
    def test_columns_are_aligned_and_the_papers_numbers_stand_below(self) -> None:
        lines = table.plain_table(table.all_rows([group("plain"), group("none", interactions=0)])).splitlines()
        self.assertEqual(len(lines), 5)
        self.assertIn("20 of 200", lines[1])
        self.assertEqual(lines[1].index("100.00") + 6, lines[0].index("faults/s") + 8)
        self.assertTrue(lines[2].endswith("-"))
        self.assertIn("190", lines[3])
        self.assertIn("6.8", lines[4])

    def test_every_row_has_all_columns(self) -> None:
        self.assertEqual({len(row) for row in table.all_rows([group("tmm")])}, {len(table.HEADER)})

    def test_markdown(self) -> None:
        self.assertEqual(table.markdown_table([("a", "b", "c"), ("1", "2", "3")]),
                         "| a | b | c |\n| --- | --- | ---: |\n| 1 | 2 | 3 |\n")


if __name__ == "__main__":
    unittest.main()
