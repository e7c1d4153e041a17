# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The log of an owner's interactions."""

import csv
import dataclasses
import io

from .errors import DeskError

COLUMNS = ("t_s", "interactions", "mean_ms", "max_ms")


@dataclasses.dataclass(frozen=True)
class Second:
    """The interactions that ended in one second; latencies in ms."""

    t_s: int
    interactions: int
    mean_ms: float
    max_ms: float
    first_end_s: float | None = None  # end of the first of them, on the same clock; None: not logged


@dataclasses.dataclass(frozen=True)
class Latency:
    """The interactions of a span of time. Without any, mean_ms and max_ms are 0."""

    interactions: int
    mean_ms: float
    max_ms: float


def parse_latencies(text: str, name: str) -> list[Second]:
    """Leaves out a last line without its end."""
    reader = csv.DictReader(io.StringIO(text[:text.rfind("\n") + 1]), strict=True)
    missing = [column for column in COLUMNS if column not in (reader.fieldnames or [])]
    if missing:
        raise DeskError(f"{name}: no column {', '.join(missing)}")
    seconds = []
    for row in reader:
        try:
            first_end = row.get("first_end_s")
            seconds.append(Second(int(row["t_s"]), int(row["interactions"]), float(row["mean_ms"]), float(row["max_ms"]),
                                  float(first_end) if first_end else None))
        except (TypeError, ValueError) as error:
            raise DeskError(f"{name}:{reader.line_num}: not a row of numbers ({error})") from error
    return seconds


def between(seconds: list[Second], start_s: float, end_s: float) -> Latency:
    """The interactions that ended in the span. Rows are whole seconds, so the second of start_s counts as a whole."""
    chosen = [second for second in seconds if int(start_s) <= second.t_s < end_s]
    interactions = sum(second.interactions for second in chosen)
    total_ms = sum(second.interactions * second.mean_ms for second in chosen)
    max_ms = max((second.max_ms for second in chosen), default=0.0)
    return Latency(interactions, total_ms / interactions if interactions else 0.0, max_ms)


def first_after(seconds: list[Second], t_s: float) -> float | None:
    """Seconds from t_s to the end of the first interaction after it; None: there was none, or it was not logged."""
    ends = [second.first_end_s for second in seconds if second.first_end_s is not None and second.first_end_s >= t_s]
    return min(ends) - t_s if ends else None
