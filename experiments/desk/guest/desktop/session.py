# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A person's work: one interaction after the other, with pauses."""

import itertools
import math
from collections.abc import Callable

from .clock import LatencyLog

THINK_S = 0.5


def work(interactions: list[Callable[[], None]], log: LatencyLog, now_s: Callable[[], float],
         sleep: Callable[[float], None], until_s: float = math.inf) -> None:
    """In turn, until that time. An interaction that an exception interrupts counts with the wait so far; else a desktop that does
    not answer at all would leave no trace in the log."""
    begin_s: float | None = None
    try:
        for interact in itertools.cycle(interactions):
            if now_s() >= until_s:
                return
            begin_s = now_s()
            interact()
            log.add(begin_s, now_s())
            begin_s = None
            sleep(THINK_S)
    finally:
        if begin_s is not None:
            log.add(begin_s, now_s())
        log.flush()
