# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A recorded desktop: makes tmmd's trace small enough to keep, and an owner's file of its diary."""

import collections
import csv
import dataclasses
import io
import itertools
import math
from collections.abc import Iterable, Iterator

from desk.errors import DeskError
from desk.report.records import parse

HEADER = "#tmm-trace 1"
US = 1_000_000
PAGE_KB = 4
AWAY = "away"
# The last scan may be older than the end by an epoch or two.
SLACK_S = 30


@dataclasses.dataclass(frozen=True)
class Span:
    """t_s: seconds from the recording's begin."""
    t_s: float
    doing: str
    minutes: int


def read_diary(text: str, begin_s: float = 0) -> list[Span]:
    """begin_s: the recording's begin on the diary's clock."""
    spans = parse(Span, text, "the diary")
    if not spans:
        raise DeskError("the diary is empty: nobody worked")
    return later(spans, -begin_s)


def begin_s(start: str, timeline: str) -> float:
    """The recording's begin on the diary's clock: that of the first scan, of which tmmd's timeline has the wall clock. start: both
    clocks at tmmd's start."""
    try:
        clock_s, wall_s = map(float, start.split())
        return clock_s + float(next(csv.DictReader(io.StringIO(timeline)))["wall_s"]) - wall_s
    except (KeyError, StopIteration, TypeError, ValueError) as error:
        raise DeskError(f"limits-start and timeline.csv do not tell when the recording began ({error})") from error


def diary_text(spans: list[Span]) -> str:
    return "t_s,doing,minutes\n" + "".join(f"{span.t_s:.0f},{span.doing},{span.minutes}\n" for span in spans)


def shift_s(spans: list[Span]) -> float:
    """The time to wait before the recording begins, so that the diary begins at a whole minute: an owner's file knows no others."""
    return -spans[0].t_s % 60


def recorded(spans: list[Span], lines: Iterable[str]) -> list[Span]:
    """Without what came after the last record: the recording ended first."""
    end_s = max((t_us for t_us, *_ in records(lines)), default=0) / US
    found = [span for span in spans if span.t_s + 60 * span.minutes <= end_s + SLACK_S]
    if not found:
        raise DeskError("the recording ends before the diary's first part does")
    return found


def later(spans: list[Span], seconds: float) -> list[Span]:
    return [dataclasses.replace(span, t_s=span.t_s + seconds) for span in spans]


def records(lines: Iterable[str]) -> Iterator[tuple[int, str, str, str, int]]:
    """t_us, class, kind, page, weight of each line of a trace."""
    for number, line in enumerate(lines, 1):
        if number == 1:
            if line.rstrip() != HEADER:
                raise DeskError(f"line 1: a trace begins with {HEADER}")
            continue
        try:
            t_us, page_class, kind, page, weight = line.rstrip().split(",")
            yield int(t_us), page_class, kind, page, int(weight)
        except ValueError as error:
            raise DeskError(f"line {number}: {line.strip()!r} is no record ({error})") from error


def reduced(lines: Iterable[str], shift: float, step_s: int, keep: int) -> Iterator[str]:
    """The lines of a smaller trace: without transparent pages; times are the ends of steps; a page comes once in a step; of each
    `keep` pages one is left, with the weight of all; pages are numbered in the order of their first use."""
    numbers = itertools.count()
    number_of: dict[str, int] = {}
    touched: dict[int, int] = {}
    step = 0

    def line(kind: str, number: int, weight: int) -> str:
        return f"{step * step_s * US},o,{kind},{number:x},{weight * keep}\n"

    yield HEADER + "\n"
    for t_us, page_class, kind, page, weight in records(lines):
        if page_class != "o":
            continue
        now = math.ceil((t_us / US + shift) / step_s)
        if now != step:
            yield from (line("r", number, touched[number]) for number in sorted(touched))
            touched.clear()
            step = now
        if page not in number_of:
            number_of[page] = next(numbers)
        number = number_of[page]
        # A page that comes again is another one.
        if kind != "r":
            del number_of[page]
        if number % keep:
            continue
        if kind == "r":
            touched[number] = weight
            continue
        if number in touched:
            yield line("r", number, touched.pop(number))
        yield line(kind, number, weight)
    yield from (line("r", number, touched[number]) for number in sorted(touched))


def stretched(lines: Iterable[str], factor: int) -> Iterator[str]:
    """The same touches in a day that is that many times as long."""
    yield HEADER + "\n"
    for t_us, page_class, kind, page, weight in records(lines):
        yield f"{t_us * factor},{page_class},{kind},{page},{weight}\n"


def unit_kb(lines: Iterable[str]) -> int:
    """The usual memory of a record."""
    weights = collections.Counter(weight for _, _, _, _, weight in records(lines))
    if not weights:
        raise DeskError("the recording has no page")
    return PAGE_KB * weights.most_common(1)[0][0]


def most_mb(lines: Iterable[str]) -> float:
    """The most memory that the recorded pages had at a time."""
    sizes: dict[str, int] = {}
    now = most = 0
    for _, _, kind, page, weight in records(lines):
        now -= sizes.pop(page, 0)
        if kind == "r":
            sizes[page] = weight
            now += weight
        most = max(most, now)
    return most * PAGE_KB / 1024


def clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def owner_text(spans: list[Span], unit: int, factor: int) -> str:
    """The owner's file: somebody is there from the begin on, but when the diary says away."""
    begin = round(spans[0].t_s / 60)
    present, since, now = [], 0, begin * factor
    for span in spans:
        if span.doing == AWAY and since < now:
            present.append((since, now))
        now += span.minutes * factor
        if span.doing == AWAY:
            since = now
    if since < now:
        present.append((since, now))
    hours = " ".join(f"{clock(since)}-{clock(until)}" for since, until in present)
    return f"[Owner]\nLength = {now} min\nRecordedUnit = {unit}K\n[Presence]\nmon = {hours}\n"
