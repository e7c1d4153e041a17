# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Results of experiments: dataclasses as rows of CSV, and the check of tables that were committed with them."""

import csv
import dataclasses
import io
import pathlib
import unittest
from collections.abc import Callable, Sequence

from .errors import DeskError


def names_of(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def csv_text(kind: type, results: Sequence[object]) -> str:
    """A header line with the names of the fields, and a row for each result. kind: their dataclass. None is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = names_of(kind)
    writer.writerow(names)
    writer.writerows([getattr(result, name) for name in names] for result in results)
    return out.getvalue()


def parse_csv(kind: type, text: str) -> list[dict[str, str]]:
    """The fields of csv_text() by their names. DeskError: the columns are others."""
    reader = csv.DictReader(io.StringIO(text), strict=True)
    if reader.fieldnames != names_of(kind):
        raise DeskError(f"results.csv has other columns than {kind.__name__}")
    return list(reader)


def check_tables(case: unittest.TestCase, results: pathlib.Path, text_of: Callable[[str, str], str]) -> None:
    """Each folder in results has results.csv and table.md, which text_of(name of the folder, command) makes of it; report.md has both the
    command and the table."""
    said = (results / "report.md").read_text(encoding="utf-8")
    folders = sorted(path.parent for path in results.glob("*/results.csv"))
    case.assertTrue(folders)
    for folder in folders:
        committed = (folder / "table.md").read_text(encoding="utf-8")
        command, _, table = committed.partition("\n\n")
        case.assertEqual(text_of(folder.name, command.strip()), committed)
        case.assertIn(command, said)
        case.assertIn(table.strip(), said)
