# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of breaks that several systems were booted for."""

import dataclasses
import itertools
import math
import pathlib
import re
import statistics

from .. import plan
from ..errors import DeskError
from . import interactions, latencies, metrics, recorder_rows, spread, table
from .records import read_text

PAGE_BYTES = 4096
MB = 2**20
RETURNED_AGAIN = "returned-again"  # times of the returns after the first


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """A row of results.csv: one boot. None: nothing was measured, since the owner's program was killed or logs nothing, or there was no contribution."""

    system: str
    kernel_release: str
    machine: str  # fresh, lived-in
    backing: str
    faults_mean: float | None
    faults_max: float | None
    stall_share: float | None
    first_interaction_s: float | None
    slowest_times: float | None  # the slowest interaction after the return, divided by the mean of those before
    owner_before_mb: float  # memory of the owner's programs; on a lived-in machine of the workload alone, without what was left
    owner_kept_mb: float
    donated_mb: float | None
    contributor_peak_mb: float | None
    swapped_out_mb: float
    work_done_s: float | None
    break_taken_s: float
    free_before_mb: float
    killed: str  # programs that the system has ended, with a space between them
    decided: str  # tmmd's reason at the return
    oracle_donation_mb: float | None = None  # of the oracle; None: the system has no limits, or not computed
    boot: int = 1  # number of the boot of this system
    # None of all below: not recorded.
    p99_times_min: float | None = None  # p99 in the first minute after the return, divided by that
    p99_times_max: float | None = None  # before the break: bounds, see interactions.py
    hitches_min: float | None = None  # long interactions after the return: bounds
    hitches_max: float | None = None
    p99_back_s: float | None = None  # from the return until the p99 is back; None: not in the run
    donated_mb_hours: float | None = None  # resident memory of the contribution, break and return
    contribution_swap_mb: float | None = None  # its memory in swap at the return
    zram_grown_mb: float | None = None  # memory that zram took more at the return than at the break
    # The first interaction after each of several returns; None: there was one return.
    returns: int | None = None
    first_median_s: float | None = None
    first_p95_s: float | None = None

    @property
    def name(self) -> str:
        return self.system if self.boot == 1 else f"{self.system}, boot {self.boot}"

    @property
    def times(self) -> str:
        """The p99 after the return, in times that before the break."""
        return table.bounds(self.p99_times_min, self.p99_times_max)

    @property
    def hitches(self) -> str:
        return table.bounds(self.hitches_min, self.hitches_max, ".0f")

    def mib(self, word: str) -> int:
        """The number behind the word in tmmd's reason: need, limit, allowed, of."""
        return int(re.search(rf"\b{word} (\d+) MiB", self.decided)[1])

    @property
    def kept(self) -> float:
        """The share of its memory that the owner kept."""
        return self.owner_kept_mb / self.owner_before_mb

    @property
    def of_oracle(self) -> float | None:
        """The donation as a share of the oracle's."""
        return self.donated_mb / self.oracle_donation_mb if self.donated_mb is not None and self.oracle_donation_mb else None


def swapped_out_mb(folder: pathlib.Path) -> float:
    """From the begin of the break to the end, by the whole machine."""
    rows = recorder_rows.of_folder(folder)
    away, back = (recorder_rows.phase_rows(rows, phase) for phase in ("break", "return"))
    return (back[-1].counts["pswpout"] - away[0].counts["pswpout"]) * PAGE_BYTES / MB


def mb_hours(rows: list[recorder_rows.RecorderRow], column: str) -> float:
    """The area below a number of bytes, with straight lines between the rows."""
    return sum((last.counts[column] + row.counts[column]) / 2 / MB * (row.t_s - last.t_s) / 3600 for last, row in itertools.pairwise(rows))


def donations(folder: pathlib.Path) -> dict[str, float | None]:
    """The columns of the memory that the contribution had over time, and of its memory in swap."""
    rows = recorder_rows.of_folder(folder)
    away, back = (recorder_rows.phase_rows(rows, phase) for phase in ("break", "return"))
    # The break's last row is the first of the return.
    return {"donated_mb_hours": round(mb_hours(away + back[1:], "contribution_current_bytes"), 2),
            "contribution_swap_mb": round(back[0].counts["contribution_swap_bytes"] / MB, 1)}


def zram_grown_mb(folder: pathlib.Path) -> float | None:
    """From mm_stat, whose third number is the memory that the device uses. None: swap is on a disk."""
    files = [folder / f"state/owner-at-the-{when}-zram" for when in ("break", "return")]
    if not all(file.exists() for file in files):
        return None
    try:
        before, after = (int(read_text(file).split()[2]) for file in files)
    except (IndexError, ValueError) as error:
        raise DeskError(f"{files[0].parent}: not the mm_stat of zram ({error})") from error
    return (after - before) / MB


def latency_columns(folder: pathlib.Path) -> dict[str, float | None]:
    """The columns of interactions.py."""
    rows = recorder_rows.of_folder(folder)
    work, back = (recorder_rows.phase_rows(rows, phase) for phase in ("work", "return"))
    seconds = latencies.of_file(folder / "latencies.csv")
    returned_s = metrics.number_in(folder / "returned")
    before = [second for second in seconds if int(work[0].t_s) <= second.t_s < work[-1].t_s]
    # No upper bound: an interaction that the end interrupts is logged after it. Later returns are not of this one.
    end_s = back[-1].t_s if (folder / RETURNED_AGAIN).exists() else math.inf
    after = [second for second in seconds if int(returned_s) <= second.t_s < end_s]
    times = interactions.p99_times(before, [second for second in after if second.t_s < returned_s + interactions.FIRST_S])
    hitches = interactions.hitches(before, after)
    return {"p99_times_min": round(times.low, 2) if times else None, "p99_times_max": round(times.high, 2) if times else None,
            "hitches_min": hitches.low, "hitches_max": hitches.high,
            "p99_back_s": interactions.back_after_s(before, after, int(returned_s), int(back[-1].t_s))}


def return_columns(folder: pathlib.Path) -> dict[str, float | None]:
    """The time to the first interaction after all returns. Empty with one return. The p95 is the shortest time that 95 % do not exceed."""
    if not (folder / RETURNED_AGAIN).exists():
        return {}
    seconds = latencies.of_file(folder / "latencies.csv")
    returns = [float(word) for name in ("returned", RETURNED_AGAIN) for word in read_text(folder / name).split()]
    firsts = [latencies.first_after(seconds, returned_s) for returned_s in returns]
    known = sorted(first for first in firsts if first is not None)
    if len(known) < len(firsts):
        raise DeskError(f"{folder}: {len(firsts) - len(known)} of {len(firsts)} returns have no interaction")
    return {"returns": len(known), "first_median_s": round(statistics.median(known), 3),
            "first_p95_s": round(spread.p95(known), 3)}


def killed_programs(folder: pathlib.Path) -> list[str]:
    path = folder / "killed"
    return list(dict.fromkeys(path.read_text(encoding="ascii").split())) if path.exists() else []


def result_of(name: str, run: plan.Run, folder: pathlib.Path) -> Result:
    """DeskError: the run's files are incomplete."""
    row = metrics.row_of(run, folder, "")
    killed = killed_programs(folder)
    lives = "owner" not in killed
    # A command of the user's need not log its interactions.
    is_timed = lives and not (run.opaque and not (folder / "latencies.csv").exists())
    if is_timed and (not row.latency_work_ms or row.first_interaction_s is None):
        raise DeskError(f"{folder}: no interaction was logged")
    gives = run.system != "none"
    grown_mb = zram_grown_mb(folder)
    before_mb, kept_mb = row.owner_before_mb, row.owner_kept_mb
    if run.machine == plan.LIVED_IN:
        before_mb, kept_mb = row.workload_before_mb or 0.0, row.workload_kept_mb or 0.0
    return Result(
        system=name, kernel_release=read_text(folder / "kernel-release").strip(), machine=run.machine, backing=run.backing,
        faults_mean=row.faults_mean if lives else None, faults_max=row.faults_max if lives else None,
        stall_share=row.stall_share if lives else None, first_interaction_s=row.first_interaction_s if lives else None,
        slowest_times=round(row.latency_return_max_ms / row.latency_work_ms, 1) if is_timed else None,
        owner_before_mb=before_mb, owner_kept_mb=kept_mb, donated_mb=row.donated_mb if gives else None,
        contributor_peak_mb=row.contributor_peak_mb if gives else None, swapped_out_mb=round(swapped_out_mb(folder), 1),
        work_done_s=row.work_done_s if gives else None, break_taken_s=row.break_taken_s, free_before_mb=row.free_before_mb or 0.0,
        killed=" ".join(killed), decided=row.decided, oracle_donation_mb=row.oracle_donation_mb, boot=run.run,
        zram_grown_mb=None if grown_mb is None else round(grown_mb, 1), **(donations(folder) if gives else {}),
        **(latency_columns(folder) | return_columns(folder) if is_timed else {}))
