# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of packaging/guest/stock.py: the tests that it runs for each of its options."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging/guest"), str(ROOT / "experiments/vm")]

import stock  # noqa: E402


def names(*options: str) -> list[str]:
    arguments = stock.parser().parse_args(options)
    return [name for name, _, kind in stock.tests(stock.Computer()) if stock.is_wanted(name, kind, arguments)]


class Choice(unittest.TestCase):
    def test_without_options_all_run(self):
        self.assertEqual(len(names()), len(stock.tests(stock.Computer())))

    def test_those_that_others_need_always_run(self):
        needed = [name for name, _, kind in stock.tests(stock.Computer()) if kind == stock.NEEDED]
        self.assertEqual(names("--tests", "no such test"), needed)
        self.assertLess(set(needed), set(names("--short")))

    def test_a_text_chooses_among_all(self):
        self.assertIn("the fence follows swap off and on", names("--tests", "swap"))
        self.assertNotIn("the fence follows swap off and on", names("--short"))

    def test_short_compares_a_break_with_and_without_tmmd(self):
        self.assertLess({"a break without tmmd", "in a break with tmmd the owner keeps all memory"}, set(names("--short")))


if __name__ == "__main__":
    unittest.main()
