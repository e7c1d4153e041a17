# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import tempfile
import unittest

from . import fakes, progress


class ProgressTest(unittest.TestCase):
    def test_the_last_whole_line_counts(self) -> None:
        self.assertEqual(progress.current_phase("7.85 load\n12.20 work\n"), (12.2, "work"))
        self.assertEqual(progress.current_phase("7.85 load\n12.20 wo"), (7.85, "load"))
        for text in ("", "\n", "load", "x load\n"):
            self.assertIsNone(progress.current_phase(text), text)

    def test_a_line_says_run_phase_and_seconds_left(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            watched = progress.Watched("loop-plain-1", fakes.run(break_s=90), folder)
            self.assertEqual(watched.line(100.0), "loop-plain-1: boot")
            (folder / "phases").write_text("5.0 load\n", encoding="utf-8")
            self.assertEqual(watched.line(105.0), "loop-plain-1: load")
            (folder / "phases").write_text("5.0 load\n9.0 work\n49.0 break\n", encoding="utf-8")
            self.assertEqual(watched.line(110.0), "loop-plain-1: break 90 s")
            self.assertEqual(watched.line(150.0), "loop-plain-1: break 50 s")
            self.assertEqual(watched.line(999.0), "loop-plain-1: break 0 s")

    def test_a_break_that_waits_for_the_contribution_says_so(self) -> None:
        run = fakes.run(break_s=90, max_break_s=900)
        self.assertEqual(progress.left_text(run, "break", 50.0), " 40 s")
        self.assertEqual(progress.left_text(run, "break", 150.0),
                         " until the contribution has exceeded memory, at most 750 s")
        self.assertEqual(progress.left_text(run, "return", 1.0), " 2 s")
