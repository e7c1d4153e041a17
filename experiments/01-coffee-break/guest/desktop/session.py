# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A person's work: one interaction after the other, with pauses, until an exception ends it."""

import itertools
from collections.abc import Callable

from .clock import LatencyLog

THINK_S = 0.5


def work(interactions: list[Callable[[], None]], log: LatencyLog, now_s: Callable[[], float],
         sleep: Callable[[float], None]) -> None:
    """In turn, for ever. An interaction that the end interrupts counts with the wait so far; else a desktop that does not answer
    at all would leave no trace in the log."""
    begin_s: float | None = None
    try:
        for interact in itertools.cycle(interactions):
            begin_s = now_s()
            interact()
            log.add(begin_s, now_s())
            begin_s = None
            sleep(THINK_S)
    finally:
        if begin_s is not None:
            log.add(begin_s, now_s())
        log.flush()
