# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The oracle: the least opaque memory with hardly more misses than with all of it, on the exact miss curve of a synthetic
workload, and so the largest donation. It knows the owner's workload and the idle desktop, but not the need of the rest of the
system: no system reaches it."""

import dataclasses
import math
import pathlib

from .. import plan
from ..errors import DeskError
from . import records
from .timeline import Decision

PAGE_BYTES = 4096
MB = 2**20
BETA = 1.05  # the paper's
MISS_FLOOR_PER_S = 1.0  # nobody feels it: 0.25 % of the time with the paper's 2.5 ms
MINIMUM_OPAQUE = 0.10
# A limit below the need by more than this share of memory counts as too low.
TOLERATED_SHARE = 0.03


@dataclasses.dataclass(frozen=True)
class Curve:
    """Misses of an LRU memory by its size, over seconds of work. A step: from this size on, so many misses; the first: size 0."""

    steps: tuple[tuple[int, int], ...]
    seconds: float

    def misses_per_s(self, size_pages: int) -> float:
        return next(misses for size, misses in reversed(self.steps) if size <= size_pages) / self.seconds

    def min_size(self, allowed_per_s: float) -> int:
        """The smallest size with at most so many misses a second. allowed_per_s: at least the misses of the largest size."""
        return next(size for size, misses in self.steps if misses / self.seconds <= allowed_per_s)


def parse_curve(text: str, name: str, seconds: float) -> Curve:
    """Parses the output of owner-curve."""
    steps = records.read(text, name, ("size_pages", "misses"), lambda record: (int(record["size_pages"]), int(record["misses"])))
    falling = all(a[0] < b[0] and a[1] > b[1] for a, b in zip(steps, steps[1:]))
    if not steps or steps[0][0] != 0 or not falling or seconds <= 0:
        raise DeskError(f"{name}: not a curve of falling misses from size 0 on")
    return Curve(tuple(steps), seconds)


def curve_of(folder: pathlib.Path, seconds: float) -> Curve:
    """Of a run."""
    return parse_curve(records.read_text(folder / "curve.csv"), str(folder / "curve.csv"), seconds)


def allowance(curve: Curve, memory_pages: int) -> float:
    """Allowed misses a second by the paper's rule (section 2.1), with a floor."""
    with_all = curve.misses_per_s(memory_pages)
    return max(BETA * with_all, with_all + MISS_FLOOR_PER_S)


def need_mb(curve: Curve, memory_mb: float) -> float:
    """The least opaque memory. memory_mb: memory that both classes can have together."""
    memory_pages = math.floor(memory_mb * MB / PAGE_BYTES)
    allowed = allowance(curve, memory_pages)
    workload_mb = curve.min_size(allowed) * PAGE_BYTES / MB
    return min(max(workload_mb + plan.DESKTOP_MB, MINIMUM_OPAQUE * memory_mb), memory_mb)


def low_share(decisions: list[Decision], end_s: float, opaque_need_mb: float, ram_mb: float) -> float | None:
    """The share of time, from the first learned limit to the end, in which the limit was too low. Decisions have intervals of
    different lengths. None: no limit was learned before the end."""
    learned = [decision for decision in decisions if decision.learned and decision.t_s < end_s]
    if not learned:
        return None
    ends_s = [decision.t_s for decision in learned[1:]] + [end_s]
    low_s = sum(until_s - decision.t_s for decision, until_s in zip(learned, ends_s)
                if decision.opaque_limit_mb < opaque_need_mb - TOLERATED_SHARE * ram_mb)
    return low_s / (end_s - learned[0].t_s)
