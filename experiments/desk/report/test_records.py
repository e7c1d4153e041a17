# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import pathlib
import tempfile
import unittest

from ..errors import DeskError
from . import records


@dataclasses.dataclass(frozen=True)
class Result:
    system: str
    boot: int
    faults: float | None
    killed: str = ""
    returns: int | None = None


RESULTS = [Result("plain", 1, 0.5, "owner, all", 3), Result("tmm", 2, None)]


class Reading(unittest.TestCase):
    def test_reads_back_what_it_has_written(self) -> None:
        text = records.csv_text(Result, RESULTS)
        self.assertEqual(text, 'system,boot,faults,killed,returns\nplain,1,0.5,"owner, all",3\ntmm,2,,,\n')
        self.assertEqual(records.parse_csv(Result, text, "r.csv"), RESULTS)

    def test_results_of_other_columns_are_refused(self) -> None:
        for text in ("", "system,boot,faults\nplain,1,2\n", "boot,system,faults,killed,returns\n1,plain,2,,\n"):
            with self.assertRaisesRegex(DeskError, "^r.csv has other columns than Result$"):
                records.parse_csv(Result, text, "r.csv")

    def test_columns_are_found_by_name_and_others_left_out(self) -> None:
        self.assertEqual(records.parse(Result, "more,faults,boot,system\nx,,2,tmm\n", "r.csv"), [RESULTS[1]])

    def test_a_line_being_written_is_left_out(self) -> None:
        self.assertEqual(records.parse(Result, "system,boot,faults\nplain,1,2\ntmm,2,3", "r.csv"), [Result("plain", 1, 2.0)])
        self.assertEqual(records.parse(Result, "system,boot,faults\n", "r.csv"), [])

    def test_a_missing_column_is_named(self) -> None:
        for text in ("", "system\n", "system,killed\nplain,x\n"):
            with self.assertRaisesRegex(DeskError, "^r.csv: no column .*boot, faults$"):
                records.parse(Result, text, "r.csv")

    def test_what_is_no_number_is_named_with_its_line(self) -> None:
        for bad in ("tmm,x,1", "tmm,1.5,1", "tmm,1,x", "tmm,,1", "tmm", "tmm,1"):
            with self.assertRaisesRegex(DeskError, "^r.csv:3: not a row of numbers"):
                records.parse(Result, f"system,boot,faults\nplain,1,2\n{bad}\n", "r.csv")

    def test_a_file_that_cannot_be_read_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "samples.csv"
            with self.assertRaisesRegex(DeskError, "samples.csv: No such file"):
                records.read_text(path)
            path.write_bytes(b"\xff")
            with self.assertRaisesRegex(DeskError, "samples.csv: not a text"):
                records.read_text(path)
