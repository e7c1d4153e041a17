# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import shutil
import unittest

from desk import fakes
from desk.fakes import FolderTest
from desk.report import recorder_rows, records, timeline
from gnuplot import GnuplotError, draw, quoted

from . import figures, summary


class ScriptTest(unittest.TestCase):
    def test_bars_have_their_numbers_and_zero_starts_nowhere(self) -> None:
        rows = [fakes.row(system="none", faults_mean=0.0), fakes.row(faults_mean=93.4), fakes.row(system="tmm", faults_mean=1.26)]
        script = figures.faults_script(summary.groups(rows), figures.MEAN, "512 MB")
        self.assertIn("0.1000 0\n", script)
        self.assertIn("93.4000 93\n", script)
        self.assertIn("1.2600 1.3\n", script)
        self.assertIn("set logscale y", script)

    def test_only_what_was_run_has_bars(self) -> None:
        script = figures.faults_script(summary.groups([fakes.row(), fakes.row(workload="zipf", system="tmm")]), figures.MEAN, "x")
        self.assertNotIn("$none", script)
        self.assertEqual(script.split("$plain << EOD\n")[1].split("EOD")[0].count("\n"), 1)

    def test_the_worst_second(self) -> None:
        self.assertIn("200.0000 200\n", figures.faults_script(summary.groups([fakes.row()]), figures.WORST, "x"))

    def test_the_hog_stands_beside_the_run_without_contribution(self) -> None:
        rows = [fakes.row(system="none", contribution="none", faults_mean=7.0), fakes.row(contribution="hog")]
        script = figures.faults_script(summary.groups(rows), figures.MEAN, "x")
        self.assertEqual(script.split("$none << EOD\n")[1].split("EOD")[0].count("7.0000 7\n"), 1)
        self.assertIn("set xtics ('loop + hog' 0)", script)
        both = figures.faults_script(summary.groups([*rows, fakes.row()]), figures.MEAN, "x")
        self.assertEqual(both.split("$none << EOD\n")[1].split("EOD")[0].count("7.0000 7\n"), 2)
        alone = figures.faults_script(summary.groups(rows[:1]), figures.MEAN, "x")
        self.assertIn("set xtics ('loop' 0)", alone)

    def test_donations_have_the_oracles_above_them(self) -> None:
        rows = [fakes.row(system="none", contribution="none", donated_mb=0.0), fakes.row(),
                fakes.row(system="tmm", donated_mb=150.0, oracle_donation_mb=190.0)]
        script = figures.donation_script(summary.groups(rows), "x")
        self.assertNotIn("$none", script)
        self.assertIn("0.2100 37.1 0.2100\n", script)
        self.assertIn("29.2969 29\n", script)
        self.assertNotIn("oracle", figures.donation_script(summary.groups(rows[:2]), "x"))

    def test_many_bars_get_more_room(self) -> None:
        few = summary.groups([fakes.row()])
        many = summary.groups([fakes.row(workload=f"w{i}", system=system) for i in range(8) for system in figures.ALL_SYSTEMS])
        self.assertEqual(figures.bars_width(few), 900)
        self.assertGreater(figures.bars_width(many), 1500)
        self.assertIn("rotate", figures.faults_script(many, figures.MEAN, "x"))

    def test_texts_cannot_break_out_of_their_quotes(self) -> None:
        self.assertEqual(quoted("it's"), "'it''s'")
        self.assertEqual(figures.lines('a"b', "c\\d"), '"a\\"b\\nc\\\\d"')


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class DrawTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder

    def test_all_figures_in_both_formats(self) -> None:
        rows = recorder_rows.parse_rows(fakes.whole_run_samples(), "s.csv")
        decisions = records.parse(timeline.Decision, fakes.timeline_text(), "t.csv")
        groups = summary.groups([fakes.row(), fakes.row(system="tmm", oracle_donation_mb=500.0)])
        bars = figures.faults_script(groups, figures.MEAN, "it's \"quoted\"")
        files = draw(bars, self.out / "figure2", 900, 560)
        files += draw(figures.donation_script(groups, "x"), self.out / "figure4", 900, 560)
        files += draw(figures.figure5_script(rows, decisions, "x"), self.out / "figure5", 900, 560)
        self.assertEqual([file.name for file in files],
                         [f"figure{number}.{suffix}" for number in (2, 4, 5) for suffix in ("png", "svg")])
        self.assertTrue(files[0].read_bytes().startswith(b"\x89PNG"))
        self.assertIn("<svg", files[1].read_text(encoding="utf-8"))

    def test_a_script_that_gnuplot_refuses_is_an_error(self) -> None:
        with self.assertRaisesRegex(GnuplotError, "could not draw"):
            draw("plot nonsense(\n", self.out / "bad", 100, 100)
