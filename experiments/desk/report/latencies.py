# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The log of an owner's interactions."""

import dataclasses
import pathlib

from . import records


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


def of_file(path: pathlib.Path) -> list[Second]:
    return records.of_file(Second, path)


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
