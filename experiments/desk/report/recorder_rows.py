# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The recorder's rows: parses them and splits them into the phases of the scenario."""

import dataclasses
import itertools
import pathlib

from ..errors import DeskError
from . import records

CLASSES = ("owner", "contribution")
CLASS_COLUMNS = ("pgmajfault", "refault_anon", "refault_file", "current_bytes", "swap_bytes", "swapcached_bytes",
                 "anon_bytes", "file_bytes", "stall_us", "cpu_us", "user_us")
MACHINE_COLUMNS = ("free_bytes", "pswpin", "pswpout", "pgmajfault", "owner_read_bytes", "daemon_cpu_us", "daemon_rss_bytes",
                   "daemon_peak_bytes")
# Rows closer together (at a change of phase) make no rate: two faults in 0.1 s are not 20 a second.
MIN_INTERVAL_S = 0.5


@dataclasses.dataclass(frozen=True)
class RecorderRow:
    """A row. counts: by column name; counters since the boot, sizes in bytes."""

    t_s: float
    phase: str
    counts: dict[str, int]


def count_columns() -> list[str]:
    return [f"{name}_{column}" for name in CLASSES for column in CLASS_COLUMNS] + list(MACHINE_COLUMNS)


def parse_rows(text: str, name: str) -> list[RecorderRow]:
    """Rows in the order of time."""
    columns = count_columns()
    rows = records.read(text, name, ["t_s", "phase", *columns], lambda record: RecorderRow(
        float(record["t_s"]), record["phase"], {column: int(record[column]) for column in columns}))
    for last, row in itertools.pairwise(rows):
        if row.t_s < last.t_s:
            raise DeskError(f"{name}: time goes back from {last.t_s} to {row.t_s} s")
    return rows


def of_folder(folder: pathlib.Path) -> list[RecorderRow]:
    """Of a run."""
    return parse_rows(records.read_text(folder / "samples.csv"), str(folder / "samples.csv"))


def phase_rows(rows: list[RecorderRow], phase: str) -> list[RecorderRow]:
    """The phase's rows and the first row after them, which has the counts at the phase's end."""
    first = next((i for i, row in enumerate(rows) if row.phase == phase), None)
    if first is None:
        raise DeskError(f"the recorder has no row of the phase '{phase}': the run did not get that far")
    last = next((i for i in range(first, len(rows)) if rows[i].phase != phase), len(rows) - 1)
    return rows[first:last + 1]


def use_rows(rows: list[RecorderRow]) -> list[RecorderRow]:
    """The rows of the work, and of the past before it if there is one."""
    work = phase_rows(rows, "work")
    if not any(row.phase == "past" for row in rows):
        return work
    return phase_rows(rows, "past")[:-1] + work


def delta(rows: list[RecorderRow], column: str) -> int:
    return rows[-1].counts[column] - rows[0].counts[column]


def duration_s(rows: list[RecorderRow]) -> float:
    return rows[-1].t_s - rows[0].t_s


def rates(rows: list[RecorderRow], column: str) -> list[float]:
    """The counter's growth per second, between each row and the next."""
    result = []
    last = rows[0]
    for row in rows[1:]:
        span_s = row.t_s - last.t_s
        if span_s >= MIN_INTERVAL_S:
            result.append((row.counts[column] - last.counts[column]) / span_s)
            last = row
    return result


def footprint_bytes(row: RecorderRow, name: str) -> int:
    """All memory of a class, resident or swapped out. A resident page with a valid copy in swap is in both numbers."""
    current, swap, both = (row.counts[f"{name}_{column}_bytes"] for column in ("current", "swap", "swapcached"))
    return current + swap - both
