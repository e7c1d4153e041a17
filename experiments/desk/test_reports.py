# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Making the documents from the committed results leaves no difference."""

import unittest

import reports


class Reports(unittest.TestCase):
    maxDiff = None


def make_again(package: str):
    def test(self: unittest.TestCase) -> None:
        for path, text in reports.documents(package).items():
            with self.subTest(path.relative_to(reports.HERE.parent)):
                self.assertEqual(text, path.read_text(encoding="utf-8"), "run experiments/reports.py")

    return test


for folder, name in reports.PACKAGES.items():
    setattr(Reports, f"test_{folder.replace('-', '_')}", make_again(name))
