# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import unittest

from . import committed

from desk.errors import DeskError

ROW = committed.Touches(kernel="6.18", row="memory", sequential_mb_s=300.0, sequential_us=13.0, random_us=20.0, p50_us=14.0, p99_us=90.0,
                        slow_touches=9.0)


class Committed(unittest.TestCase):
    def test_a_row_is_the_median_of_its_rounds(self) -> None:
        found = committed.Machine([dataclasses.replace(ROW, p50_us=us) for us in (30.0, 10.0, 12.0)], [])
        self.assertEqual(found("memory").p50_us, 12.0)
        self.assertIn("| memory | 3 | 12.0 | 10.0 to 30.0 | 90 | 300 | 300 |", committed.faults_table(found))
        with self.assertRaises(DeskError):
            found("swap, nbd")

    def test_an_aim_says_by_how_much_it_was_missed(self) -> None:
        self.assertEqual(committed.at_most(20, 25), "reached")
        self.assertEqual(committed.at_most(50, 25), "missed by a factor of 2.00")
        self.assertEqual(committed.at_least(2, 2.5), "missed by a factor of 1.25")


if __name__ == "__main__":
    unittest.main()
