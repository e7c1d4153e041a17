# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of clamp.py, from the files that guest/clamp writes."""

import dataclasses
import itertools
import pathlib
import statistics

from desk.errors import DeskError
from desk.report import records, spread, table

# The kernel raises the alarm when a task waits for so much of a window (tmmd/core/giving/holds/stall_clamp.hpp, and MaxStall).
WINDOW_MS, STALL_MS = 500, 25

HEADER = ("", "times", "median", "p95", "longest")
PARTS = {"alarm": "from the begin of the stall to its alarm, ms", "order": "from the alarm to the order to freeze, ms",
         "whole": "from the begin of the stall to the order to freeze, ms", "hold": "from there until nothing of the contribution runs, ms"}
SPEEDS = {"files": "clean files released, MB/s", "anonymous": "anonymous memory released, MB/s", "swap device": "the swap's device writes, MB/s"}


@dataclasses.dataclass(frozen=True)
class Moment:
    """What is so from t_ms on."""

    t_ms: float
    stalled_ms: float  # since the boot
    asked: bool  # the contribution is to freeze
    frozen: bool  # nothing of it runs


def rounds_of(path: pathlib.Path) -> list[list[Moment]]:
    """The moments of each round."""
    columns = ("round", "t_ms", "stalled_us", "asked", "frozen")
    rows = records.read(records.read_text(path), str(path), columns, lambda record: (record["round"], Moment(
        float(record["t_ms"]), int(record["stalled_us"]) / 1000, record["asked"] == "1", record["frozen"] == "1")))
    return [[moment for _, moment in moments] for _, moments in itertools.groupby(rows, lambda row: row[0])]


def speeds_of(path: pathlib.Path) -> dict[str, float]:
    """MB/s by their kind."""
    return dict(records.read(records.read_text(path), str(path), ("kind", "mb_s"), lambda record: (record["kind"], float(record["mb_s"]))))


@dataclasses.dataclass(frozen=True)
class Clamp:
    """Times of a round in ms, each from the one before."""

    alarm: float  # from the begin of the stall until tasks had waited for so long that the kernel raises the alarm
    order: float  # the contribution is asked to freeze
    hold: float  # nothing of it runs

    @property
    def whole(self) -> float:
        """From the begin of the stall until the contribution is asked to freeze."""
        return self.alarm + self.order


def stall_of(moments: list[Moment]) -> tuple[float, float] | None:
    """The begin of the first window in which a task waited for long enough to raise the alarm, and the time at which it had; None: there is
    no such window."""
    for begin, second in itertools.pairwise(moments):
        if second.stalled_ms == begin.stalled_ms:
            continue
        for moment in moments:
            if begin.t_ms < moment.t_ms <= begin.t_ms + WINDOW_MS and moment.stalled_ms - begin.stalled_ms >= STALL_MS:
                return begin.t_ms, moment.t_ms
    return None


def clamp_of(moments: list[Moment], name: str) -> Clamp | None:
    """None: the owner's stall did not raise the alarm; another program's did."""
    asked_ms = next((moment.t_ms for moment in moments if moment.asked), None)
    frozen_ms = next((moment.t_ms for moment in moments if moment.frozen), None)
    if asked_ms is None or frozen_ms is None:
        raise DeskError(f"{name}: a round without a freeze")
    stall = stall_of([moment for moment in moments if moment.t_ms <= asked_ms])
    return Clamp(stall[1] - stall[0], asked_ms - stall[1], frozen_ms - asked_ms) if stall else None


def cells(what: str, values: list[float]) -> tuple[str, ...]:
    return (what, str(len(values)), *(f"{value:.0f}" for value in (statistics.median(values), spread.p95(values), max(values))))


def clamps_of(folder: pathlib.Path) -> tuple[list[Clamp], int]:
    """The clamps that count, and the number of all rounds."""
    path = folder / "rounds.csv"
    rounds = [clamp_of(moments, str(path)) for moments in rounds_of(path)]
    return [clamp for clamp in rounds if clamp], len(rounds)


def table_of(folder: pathlib.Path) -> str:
    clamps, rounds = clamps_of(folder)
    speeds = speeds_of(folder / "speeds.csv")
    if not clamps or set(speeds) != set(SPEEDS):
        raise DeskError(f"{folder}: the run was cut short")
    others = rounds - len(clamps)
    note = f"In {others} of {rounds} rounds another program's stall raised the alarm; they do not count.\n" if others else ""
    return table.markdown_table([
        HEADER, *(cells(what, [getattr(clamp, part) for clamp in clamps]) for part, what in PARTS.items()),
        *((what, "1", f"{speeds[kind]:.0f}", "-", "-") for kind, what in SPEEDS.items())]) + (f"\n{note}" if note else "")
