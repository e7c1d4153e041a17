# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Medians over the runs of one system, one workload and one contribution."""

import dataclasses
import statistics

from desk import plan, workloads
from desk.plan import Situation
from desk.report.metrics import Row

# The paper's miss latency (its section 4).
PAPER_MISS_S = 0.0025
# Their misses are no page faults: read(2) waits in the call.
READ_WORKLOADS = ("file-read",)
NUMBERS = {field.name for field in dataclasses.fields(Row) if field.type is not str}


@dataclasses.dataclass(frozen=True)
class Group:
    """Medians over the runs; runs: their number. A column of Row that is a number is an attribute; None: no run has the value."""

    situation: Situation
    contribution: str
    system: str
    runs: int
    ram_mb: int
    medians: dict[str, float | None]

    def __getattr__(self, column: str) -> float | None:
        if column not in NUMBERS:
            raise AttributeError(column)
        return self.medians[column]

    @property
    def workload(self) -> str:
        return self.situation.workload

    @property
    def lived_in(self) -> bool:
        return self.situation.machine == plan.LIVED_IN

    @property
    def case(self) -> str:
        """The situation, with the contribution unless that is the usual one."""
        return f"{self.situation} + {self.contribution}" if workloads.is_unusual(self.contribution) else str(self.situation)

    @property
    def misses_mean(self) -> float:
        """Pages a second that the owner waited for: faults, or reads where nothing faults."""
        return self.reads_mean if self.workload in READ_WORKLOADS else self.faults_mean

    @property
    def misses_max(self) -> float:
        return self.reads_max if self.workload in READ_WORKLOADS else self.faults_max

    @property
    def slowdown(self) -> float:
        """The paper's arithmetic: the share of time that the owner waits if every miss is one access to the paper's disk."""
        return self.misses_mean * PAPER_MISS_S

    @property
    def oracle_share(self) -> float | None:
        """The donation as a share of the oracle's."""
        return self.donated_mb / self.oracle_donation_mb if self.oracle_donation_mb else None


def median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def place(group: tuple[Situation, str, str]) -> tuple[int, str, int, int, int, bool, int]:
    """A sort key, since rows of several calls come in any order. Unknown workloads come last."""
    situation, contribution, system = group
    return (workloads.place_of(situation.workload), situation.workload, plan.MACHINES.index(situation.machine), plan.DURING.index(situation.during),
            plan.ON_RETURN.index(situation.on_return), workloads.is_unusual(contribution), plan.ALL_SYSTEMS.index(system))


def breaks_text(rows: list[Row]) -> str:
    """Names the lengths of the breaks, for titles."""
    min_s, max_s = (round(choose(row.break_taken_s for row in rows)) for choose in (min, max))
    return f"break of {min_s} s" if min_s == max_s else f"breaks of {min_s} to {max_s} s"


def groups(rows: list[Row]) -> list[Group]:
    """By situation, contribution and system."""
    result = []
    for situation, contribution, system in sorted({row.group for row in rows}, key=place):
        chosen = [row for row in rows if row.group == (situation, contribution, system)]
        medians = {name: median([getattr(row, name) for row in chosen]) for name in NUMBERS}
        result.append(Group(situation, contribution, system, len(chosen), chosen[0].ram_mb, medians))
    return result
