# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import unittest

from . import spread


@dataclasses.dataclass(frozen=True)
class Boot:
    system: str
    faults: float | None = 0.0


class Spread(unittest.TestCase):
    def test_the_median_the_least_and_the_most(self) -> None:
        self.assertEqual(spread.shown([4.0, 0.0, 1.0], ".1f"), "1.0 (0.0 to 4.0)")
        self.assertEqual(spread.shown([0.51, 0.49], ".0%"), "50% (49% to 51%)")

    def test_boots_that_look_alike_are_one_number(self) -> None:
        self.assertEqual(spread.shown([0.01, 0.02], ".1f"), "0.0")

    def test_a_boot_without_a_value_is_not_left_out_in_silence(self) -> None:
        self.assertEqual(spread.shown([1.0, None], ".1f"), "-")
        self.assertEqual(spread.shown([], ".1f"), "-")

    def test_19_of_20_do_not_exceed_the_p95(self) -> None:
        self.assertEqual([spread.p95(list(range(1, number + 1))) for number in (1, 2, 20, 21)], [1, 2, 19, 20])

    def test_a_row_for_each_system(self) -> None:
        def cells(boots: list[Boot]) -> tuple[str, ...]:
            return (spread.shown([boot.faults for boot in boots], ".0f"),)

        text = spread.table_of([Boot("a", 1.0), Boot("b"), Boot("a", 3.0)], ("faults/s",), cells)
        self.assertEqual(text.splitlines()[3:], ["| system | boots | faults/s |", "| --- | --- | ---: |", "| a | 2 | 2 (1 to 3) |", "| b | 1 | 0 |"])
        self.assertEqual(spread.table_of([Boot("a"), Boot("b")], ("faults/s",), cells), "")
