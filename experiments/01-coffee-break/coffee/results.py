# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""results.csv: a header line, and a row for every run that succeeded."""

import pathlib
from collections.abc import Callable

from desk.errors import DeskError
from desk.report import records
from desk.report.metrics import Row


def parse_rows(text: str, name: str) -> list[Row]:
    try:
        return records.parse_csv(Row, text, name)
    except DeskError as error:
        raise DeskError(f"{error}; call with --fresh or another --out") from error


def save(path: pathlib.Path, rows: list[Row]) -> None:
    part = path.with_suffix(".part")
    part.write_text(records.csv_text(Row, rows), encoding="utf-8")
    part.replace(path)


class Results:
    """The rows of the runs that belong together (same parameters), in results.csv. Rows of others (another break, another disk)
    go to other-results.csv and come back when a call asks for them, so no result is lost. Each new row rewrites both files, so
    an interruption loses no finished run."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.others_path = path.with_name("other-" + path.name)
        self.rows: list[Row] = []
        self.others: list[Row] = []

    def load(self, renew: bool = False) -> None:
        """renew: renames unreadable files to NAME.old; else they are an error."""
        self.rows = self.load_file(self.path, renew)
        self.others = self.load_file(self.others_path, renew)

    @staticmethod
    def load_file(path: pathlib.Path, renew: bool) -> list[Row]:
        if not path.exists():
            return []
        try:
            return parse_rows(path.read_text(encoding="utf-8"), str(path))
        except DeskError:
            if not renew:
                raise
            path.replace(path.with_name(path.name + ".old"))
            return []

    def with_key(self, key: str) -> Row | None:
        return next((row for row in self.rows + self.others if row.key == key), None)

    def add(self, row: Row) -> None:
        """Replaces a row of the same run, even of other programs: the file has each run once."""
        self.rows = [old for old in self.rows if old.identity != row.identity] + [row]
        self.save()

    def select(self, keys: list[str], belongs: Callable[[Row], bool]) -> None:
        """Makes the rows with one of the keys the results, in this order, then the rows that belong to them but are not part of
        this call. Puts the others aside."""
        known = {row.key: row for row in self.others + self.rows}
        wanted = [known[key] for key in keys if key in known]
        taken = {row.identity for row in wanted}
        beside = []
        for row in self.rows + self.others:
            if row.key not in keys and belongs(row) and row.identity not in taken:
                beside.append(row)
                taken.add(row.identity)
        self.rows = wanted + beside
        chosen = {row.key for row in self.rows}
        self.others = [row for key, row in known.items() if key not in chosen]
        self.save()

    def save(self) -> None:
        save(self.path, self.rows)
        if self.others or self.others_path.exists():
            save(self.others_path, self.others)
