# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes a run's row of results from its files."""

import dataclasses
import pathlib
import re

from .. import plan
from ..errors import DeskError
from ..plan import OfRun, Run, Situation
from . import latencies, oracle, recorder_rows, records, timeline
from .records import read_text

MB = 2**20
PAGE_BYTES = 4096


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row(OfRun):
    """A row of results.csv. Faults and refaults are the owner's after the return; sizes are in MB of 2^20 bytes."""

    system: str
    workload: str
    run: int
    backing: str
    ram_mb: int
    break_s: int
    faults_mean: float  # major faults a second, on average
    faults_max: float  # in the worst second
    donated_mb: float  # contribution's resident memory at the end of the break
    contributor_peak_mb: float  # its maximum, resident and swapped out
    work_s: int
    return_s: int
    lru: str
    kernel: str
    refaults_mean: float  # pages a second read back, anonymous and file
    swapins: int  # pages of the whole machine
    stall_share: float  # share of the time in which some task of the owner waited for memory
    owner_before_mb: float  # owner's resident memory at the begin of the break
    owner_kept_mb: float  # and at its end
    interactions: int
    latency_work_ms: float
    latency_return_ms: float
    latency_return_max_ms: float
    opaque_limit_mb: float  # at the end of the break; 0 where nothing sets limits
    transparent_limit_mb: float
    contribution: str  # povray, hog, custom; none
    reads_mean: float  # owner's pages a second from disks: by faults, from swap and by read(2)
    reads_max: float  # in the worst second
    first_interaction_s: float | None = None  # from the return to the end of the first interaction; None: not logged
    work_done_s: float  # CPU seconds of the contribution, from the begin of the break on
    tmmd_cpu_work: float | None = None  # share of a core that tmmd used during the work; None: no tmmd
    tmmd_cpu_break: float | None = None
    tmmd_rss_mb: float | None = None  # resident at the end
    tmmd_peak_mb: float | None = None
    oracle_need_mb: float | None = None  # opaque memory that the oracle needs by the exact curve; None: no curve, or no limits
    oracle_donation_mb: float | None = None  # the rest of the memory that both classes can have
    low_share: float | None = None  # share of the time since the first learned limit in which the limit was too low
    break_taken_s: float  # length of the break; break_s is its minimum
    machine: str = plan.FRESH
    past_s: int = 0  # seconds of use before the work
    time_lapse: int = 1  # seconds that passed for tmmd in each, until the work began
    during: str = plan.NOTHING  # the break
    on_return: str = plan.NOTHING
    free_before_mb: float | None = None  # free memory of the machine at the begin of the break; None: not recorded
    new_program_s: float | None = None  # from the return to the new program's first interaction
    workload_before_mb: float | None = None  # memory of the workload at the begin of the break; None: not recorded
    workload_kept_mb: float | None = None  # the same at its end
    decided: str = ""  # the reason for the limits at the end of the break; empty: no limits
    key: str

    @property
    def group(self) -> tuple[Situation, str, str]:
        return (self.situation, self.contribution, self.system)

    @property
    def identity(self) -> tuple[Situation, str, str, int]:
        """Tells runs apart, whatever their programs and parameters were."""
        return (*self.group, self.run)

    @property
    def of_oracle(self) -> float | None:
        """The donation as a share of the oracle's."""
        return self.donated_mb / self.oracle_donation_mb if self.oracle_donation_mb else None

    @property
    def past(self) -> tuple[int, int]:
        """Rows of lived-in machines are compared only if these are equal as well."""
        return (self.past_s, self.time_lapse)


def numbers_in(path: pathlib.Path, wanted: int) -> list[float]:
    """Reads seconds of the guest's clocks."""
    try:
        numbers = [float(word) for word in read_text(path).split()]
    except ValueError as error:
        raise DeskError(f"{path}: not a number of seconds") from error
    if len(numbers) != wanted:
        raise DeskError(f"{path}: {len(numbers)} numbers of seconds, not {wanted}")
    return numbers


def number_in(path: pathlib.Path) -> float:
    return numbers_in(path, 1)[0]


def read_decisions(folder: pathlib.Path) -> list[timeline.Decision]:
    """The decisions of tmmd or limit-holder, on the recorder's clock. Without a wall clock the file counts from the program's
    start."""
    start_s, start_wall_s = numbers_in(folder / "limits-start", 2)
    decisions = records.of_file(timeline.Decision, folder / "timeline.csv")
    if not decisions:
        raise DeskError(f"{folder / 'timeline.csv'}: no decision was made")
    return [dataclasses.replace(decision, t_s=start_s + (decision.t_s if decision.wall_s is None else decision.wall_s - start_wall_s))
            for decision in decisions]


def workload_mb(folder: pathlib.Path, when: str) -> float | None:
    path = folder / f"workload-{when}"
    return round(number_in(path) / MB, 1) if path.exists() else None


def cpu_share(rows: list[recorder_rows.RecorderRow]) -> float:
    """tmmd's share of one core, from its start on."""
    seen = [row for row in rows if row.counts["daemon_rss_bytes"] > 0]
    if len(seen) < 2 or recorder_rows.duration_s(seen) == 0:
        raise DeskError("the recorder has not seen tmmd")
    return recorder_rows.delta(seen, "daemon_cpu_us") / 1e6 / recorder_rows.duration_s(seen)


def cost_of_tmmd(work: list[recorder_rows.RecorderRow], away: list[recorder_rows.RecorderRow], last: recorder_rows.RecorderRow) -> dict[str, float]:
    """Columns of a row."""
    return {"tmmd_cpu_work": round(cpu_share(work), 5), "tmmd_cpu_break": round(cpu_share(away), 5),
            "tmmd_rss_mb": round(last.counts["daemon_rss_bytes"] / MB, 2), "tmmd_peak_mb": round(last.counts["daemon_peak_bytes"] / MB, 2)}


def total_mb(run: Run, folder: pathlib.Path, decisions: list[timeline.Decision], end_s: float) -> float | None:
    """Memory that both classes can have together; None on a plain kernel. Without a limiter, the value at the end."""
    decision = timeline.last_before(decisions, end_s)
    if decision or run.kernel != "tmm" or run.sets_limits:
        return decision.total_mb if decision else None
    path = folder / "state/tmm"
    found = re.search(r"/total:(\d+)$", read_text(path), re.MULTILINE)
    if not found:
        raise DeskError(f"{path}: no total")
    return int(found[1]) / MB


def exact_of(run: Run, folder: pathlib.Path, decisions: list[timeline.Decision], work: list[recorder_rows.RecorderRow],
             end_s: float) -> dict[str, float | None]:
    """Columns of a row. Empty without a curve or on a plain kernel. work: the rows that the curve covers; end_s: end of the run."""
    memory_mb = total_mb(run, folder, decisions, end_s)
    if memory_mb is None or not (folder / "curve.csv").exists():
        return {}
    curve = oracle.curve_of(folder, recorder_rows.duration_s(work))
    need_mb = oracle.need_mb(curve, memory_mb)
    low = oracle.low_share(decisions, end_s, need_mb, run.ram_mb)
    return {"oracle_need_mb": round(need_mb, 1), "oracle_donation_mb": round(memory_mb - need_mb, 1),
            "low_share": None if low is None else round(low, 4)}


def free_before_mb(run: Run, away: list[recorder_rows.RecorderRow]) -> float:
    """DeskError: a machine that should be lived-in has memory that nobody used."""
    free_mb = away[0].counts["free_bytes"] / MB
    most = plan.MAX_FREE_SHARE if run.ram_mb <= plan.HUGE_PAGES_ABOVE_MB else plan.MAX_FREE_SHARE_WITH_HUGE_PAGES
    if run.lived_in and not run.may_free and free_mb > most * run.ram_mb:
        raise DeskError(f"not valid: at the begin of the break {free_mb:.0f} of {run.ram_mb} MB were free: "
                          f"a lived-in machine has at most {most:.0%}")
    return round(free_mb, 1)


def check_pace(seconds: list[latencies.Second], past: list[recorder_rows.RecorderRow]) -> None:
    """DeskError: the host gave owner-workload hardly any time before the work. In a time-lapse its pages then look as if they were
    used much more seldom than they are. A wait for memory does not count: that is the system's fault and not the host's."""
    interactions = latencies.between(seconds, past[0].t_s, past[-1].t_s).interactions
    ran_s = recorder_rows.duration_s(past) - recorder_rows.delta(past, "owner_stall_us") / 1e6
    least = plan.MIN_PACE_SHARE * ran_s * 1000 / plan.THINK_MS
    if interactions < least:
        raise DeskError(f"not valid: before the work the owner had {interactions} interactions in {ran_s:.0f} s in which it did not wait "
                          f"for memory, and at least {least:.0f} are needed: the host was busy; repeat the run when it is not")


def row_of(run: Run, folder: pathlib.Path, key: str) -> Row:
    """DeskError: the run's files are incomplete."""
    rows = recorder_rows.of_folder(folder)
    work, away, back = (recorder_rows.phase_rows(rows, phase) for phase in ("work", "break", "return"))
    span_s = recorder_rows.duration_s(back)
    if span_s < 0.9 * run.return_s:
        raise DeskError(f"{folder / 'samples.csv'}: the owner's return lasts {span_s:.0f} s of {run.return_s}: "
                          "the run was cut short")
    free_mb = free_before_mb(run, away)
    faults = recorder_rows.rates(back, "owner_pgmajfault")
    reads = [rate / PAGE_BYTES for rate in recorder_rows.rates(back, "owner_read_bytes")]
    refaults = recorder_rows.delta(back, "owner_refault_anon") + recorder_rows.delta(back, "owner_refault_file")

    before = after = latencies.Latency(0, 0.0, 0.0)
    first_s = None
    log = folder / "latencies.csv"
    if log.exists():
        seconds = latencies.of_file(log)
        if run.past_s >= plan.MIN_JUDGED_PAST_S and plan.synthetic_options(run):
            check_pace(seconds, recorder_rows.phase_rows(rows, "past"))
        before = latencies.between(seconds, work[0].t_s, work[-1].t_s)
        # No upper bound: an interaction that the end interrupts is logged after it.
        after = latencies.between(seconds, back[0].t_s, float("inf"))
        first_s = latencies.first_after(seconds, number_in(folder / "returned"))
    new_s = None
    if run.on_return != plan.NOTHING:
        new_s = latencies.first_after(latencies.of_file(folder / "new-latencies.csv"), number_in(folder / "returned"))

    decisions = read_decisions(folder) if run.sets_limits else []
    decision = timeline.last_before(decisions, back[0].t_s)
    return Row(
        system=run.system, workload=run.workload, run=run.run, backing=run.backing, ram_mb=run.ram_mb, break_s=run.break_s,
        faults_mean=round(recorder_rows.delta(back, "owner_pgmajfault") / span_s, 3),
        faults_max=round(max(faults), 1),
        donated_mb=round(back[0].counts["contribution_current_bytes"] / MB, 1),
        contributor_peak_mb=round(max(recorder_rows.footprint_bytes(row, "contribution") for row in rows) / MB, 1),
        work_s=run.work_s, return_s=run.return_s, lru=run.lru, kernel=run.kernel,
        refaults_mean=round(refaults / span_s, 2),
        swapins=recorder_rows.delta(back, "pswpin"),
        stall_share=round(recorder_rows.delta(back, "owner_stall_us") / 1e6 / span_s, 4),
        owner_before_mb=round(away[0].counts["owner_current_bytes"] / MB, 1),
        owner_kept_mb=round(back[0].counts["owner_current_bytes"] / MB, 1),
        interactions=after.interactions,
        latency_work_ms=round(before.mean_ms, 3), latency_return_ms=round(after.mean_ms, 3),
        latency_return_max_ms=round(after.max_ms, 1),
        opaque_limit_mb=decision.opaque_limit_mb if decision else 0.0,
        transparent_limit_mb=decision.transparent_limit_mb if decision else 0.0,
        contribution=run.contribution,
        reads_mean=round(recorder_rows.delta(back, "owner_read_bytes") / PAGE_BYTES / span_s, 3), reads_max=round(max(reads), 1),
        first_interaction_s=None if first_s is None else round(first_s, 3),
        work_done_s=round((back[-1].counts["contribution_user_us"] - away[0].counts["contribution_user_us"]) / 1e6, 2),
        **(cost_of_tmmd(work, away, rows[-1]) if run.uses_tmmd else {}),
        **exact_of(run, folder, decisions, recorder_rows.use_rows(rows), back[-1].t_s),
        break_taken_s=round(recorder_rows.duration_s(away), 1), machine=run.machine, past_s=run.past_s, time_lapse=run.time_lapse,
        during=run.during, on_return=run.on_return, free_before_mb=free_mb,
        new_program_s=None if new_s is None else round(new_s, 3),
        workload_before_mb=workload_mb(folder, "before"), workload_kept_mb=workload_mb(folder, "kept"),
        decided=f"{decision.kind}: {decision.reason}" if decision else "", key=key)
