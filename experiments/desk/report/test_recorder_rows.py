# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from .. import fakes
from ..errors import DeskError
from . import recorder_rows


class ParseTest(unittest.TestCase):
    def test_reads_rows(self) -> None:
        rows = recorder_rows.parse_rows(fakes.whole_run_samples(), "s.csv")
        self.assertEqual(len(rows), 9)
        self.assertEqual((rows[1].t_s, rows[1].phase, rows[1].counts["owner_pgmajfault"]), (10.0, "work", 3))

    def test_columns_are_found_by_name(self) -> None:
        header = fakes.SAMPLES_HEADER.strip().split(",")
        values = [str(i) for i in range(len(header))]
        values[1] = "work"
        text = ",".join(reversed(header)) + "\n" + ",".join(reversed(values)) + "\n"
        self.assertEqual(recorder_rows.parse_rows(text, "s.csv")[0].counts["owner_pgmajfault"], 2)

    def test_time_must_not_go_back(self) -> None:
        with self.assertRaisesRegex(DeskError, "time goes back"):
            recorder_rows.parse_rows(fakes.SAMPLES_HEADER + fakes.sample_line(2, "work") + fakes.sample_line(1, "work"), "s.csv")


class PhaseTest(unittest.TestCase):
    def setUp(self) -> None:
        self.rows = recorder_rows.parse_rows(fakes.whole_run_samples(), "s.csv")

    def test_a_phase_ends_with_the_first_row_after_it(self) -> None:
        back = recorder_rows.phase_rows(self.rows, "return")
        self.assertEqual([row.t_s for row in back], [14, 15, 16, 17])
        self.assertEqual(recorder_rows.delta(back, "owner_pgmajfault"), 30)
        self.assertEqual(recorder_rows.duration_s(back), 3)

    def test_the_last_phase_has_no_row_after_it(self) -> None:
        self.assertEqual([row.t_s for row in recorder_rows.phase_rows(self.rows, "end")], [17, 18])

    def test_a_phase_that_never_came_is_an_error(self) -> None:
        with self.assertRaisesRegex(DeskError, "no row of the phase 'return'"):
            recorder_rows.phase_rows(self.rows[:4], "return")
        with self.assertRaises(DeskError):
            recorder_rows.phase_rows([], "work")

    def test_rates_are_per_second_and_skip_intervals_too_short_to_tell(self) -> None:
        lines = [fakes.sample_line(t_s, "return", pswpin=count) for t_s, count in ((0, 0), (1, 10), (1.1, 20), (3, 30))]
        text = fakes.SAMPLES_HEADER + "".join(lines)
        self.assertEqual(recorder_rows.rates(recorder_rows.parse_rows(text, "s.csv"), "pswpin"), [10.0, 10.0])

    def test_a_page_that_is_resident_and_in_swap_counts_once(self) -> None:
        self.assertEqual([recorder_rows.footprint_bytes(row, "contribution") // 2**20 for row in self.rows[4:6]], [7, 9])
