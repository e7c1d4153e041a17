# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from desk.errors import DeskError

from . import recording
from .recording import Span

DIARY = "t_s,doing,minutes\n130.2,browser,7\n550.2,away,4\n790.2,office,3\n"


def trace(*lines: str) -> list[str]:
    return [recording.HEADER + "\n", *(line + "\n" for line in lines)]


class DiaryTest(unittest.TestCase):
    def test_times_count_from_the_recordings_begin(self) -> None:
        spans = recording.read_diary(DIARY, 10)
        self.assertAlmostEqual(spans[1].t_s, 540.2)
        self.assertEqual((spans[1].doing, spans[1].minutes), ("away", 4))

    def test_the_recording_begins_with_the_first_scan(self) -> None:
        timeline = "t_s,wall_s,kind\n0.000,1800000000.75,learning\n3.0,1800000003.75,learning\n"
        self.assertAlmostEqual(recording.begin_s("4.85 1800000000.25\n", timeline), 5.35, places=3)
        for start, text in (("4.85\n", timeline), ("4.85 1.5\n", "t_s,wall_s\n"), ("4.85 1.5\n", "t_s\n0\n"), ("", "")):
            with self.assertRaises(DeskError):
                recording.begin_s(start, text)

    def test_a_recording_that_ended_first(self) -> None:
        spans = recording.read_diary(DIARY)
        self.assertEqual(recording.recorded(spans, trace("0,o,r,a,8", "970000000,o,r,a,8")), spans)
        self.assertEqual(recording.recorded(spans, trace("0,o,r,a,8", "900000000,o,r,a,8")), spans[:2])
        with self.assertRaisesRegex(DeskError, "ends before"):
            recording.recorded(spans, trace("0,o,r,a,8"))

    def test_the_diary_begins_at_a_whole_minute(self) -> None:
        spans = recording.read_diary(DIARY, 10)
        self.assertAlmostEqual(recording.shift_s(spans), 59.8)
        moved = recording.later(spans, recording.shift_s(spans))
        self.assertEqual(recording.diary_text(moved), "t_s,doing,minutes\n180,browser,7\n600,away,4\n840,office,3\n")
        self.assertEqual(recording.read_diary(recording.diary_text(moved)), [Span(180, "browser", 7), Span(600, "away", 4), Span(840, "office", 3)])

    def test_a_diary_that_cannot_be_read(self) -> None:
        for text in ("", "t_s,doing,minutes\n", "t_s,doing\n1,away\n", "t_s,doing,minutes\n1,away,x\n"):
            with self.assertRaises(DeskError):
                recording.read_diary(text)

    def test_the_owners_file_has_the_times_of_presence(self) -> None:
        spans = [Span(180, "browser", 7), Span(600, "away", 4), Span(840, "office", 3)]
        self.assertEqual(recording.owner_text(spans, 32, 1),
                         "[Owner]\nLength = 17 min\nRecordedUnit = 32K\n[Presence]\nmon = 00:00-00:10 00:14-00:17\n")
        self.assertEqual(recording.owner_text(spans, 32, 10),
                         "[Owner]\nLength = 170 min\nRecordedUnit = 32K\n[Presence]\nmon = 00:00-01:40 02:20-02:50\n")

    def test_an_owner_who_is_away_at_the_end(self) -> None:
        spans = [Span(0, "away", 2), Span(120, "office", 3), Span(300, "away", 1), Span(360, "away", 1)]
        self.assertIn("Length = 7 min", recording.owner_text(spans, 4, 1))
        self.assertIn("mon = 00:02-00:05\n", recording.owner_text(spans, 4, 1))


class TraceTest(unittest.TestCase):
    def reduced(self, *lines: str, shift: float = 0, step_s: int = 1, keep: int = 1) -> list[str]:
        return [line.rstrip() for line in recording.reduced(trace(*lines), shift, step_s, keep)][1:]

    def test_pages_have_numbers_and_come_once_in_a_step(self) -> None:
        self.assertEqual(self.reduced("100000,o,r,ffee,8", "200000,o,r,aa,8", "300000,o,r,ffee,8", "1500000,o,r,ffee,8"),
                         ["1000000,o,r,0,8", "1000000,o,r,1,8", "2000000,o,r,0,8"])

    def test_a_step_has_the_time_of_its_end(self) -> None:
        self.assertEqual(self.reduced("0,o,r,a,8", "10000000,o,r,a,8", "10000001,o,r,a,8", step_s=10),
                         ["0,o,r,0,8", "10000000,o,r,0,8", "20000000,o,r,0,8"])

    def test_the_begin_can_be_later(self) -> None:
        self.assertEqual(self.reduced("500000,o,r,a,8", shift=59.8), ["61000000,o,r,0,8"])

    def test_a_page_that_goes_is_another_when_it_comes_again(self) -> None:
        self.assertEqual(self.reduced("100000,o,r,a,8", "200000,o,e,a,8", "300000,o,r,a,8"),
                         ["1000000,o,r,0,8", "1000000,o,e,0,8", "1000000,o,r,1,8"])

    def test_transparent_pages_are_left_out(self) -> None:
        self.assertEqual(self.reduced("100000,t,r,a,8"), [])

    def test_one_page_stands_for_several(self) -> None:
        self.assertEqual(self.reduced("0,o,r,a,8", "0,o,r,b,8", "0,o,r,c,8", "0,o,e,b,8", keep=2), ["0,o,r,0,16", "0,o,r,2,16"])

    def test_a_stretched_day_has_the_same_touches(self) -> None:
        self.assertEqual(list(recording.stretched(trace("2000000,o,r,a,8", "3000000,o,e,a,8"), 10)),
                         trace("20000000,o,r,a,8", "30000000,o,e,a,8"))

    def test_what_is_no_trace_is_named_by_its_line(self) -> None:
        for lines, message in ((["t_us\n"], "line 1"), (trace("1,o,r,a,8", "1,o,r,a"), "line 3"), (trace("x,o,r,a,8"), "line 2")):
            with self.assertRaisesRegex(DeskError, message):
                list(recording.reduced(lines, 0, 1, 1))

    def test_sizes(self) -> None:
        lines = trace("0,o,r,a,8", "0,o,r,b,8", "0,o,e,b,8", "0,o,r,c,128", "0,o,r,a,8")
        self.assertEqual(recording.unit_kb(lines), 32)
        self.assertEqual(recording.most_mb(lines), 136 * 4 / 1024)
        with self.assertRaisesRegex(DeskError, "no page"):
            recording.unit_kb(trace())
