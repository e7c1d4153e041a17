# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""From a run's files to its row of results."""

import dataclasses
import pathlib

from . import latencies, samples, timeline
from .errors import CoffeeError
from .plan import Run

MB = 2**20


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of results.csv. Faults and refaults are the owner's, in the time after the return; sizes in MB of 2^20 bytes."""

    system: str
    workload: str
    run: int
    backing: str
    ram_mb: int
    break_s: int
    faults_mean: float  # major faults a second, on average
    faults_max: float  # in the worst second
    donated_mb: float  # resident of the contribution at the end of the break
    contributor_peak_mb: float  # most that it had at a time, resident and swapped out
    work_s: int
    return_s: int
    lru: str
    kernel: str
    refaults_mean: float  # pages a second read back, anonymous and file
    swapins: int  # pages of the whole machine
    stall_share: float  # of the time, in which some task of the owner waited for memory
    owner_before_mb: float  # resident of the owner at the begin of the break
    owner_kept_mb: float  # and at its end
    interactions: int
    latency_work_ms: float
    latency_return_ms: float
    latency_return_max_ms: float
    opaque_limit_mb: float  # tmmd's, at the end of the break; 0 without it
    transparent_limit_mb: float
    key: str

    @property
    def group(self) -> tuple[str, str]:
        return (self.workload, self.system)


def read_text(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CoffeeError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CoffeeError(f"{path}: not a text ({error})") from error


def tmmd_start_s(path: pathlib.Path) -> float:
    """When tmmd was started, on the guest's clock; its timeline counts from there."""
    try:
        return float(read_text(path))
    except ValueError as error:
        raise CoffeeError(f"{path}: not a number of seconds") from error


def read_decisions(folder: pathlib.Path) -> list[timeline.Decision]:
    """tmmd's decisions, on the clock of the recorder."""
    start_s = tmmd_start_s(folder / "tmmd-start")
    decisions = timeline.parse_timeline(read_text(folder / "timeline.csv"), str(folder / "timeline.csv"))
    if not decisions:
        raise CoffeeError(f"{folder / 'timeline.csv'}: tmmd made no decision")
    return [dataclasses.replace(decision, t_s=decision.t_s + start_s) for decision in decisions]


def row_of(run: Run, folder: pathlib.Path, key: str) -> Row:
    """CoffeeError: the run's files do not have what a whole run leaves."""
    rows = samples.parse_samples(read_text(folder / "samples.csv"), str(folder / "samples.csv"))
    work, away, back = (samples.phase_rows(rows, phase) for phase in ("work", "break", "return"))
    span_s = samples.duration_s(back)
    if span_s < 0.9 * run.return_s:
        raise CoffeeError(f"{folder / 'samples.csv'}: the owner's return lasts {span_s:.0f} s of {run.return_s}: "
                          "the run was cut short")
    faults = samples.rates(back, "owner_pgmajfault")
    refaults = samples.delta(back, "owner_refault_anon") + samples.delta(back, "owner_refault_file")

    before = after = latencies.Latency(0, 0.0, 0.0)
    log = folder / "latencies.csv"
    if log.exists():
        seconds = latencies.parse_latencies(read_text(log), str(log))
        before = latencies.between(seconds, work[0].t_s, work[-1].t_s)
        # The end belongs to the return: an interaction that the end cuts short is logged after it.
        after = latencies.between(seconds, back[0].t_s, float("inf"))

    decision = timeline.last_before(read_decisions(folder), back[0].t_s) if run.system == "tmm" else None
    return Row(
        system=run.system, workload=run.workload, run=run.run, backing=run.backing, ram_mb=run.ram_mb, break_s=run.break_s,
        faults_mean=round(samples.delta(back, "owner_pgmajfault") / span_s, 3),
        faults_max=round(max(faults), 1),
        donated_mb=round(back[0].counts["contribution_current_bytes"] / MB, 1),
        contributor_peak_mb=round(max(samples.footprint_bytes(row, "contribution") for row in rows) / MB, 1),
        work_s=run.work_s, return_s=run.return_s, lru=run.lru, kernel=run.kernel,
        refaults_mean=round(refaults / span_s, 2),
        swapins=samples.delta(back, "pswpin"),
        stall_share=round(samples.delta(back, "owner_stall_us") / 1e6 / span_s, 4),
        owner_before_mb=round(away[0].counts["owner_current_bytes"] / MB, 1),
        owner_kept_mb=round(back[0].counts["owner_current_bytes"] / MB, 1),
        interactions=after.interactions,
        latency_work_ms=round(before.mean_ms, 3), latency_return_ms=round(after.mean_ms, 3),
        latency_return_max_ms=round(after.max_ms, 1),
        opaque_limit_mb=decision.opaque_limit_mb if decision else 0.0,
        transparent_limit_mb=decision.transparent_limit_mb if decision else 0.0,
        key=key)
