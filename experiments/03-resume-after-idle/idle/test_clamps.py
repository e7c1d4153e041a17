# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later

from desk.errors import DeskError
from desk.fakes import FolderTest

from . import clamps
from .clamps import Moment

HEADER = "round,t_ms,stalled_us,asked,frozen\n"
# 5 ms of waiting long before, which raise no alarm. The last look before the stall is its begin.
ROUND = "{0},0,0,0,0\n{0},10,5000,0,0\n{0},1996,5000,0,0\n{0},2000,9000,0,0\n{0},2100,70000,0,0\n{0},2150,90000,1,0\n{0},2153,90000,1,1\n"
SPEEDS = "kind,mb_s\nfiles,700.4\nanonymous,90\nswap device,100\n"


class Clamps(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.write(HEADER + ROUND.format(1) + ROUND.format(2).replace("2153", "2250"))

    def write(self, rounds: str, speeds: str = SPEEDS) -> None:
        (self.folder / "rounds.csv").write_text(rounds, encoding="ascii")
        (self.folder / "speeds.csv").write_text(speeds, encoding="ascii")

    def test_a_stall_begins_where_waiting_raises_the_alarm(self) -> None:
        moments = clamps.rounds_of(self.folder / "rounds.csv")[0]
        self.assertEqual(clamps.clamp_of(moments, ""), clamps.Clamp(alarm=104, order=50, hold=3))
        slow = [Moment(1000.0 * second, 40.0 * second, False, False) for second in range(5)]
        self.assertIsNone(clamps.stall_of(slow))

    def test_each_measure_has_a_row(self) -> None:
        text = clamps.table_of(self.folder)
        self.assertTrue(text.startswith("|  | times |"))
        self.assertIn("| from there until nothing of the contribution runs, ms | 2 | 52 | 100 | 100 |\n", text)
        self.assertIn("| from the begin of the stall to the order to freeze, ms | 2 | 154 | 154 | 154 |\n", text)
        self.assertIn("| clean files released, MB/s | 1 | 700 | - | - |\n", text)

    def test_an_alarm_of_another_program_does_not_count(self) -> None:
        # What comes after the freeze tells nothing of its cause.
        self.write(HEADER + ROUND.format(1) + "2,0,0,0,0\n2,70,1000,1,1\n2,90,99000,1,1\n")
        text = clamps.table_of(self.folder)
        self.assertIn("| from the alarm to the order to freeze, ms | 1 | 50 | 50 | 50 |\n", text)
        self.assertEqual(text.splitlines()[-1], "In 1 of 2 rounds another program's stall raised the alarm; they do not count.")

    def test_what_is_missing_is_an_error(self) -> None:
        for rounds, speeds, message in ((HEADER + "1,0,0,0,0\n", SPEEDS, "without a freeze"), (HEADER + "1,0,0,0,0\n1,5,9,1,1\n", SPEEDS, "cut short"),
                                        (HEADER + "1,x,0,0,0\n", SPEEDS, "not a row of numbers"), (HEADER + ROUND.format(1), "kind,mb_s\nfiles,1\n", "cut short")):
            self.write(rounds, speeds)
            with self.assertRaisesRegex(DeskError, message):
                clamps.table_of(self.folder)
