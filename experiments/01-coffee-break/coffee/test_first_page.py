# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import collections
import re
import unittest

from desk import fakes

from . import committed, first_page


def row(system: str, machine: str, **more: object):
    return fakes.row(workload="loop", system=system, machine=machine, contribution="none" if system == "none" else "hog", **more)


class FirstPageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.rows = [row("none", "fresh", faults_mean=0.0, stall_share=0.0), row("plain", "fresh", faults_mean=53.8, stall_share=0.131),
                     row("priority", "lived-in", run=1, donated_mb=12.0), row("priority", "lived-in", run=2, donated_mb=14.0),
                     row("tmm", "fresh", donated_mb=262.0), row("tmm", "lived-in", donated_mb=245.0)]

    def table(self) -> list[tuple[str, ...]]:
        return first_page.table_rows(first_page.loop_groups(self.rows))

    def test_machines_stand_beside_each_other(self) -> None:
        none, plain, priority, tmm = self.table()[1:]
        self.assertEqual(none[:4], ("no contribution", "0.0", "0.0 %", "-"))
        self.assertEqual(plain[1:3], ("53.8", "13.1 %"))
        self.assertEqual(plain[4:], ("-", "-", "-"), "it was not run")
        self.assertEqual(priority[6], "13 MB", "the median")
        self.assertEqual((tmm[3], tmm[6]), ("262 MB", "245 MB"))

    def test_other_situations_are_left_out(self) -> None:
        before = self.table()
        self.rows += [row("tmm", "lived-in", during="nightly", donated_mb=1.0), row("tmm-beta", "fresh", donated_mb=1.0),
                      fakes.row(workload="zipf", system="tmm", contribution="hog", donated_mb=1.0),
                      fakes.row(workload="loop", system="tmm", contribution="povray", donated_mb=1.0)]
        self.assertEqual(self.table(), before)

    def test_the_picture_shows_the_tables_figures(self) -> None:
        script = first_page.script(first_page.loop_groups(self.rows))
        self.assertIn("245.0000 245\n", script)
        self.assertIn("53.8000 54\n", script)
        self.assertIn("13.1000 13\n", script)


class CommittedPicture(unittest.TestCase):
    def test_has_the_labels_of_the_rows(self) -> None:
        labels = [label.strip() for label in re.findall(r"<tspan [^>]*>([^<]*)<", (committed.RESULTS / "first-page.svg").read_text(encoding="utf-8"))]
        script = first_page.script(first_page.loop_groups(committed.rows(committed.RESULTS / "lived-in")))
        drawn = re.findall(r"^-?\d\.\d{4} \d+\.\d{4} (\S+)$", script, re.MULTILINE)
        self.assertGreater(len(drawn), 10)
        # Those of the axes come twice, since some values are the same.
        for value, count in collections.Counter(drawn).items():
            self.assertGreaterEqual(labels.count(value), count, f"draw it anew with first_page.py: {value}")
