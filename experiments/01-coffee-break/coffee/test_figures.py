# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import shutil
import tempfile
import unittest

from . import fakes, figures, samples, summary, timeline
from .errors import CoffeeError


class ScriptTest(unittest.TestCase):
    def test_bars_have_their_numbers_and_zero_starts_nowhere(self) -> None:
        rows = [fakes.row(system="none", faults_mean=0.0), fakes.row(faults_mean=93.4), fakes.row(system="tmm", faults_mean=1.26)]
        script = figures.figure2_script(summary.groups(rows), "512 MB")
        self.assertIn("0.1000 0\n", script)
        self.assertIn("93.4000 93\n", script)
        self.assertIn("1.2600 1.3\n", script)
        self.assertIn("set logscale y", script)

    def test_only_what_was_run_has_bars(self) -> None:
        script = figures.figure2_script(summary.groups([fakes.row(), fakes.row(workload="zipf", system="tmm")]), "x")
        self.assertNotIn("$none", script)
        self.assertEqual(script.split("$plain << EOD\n")[1].split("EOD")[0].count("\n"), 1)

    def test_texts_cannot_break_out_of_their_quotes(self) -> None:
        self.assertEqual(figures.quoted("it's"), "'it''s'")
        self.assertEqual(figures.lines('a"b', "c\\d"), '"a\\"b\\nc\\\\d"')


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class DrawTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = pathlib.Path(temporary.name)

    def test_both_figures_in_both_formats(self) -> None:
        rows = samples.parse_samples(fakes.whole_run_samples(), "s.csv")
        decisions = timeline.parse_timeline(fakes.timeline_text(), "t.csv")
        bars = figures.figure2_script(summary.groups([fakes.row()]), "it's \"quoted\"")
        files = figures.draw(bars, self.out / "figure2", 900, 560)
        files += figures.draw(figures.figure5_script(rows, decisions, "x"), self.out / "figure5", 900, 560)
        self.assertEqual([file.name for file in files], ["figure2.png", "figure2.svg", "figure5.png", "figure5.svg"])
        self.assertTrue(files[0].read_bytes().startswith(b"\x89PNG"))
        self.assertIn("<svg", files[1].read_text(encoding="utf-8"))

    def test_a_script_that_gnuplot_refuses_is_an_error(self) -> None:
        with self.assertRaisesRegex(CoffeeError, "could not draw"):
            figures.draw("plot nonsense(\n", self.out / "bad", 100, 100)


if __name__ == "__main__":
    unittest.main()
