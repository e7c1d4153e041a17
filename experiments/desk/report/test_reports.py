# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import difflib
import pathlib
import unittest
from collections.abc import Callable

import reports


class Reports(unittest.TestCase):
    """Making the documents from the committed results leaves no difference."""


def make_again(documents: Callable[[], dict[pathlib.Path, str]]) -> Callable[[unittest.TestCase], None]:
    def test(self: unittest.TestCase) -> None:
        for path, text in documents().items():
            with self.subTest(str(path.relative_to(reports.HERE.parent))):
                committed = path.read_bytes().decode()
                lines = difflib.unified_diff(committed.splitlines(), text.splitlines(), "committed", "made by experiments/reports.py", lineterm="", n=0)
                self.assertTrue(text == committed, "\n".join(lines))

    return test


for of, made in reports.DOCUMENTS.items():
    setattr(Reports, f"test_{of}", make_again(made))
