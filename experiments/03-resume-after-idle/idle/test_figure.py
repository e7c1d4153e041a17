# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import pathlib
import shutil
import tempfile
import unittest

from desk.report import breaks

from . import figure

PLAIN = breaks.Result(system="plain", kernel_release="6.12", machine="lived-in", backing="nvme", faults_mean=127.8, faults_max=376.0,
                      stall_share=0.044, first_interaction_s=0.96, slowest_times=5061.0, owner_before_mb=180.0, owner_kept_mb=11.0,
                      donated_mb=385.0, contributor_peak_mb=400.0, swapped_out_mb=2771.0, work_done_s=6.0, break_taken_s=60.0,
                      free_before_mb=9.0, killed="", decided="")


def result(name: str, **changes: object) -> breaks.Result:
    return dataclasses.replace(PLAIN, system=name, **changes)


class Points(unittest.TestCase):
    def test_only_systems_that_gave_to_an_owner_who_lives(self) -> None:
        rows = [PLAIN, result("none", donated_mb=None), result("earlyoom", faults_mean=None)]
        self.assertEqual([point.name for point in figure.points_of(rows, 1.0)], ["plain"])

    def test_several_boots_are_one_point(self) -> None:
        rows = [result("plain", boot=number, faults_mean=faults, donated_mb=10 * faults) for number, faults in ((1, 3.0), (2, 1.0), (3, 8.0))]
        self.assertEqual([(point.donated_mb, point.faults) for point in figure.points_of(rows, 1.0)], [(30.0, 3.0)])

    def test_no_name_hides_another(self) -> None:
        rows = [PLAIN, *(result(name, faults_mean=0.0, donated_mb=200.0 + i) for i, name in enumerate(("tmm", "tmm-stock", "tmm-idle")))]
        places = [point.label_y for point in figure.points_of(rows, 6.0)]
        self.assertEqual(places, [6.0, 12.0, 18.0, 133.8])

    def test_tmm_has_a_colour_of_its_own(self) -> None:
        text = figure.script([PLAIN, result("tmm-stock", faults_mean=0.0)], "a machine")
        self.assertIn("$tmm << EOD\n385.00 0.00\nEOD", text)
        self.assertIn("$others << EOD\n385.00 127.80\nEOD", text)


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Drawing(unittest.TestCase):
    def test_both_formats(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            files = figure.draw_figure([PLAIN, result("tmm", faults_mean=0.0, donated_mb=248.0)], pathlib.Path(folder))
            self.assertEqual([file.name for file in files], ["figure.png", "figure.svg"])
            self.assertEqual(figure.draw_figure([result("none", donated_mb=None)], pathlib.Path(folder)), [])
