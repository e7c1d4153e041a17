# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""results.csv: a header line, and a row for every run that succeeded."""

import csv
import dataclasses
import io
import pathlib

from .errors import CoffeeError
from .metrics import Row

FIELDS = {field.name: field.type for field in dataclasses.fields(Row)}


def format_rows(rows: list[Row]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(dataclasses.asdict(row) for row in rows)
    return out.getvalue()


def parse_rows(text: str, name: str) -> list[Row]:
    reader = csv.DictReader(io.StringIO(text[:text.rfind("\n") + 1]), strict=True)
    missing = [field for field in FIELDS if field not in (reader.fieldnames or [])]
    if missing:
        raise CoffeeError(f"{name}: no column {', '.join(missing)}: it is of another version; call with --fresh or another --out")
    rows = []
    for record in reader:
        try:
            rows.append(Row(**{field: kind(record[field]) for field, kind in FIELDS.items()}))
        except (TypeError, ValueError) as error:
            raise CoffeeError(f"{name}:{reader.line_num}: {error}; call with --fresh or another --out") from error
    return rows


class Results:
    """The file on disk, rewritten as a whole with each row, so that an interruption loses no finished run."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.rows: list[Row] = []

    def load(self) -> None:
        if self.path.exists():
            self.rows = parse_rows(self.path.read_text(encoding="utf-8"), str(self.path))

    def with_key(self, key: str) -> Row | None:
        return next((row for row in self.rows if row.key == key), None)

    def add(self, row: Row) -> None:
        """A row of the same run with other parameters or programs is replaced: the file never mixes them."""
        same = (row.system, row.workload, row.run)
        self.rows = [old for old in self.rows if (old.system, old.workload, old.run) != same] + [row]
        self.save()

    def keep(self, keys: list[str]) -> None:
        """Drops the rows of runs that are not part of this call, and brings the others into the order given."""
        self.rows = sorted((row for row in self.rows if row.key in keys), key=lambda row: keys.index(row.key))
        self.save()

    def save(self) -> None:
        part = self.path.with_suffix(".part")
        part.write_text(format_rows(self.rows), encoding="utf-8")
        part.replace(self.path)
