# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long the owner's interactions took after the return. The log has the number, the mean and the maximum of each second. They do not
tell a percentile, so each figure here is a pair of bounds that hold for all interactions that such a log allows."""

import dataclasses
import math

from . import latencies

# People notice an answer that takes longer (R. B. Miller, 1968).
HITCH_MS = 100.0
# An interaction that was as slow before the break is no hitch.
HITCH_TIMES = 2.0
BACK_TIMES = 1.5
# A frame of 60 Hz, which counts as back. The p99 before the break is below 2 ms, and a busy host alone can double that.
FRAME_MS = 1000 / 60
# Some 470 interactions at the usual pace.
WINDOW_S = 10
FIRST_S = 60


@dataclasses.dataclass(frozen=True)
class Bounds:
    low: float
    high: float


def bounds_of_each(second: latencies.Second) -> list[Bounds]:
    """Of the second's interactions from the longest on, in ms. The longest is known, and the others share the rest of the sum."""
    longest = second.max_ms
    rest = max(0.0, second.interactions * second.mean_ms - longest)
    bounds = [Bounds(longest, longest)]
    for rank in range(2, second.interactions + 1):
        # Lowest if those before it are as long as the longest, and it equals those after it; highest if those after it take no time.
        low = max(0.0, (rest - (rank - 2) * longest) / (second.interactions - rank + 1))
        bounds.append(Bounds(min(longest, low), min(longest, rest / (rank - 1))))
    return bounds


def p99(seconds: list[latencies.Second]) -> Bounds | None:
    """In ms: the shortest latency that 99 % of the interactions do not exceed. None: there was no interaction."""
    each = [bounds for second in seconds for bounds in bounds_of_each(second)]
    if not each:
        return None
    rank = len(each) - math.ceil(0.99 * len(each))
    return Bounds(*(sorted(values, reverse=True)[rank] for values in ([one.low for one in each], [one.high for one in each])))


def p99_times(before: list[latencies.Second], after: list[latencies.Second]) -> Bounds | None:
    """The p99 after the return, divided by that before the break."""
    old, new = p99(before), p99(after)
    return Bounds(new.low / old.high, new.high / old.low) if old and new and old.low > 0 else None


def hitches(before: list[latencies.Second], after: list[latencies.Second]) -> Bounds:
    """Number of interactions after the return that took longer than HITCH_MS, and than HITCH_TIMES the slowest before the break."""
    longest_ms = max((second.max_ms for second in before), default=0.0)
    limit_ms = max(HITCH_MS, HITCH_TIMES * longest_ms)
    each = [bounds for second in after for bounds in bounds_of_each(second)]
    return Bounds(sum(one.low > limit_ms for one in each), sum(one.high > limit_ms for one in each))


def back_after_s(before: list[latencies.Second], after: list[latencies.Second], begin_s: int, end_s: int) -> int | None:
    """Seconds from begin_s to the first of them from which on each window of WINDOW_S until end_s certainly has a p99 within BACK_TIMES
    that before, or within a frame. A window without an interaction is not back. None: not until end_s."""
    old = p99(before)
    limit_ms = max(FRAME_MS, BACK_TIMES * old.low if old else 0.0)
    back_s = None
    for start_s in range(end_s - WINDOW_S, begin_s - 1, -1):
        now = p99([second for second in after if start_s <= second.t_s < start_s + WINDOW_S])
        if not now or now.high > limit_ms:
            break
        back_s = start_s - begin_s
    return back_s
