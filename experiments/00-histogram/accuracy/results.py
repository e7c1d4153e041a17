# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The result of a replay (a row of results.csv), and statistics over rows."""

import csv
import dataclasses
import math
import pathlib
from collections.abc import Iterable
from typing import Any

from .plan import Replay

# The aims (docs: targets of the histogram).
MAX_CURVE_ERROR = 0.005
MAX_LIMIT_ERROR = 0.02
MAX_BETA = 1.05
# tmmd shortens epochs whose footprint is a larger share of the need (EpochPace).
MAX_FOOTPRINT = 0.10
# The error grows with fewer samples: see the README.
MIN_SAMPLES = 8192


@dataclasses.dataclass(frozen=True)
class Row:
    workload: str
    seed: int
    epoch_s: float
    rate: str
    sample_shift: int
    references: int
    pages: int
    footprint: float    # pages of an epoch, as a share of the need
    curve_error: float  # mean, of the miss ratio
    limit_error: float  # share of memory
    beta: float

    @property
    def samples(self) -> int:
        return self.pages >> self.sample_shift

    @property
    def within_reach(self) -> bool:
        """tmmd would choose this epoch and sample."""
        return self.footprint <= MAX_FOOTPRINT and self.samples >= MIN_SAMPLES


FIELDS = [field.name for field in dataclasses.fields(Row)]


def row_of(replay: Replay, said: dict[str, Any]) -> Row:
    """said: the JSON object of tmm-replay --exact."""
    return Row(replay.workload, replay.seed, replay.epoch_s, replay.rate, said["sample_shift"], said["references"], said["pages"],
               said["footprint_pages"] / max(said["exact_need_pages"], 1), said["mean_abs_error"],
               abs(said["need_pages"] - said["exact_need_pages"]) / said["memory_pages"], said["achieved_beta"])


def write_csv(path: pathlib.Path, rows: Iterable[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for row in rows:
            writer.writerow(f"{value:.6g}" if isinstance(value, float) else value for value in dataclasses.astuple(row))


def mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else math.nan


def share(values: Iterable[bool]) -> float:
    return mean(1.0 if value else 0.0 for value in values)


@dataclasses.dataclass(frozen=True)
class Idle:
    """The limit over 72 hours in which nobody works."""
    before_pages: int      # limit 10 minutes after the begin of the break, when the period has been averaged in
    moved: int             # changes of the limit later in the break
    after_pages: int       # as the break ends

    @property
    def unmoved(self) -> bool:
        return self.moved == 0 and self.before_pages == self.after_pages


def idle_of(limits: list[list[Any]], break_start_s: float, break_end_s: float, ageing_s: float = 600) -> Idle:
    def limit_at(t_s: float) -> int:
        return [pages for t, pages, _ in limits if t <= t_s][-1]
    settled_s = break_start_s + ageing_s
    changes = [pages for t, pages, _ in limits if settled_s < t <= break_end_s]
    return Idle(limit_at(settled_s), len(changes), limit_at(break_end_s))
