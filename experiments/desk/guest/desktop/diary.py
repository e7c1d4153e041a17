# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A diary: which application a person uses for how many minutes, and when the person is away. Text: `browser 7, away 4, office 3`."""

import re
import time
from collections.abc import Callable
from typing import TextIO

from . import session
from .clock import LatencyLog

APPLICATIONS = ("viewer", "office", "browser")
AWAY = "away"
Spans = tuple[tuple[str, int], ...]


class DiaryError(ValueError):
    """Names the part that is wrong."""


def parse(text: str) -> Spans:
    spans = []
    for part in text.split(","):
        found = re.fullmatch(r"([a-z]+) ([1-9][0-9]{0,3})", part.strip())
        if not found or found[1] not in (*APPLICATIONS, AWAY):
            raise DiaryError(f"'{part.strip()}' is not one of {', '.join((*APPLICATIONS, AWAY))} and a number of minutes")
        spans.append((found[1], int(found[2])))
    return tuple(spans)


def follow(spans: Spans, interactions: dict[str, Callable[[], None]], log: LatencyLog, written: TextIO,
           now_s: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep) -> None:
    """Spends the minutes, and writes when each span began. Spans begin whole minutes after the first: an interaction that takes
    longer than its span shortens the next."""
    begin_s = now_s()
    written.write("t_s,doing,minutes\n")
    for doing, minutes in spans:
        written.write(f"{begin_s:.3f},{doing},{minutes}\n")
        written.flush()
        begin_s += 60 * minutes
        if doing == AWAY:
            sleep(max(0.0, begin_s - now_s()))
        else:
            session.work([interactions[doing]], log, now_s, sleep, begin_s)
