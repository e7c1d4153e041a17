# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Medians over the runs of one system and one workload, and what they say about the aims."""

import dataclasses
import statistics

from .metrics import Row

# The paper's numbers (its section 4), on a machine of 512 MB with a disk of 2.5 ms.
PAPER_PLAIN_FAULTS, PAPER_TMM_FAULTS = 190.0, 6.8
PAPER_PLAIN_SLOWDOWN, PAPER_TMM_SLOWDOWN = 0.50, 0.017
PAPER_MISS_S = 0.0025

# The aims of this project for the first minute after the return.
LEAST_GAIN = 10.0
MOST_OF_NONE, MOST_FAULTS = 1.1, 5.0
LEAST_DONATED_MB = 100.0


@dataclasses.dataclass(frozen=True)
class Group:
    """Medians over the runs; runs: how many."""

    workload: str
    system: str
    runs: int
    faults_mean: float
    faults_max: float
    refaults_mean: float
    stall_share: float
    donated_mb: float
    contributor_peak_mb: float
    owner_before_mb: float
    owner_kept_mb: float
    interactions: float
    latency_work_ms: float
    latency_return_ms: float
    latency_return_max_ms: float
    ram_mb: int

    @property
    def slowdown(self) -> float:
        """The paper's arithmetic: the share of time in which the owner waits, were every fault one access of the paper's disk."""
        return self.faults_mean * PAPER_MISS_S


def groups(rows: list[Row]) -> list[Group]:
    """In the order of the rows."""
    medians = [field.name for field in dataclasses.fields(Group) if field.name not in ("workload", "system", "runs", "ram_mb")]
    result = []
    for workload, system in dict.fromkeys(row.group for row in rows):
        chosen = [row for row in rows if row.group == (workload, system)]
        values = {name: statistics.median(getattr(row, name) for row in chosen) for name in medians}
        result.append(Group(workload=workload, system=system, runs=len(chosen), ram_mb=chosen[0].ram_mb, **values))
    return result


@dataclasses.dataclass(frozen=True)
class Verdict:
    """met is None if the runs that it needs are missing."""

    aim: str
    workload: str
    met: bool | None
    text: str


def verdicts(all_groups: list[Group]) -> list[Verdict]:
    by_system = {(group.workload, group.system): group for group in all_groups}
    result = []
    for workload in dict.fromkeys(group.workload for group in all_groups):
        none, plain, tmm = (by_system.get((workload, system)) for system in ("none", "plain", "tmm"))
        result += [gain(workload, plain, tmm), unnoticed(workload, none, tmm), donated(workload, tmm)]
        result += [exceeded(group) for group in (plain, tmm) if group]
    return result


def gain(workload: str, plain: Group | None, tmm: Group | None) -> Verdict:
    aim = f"plain at least {LEAST_GAIN:g} x the faults of tmm"
    if not plain or not tmm:
        return Verdict(aim, workload, None, "needs runs of plain and of tmm")
    figures = f"{plain.faults_mean:.1f}/s against {tmm.faults_mean:.2f}/s"
    if plain.faults_mean == 0:
        return Verdict(aim, workload, False, f"{figures}: the contribution did not hurt even the plain kernel")
    ratio = plain.faults_mean / tmm.faults_mean if tmm.faults_mean else float("inf")
    if ratio >= LEAST_GAIN:
        return Verdict(aim, workload, True, f"{figures}: {'no fault at all' if ratio == float('inf') else f'{ratio:.0f} x'}")
    return Verdict(aim, workload, False, f"{figures}: {ratio:.1f} x, short by a factor of {LEAST_GAIN / ratio:.1f}")


def unnoticed(workload: str, none: Group | None, tmm: Group | None) -> Verdict:
    aim = f"tmm at most {MOST_OF_NONE:g} x the faults without contribution, or {MOST_FAULTS:g}/s"
    if not none or not tmm:
        return Verdict(aim, workload, None, "needs runs of none and of tmm")
    limit = max(MOST_OF_NONE * none.faults_mean, MOST_FAULTS)
    figures = f"{tmm.faults_mean:.2f}/s, without contribution {none.faults_mean:.2f}/s"
    if tmm.faults_mean <= limit:
        return Verdict(aim, workload, True, figures)
    return Verdict(aim, workload, False, f"{figures}: {tmm.faults_mean - limit:.2f}/s too many")


def donated(workload: str, tmm: Group | None) -> Verdict:
    aim = f"at least {LEAST_DONATED_MB:g} MB donated by tmm"
    if not tmm:
        return Verdict(aim, workload, None, "needs runs of tmm")
    figures = f"{tmm.donated_mb:.0f} of {tmm.ram_mb} MB"
    if tmm.donated_mb >= LEAST_DONATED_MB:
        return Verdict(aim, workload, True, figures)
    return Verdict(aim, workload, False, f"{figures}: {LEAST_DONATED_MB - tmm.donated_mb:.0f} MB too little")


def exceeded(group: Group) -> Verdict:
    aim = f"the contribution on {group.system} needs more than the machine has"
    figures = f"{group.contributor_peak_mb:.0f} MB in {group.ram_mb} MB"
    if group.contributor_peak_mb > group.ram_mb:
        return Verdict(aim, group.workload, True, figures)
    missing_mb = group.ram_mb - group.contributor_peak_mb
    return Verdict(aim, group.workload, False, f"{figures}: {missing_mb:.0f} MB too little, a longer --break helps")
