# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of runs, and results as CSV: a header line with the names of a dataclass's fields, and a row for each result."""

import csv
import dataclasses
import io
import pathlib
import typing
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ..errors import DeskError

Made = TypeVar("Made")


def read_text(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DeskError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DeskError(f"{path}: not a text ({error})") from error


def read(text: str, name: str, columns: Iterable[str], make: Callable[[dict[str, str]], Made]) -> list[Made]:
    """What make makes of each row. Leaves out a last line without its end: the machine stopped while writing it. columns: those that it
    needs. DeskError: one is missing, or make failed."""
    reader = csv.DictReader(io.StringIO(text[:text.rfind("\n") + 1]), strict=True)
    missing = [column for column in columns if column not in (reader.fieldnames or [])]
    if missing:
        raise DeskError(f"{name}: no column {', '.join(missing)}")
    made = []
    for record in reader:
        try:
            made.append(make(record))
        except (TypeError, ValueError) as error:
            raise DeskError(f"{name}:{reader.line_num}: not a row of numbers ({error})") from error
    return made


def value_of(kind: object, text: str | None) -> object:
    """kind: str, int or float, or one of them | None, for which an empty text stands."""
    if text is None:
        raise ValueError("a value is missing")
    if choices := typing.get_args(kind):
        return value_of(choices[0], text) if text else None
    return kind(text)


def parse(kind: type[Made], text: str, name: str) -> list[Made]:
    """Of any file that has columns for the fields of a dataclass. A field with a default may lack its column."""
    types = {field.name: field.type for field in dataclasses.fields(kind)}
    needed = [field.name for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING]
    return read(text, name, needed, lambda record: kind(**{field: value_of(types[field], record[field]) for field in types if field in record}))


def of_file(kind: type[Made], path: pathlib.Path) -> list[Made]:
    return parse(kind, read_text(path), str(path))


def names_of(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def csv_text(kind: type, results: Sequence[object]) -> str:
    """kind: the dataclass of all results. None is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = names_of(kind)
    writer.writerow(names)
    writer.writerows([getattr(result, name) for name in names] for result in results)
    return out.getvalue()


def parse_csv(kind: type[Made], text: str, name: str) -> list[Made]:
    """Of csv_text(). DeskError: the columns are others, or a value is bad."""
    if text.partition("\n")[0].split(",") != names_of(kind):
        raise DeskError(f"{name} has other columns than {kind.__name__}")
    return parse(kind, text, name)


def results_in(kind: type[Made], path: pathlib.Path) -> list[Made]:
    return parse_csv(kind, read_text(path), str(path))
