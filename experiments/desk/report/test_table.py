# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from . import table


class Tables(unittest.TestCase):
    def test_bounds_that_look_alike_are_one_number(self) -> None:
        self.assertEqual([table.bounds(*bounds) for bounds in ((0.61, 4.2), (9.99, 217.4), (612.1, 612.2), (None, None))],
                         ["0.6 to 4.2", "10.0 to 217", "612", "-"])

    def test_markdown(self) -> None:
        self.assertEqual(table.markdown_table([("a", "b", "c"), ("1", "2", "3")]),
                         "| a | b | c |\n| --- | --- | ---: |\n| 1 | 2 | 3 |\n")
