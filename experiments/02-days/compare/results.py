# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of results.csv, and who wins by them."""

import csv
import pathlib
import statistics
from collections.abc import Iterable

from .plan import NOTE_CASES, PEERS, TMM
from .runner import Row

# Of what two systems give or let wait, smaller differences are none.
SAME_SHARE = 0.01
SAME_WAITING_S = 0.1  # a day

RULES = {"by_learning": "learning", "by_corrected": "goal violated", "by_minimum": "minimum", "by_need": "need"}


def write(path: pathlib.Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path: pathlib.Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def groups(rows: Iterable[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in columns), []).append(row)
    return found


def weeks(rows: Iterable[Row]) -> list[Row]:
    """Without the note's cases."""
    return [row for row in rows if row["owner"] not in NOTE_CASES]


def mean_of(rows: list[Row], column: str) -> float:
    return statistics.fmean(float(row[column]) for row in rows)


def points(rows: list[Row]) -> dict[str, tuple[float, float]]:
    """By system: donated GB and waiting a day, means over seeds."""
    return {system: (mean_of(of, "donated_mean_mb") / 1024, mean_of(of, "waited_s_per_day"))
            for (system,), of in groups(rows, "system").items()}


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """In both, or in one and as good in the other."""
    more = one[0] > other[0] * (1 + SAME_SHARE)
    no_less = one[0] >= other[0] * (1 - SAME_SHARE)
    less_waiting = one[1] < other[1] - max(SAME_WAITING_S, SAME_SHARE * other[1])
    no_more_waiting = one[1] <= other[1] + max(SAME_WAITING_S, SAME_SHARE * other[1])
    return (more and no_more_waiting) or (less_waiting and no_less)


def front(found: dict[str, tuple[float, float]]) -> list[str]:
    """Systems that no other beats, those that give most first."""
    unbeaten = [name for name in found if not any(beats(found[other], found[name]) for other in found if other != name)]
    return sorted(unbeaten, key=lambda name: -found[name][0])


def winners_over(found: dict[str, tuple[float, float]], name: str) -> list[str]:
    return [peer for peer in found if name in found and peer != name and beats(found[peer], found[name])]


def peers_over_tmm(found: dict[str, tuple[float, float]]) -> dict[str, list[str]]:
    return {name: [peer for peer in winners_over(found, name) if peer in PEERS] for name in TMM if name in found}


def deciding_rule(rows: list[Row]) -> str:
    """The rule that held the limit for most of the time, with its share."""
    column = max(RULES, key=lambda rule: mean_of(rows, rule))
    return f"{RULES[column]} {100 * mean_of(rows, column):.0f} %"
