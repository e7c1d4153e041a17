# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of the runs as CSV, and their table."""

import csv
import dataclasses
import io
import pathlib

from .coffee_break import CoffeeError, metrics, plan, recorder_rows, table
from .systems import SYSTEMS

HEADER = ("system", "", "faults/s", "worst second", "waited", "first interaction s", "slowest, times that before", "owner kept",
          "donated MB", "swapped out MB", "contribution's work s", "killed")
PAGE_BYTES = 4096


@dataclasses.dataclass(frozen=True)
class Result:
    """A row of results.csv: one boot. None: nothing was measured, since the owner's program was killed, or there was no contribution."""

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
    oracle_donation_mb: float | None = dataclasses.field(default=None, kw_only=True)  # of the coffee break's oracle; None: the system has no limits, or not computed


def swapped_out_mb(folder: pathlib.Path) -> float:
    """From the begin of the break to the end, by the whole machine."""
    rows = recorder_rows.parse_rows(metrics.read_text(folder / "samples.csv"), str(folder / "samples.csv"))
    away, back = (recorder_rows.phase_rows(rows, phase) for phase in ("break", "return"))
    return (back[-1].counts["pswpout"] - away[0].counts["pswpout"]) * PAGE_BYTES / 2**20


def killed_programs(folder: pathlib.Path) -> list[str]:
    path = folder / "killed"
    return list(dict.fromkeys(path.read_text(encoding="ascii").split())) if path.exists() else []


def result_of(name: str, run: plan.Run, folder: pathlib.Path) -> Result:
    """CoffeeError: the run's files are incomplete."""
    row = metrics.row_of(run, folder, "")
    killed = killed_programs(folder)
    lives = "owner" not in killed
    if lives and (not row.latency_work_ms or row.first_interaction_s is None):
        raise CoffeeError(f"{folder}: no interaction was logged")
    gives = run.system != "none"
    before_mb, kept_mb = row.owner_before_mb, row.owner_kept_mb
    if run.machine == plan.LIVED_IN:
        before_mb, kept_mb = row.workload_before_mb or 0.0, row.workload_kept_mb or 0.0
    return Result(
        system=name, kernel_release=metrics.read_text(folder / "kernel-release").strip(), machine=run.machine, backing=run.backing,
        faults_mean=row.faults_mean if lives else None, faults_max=row.faults_max if lives else None,
        stall_share=row.stall_share if lives else None, first_interaction_s=row.first_interaction_s if lives else None,
        slowest_times=round(row.latency_return_max_ms / row.latency_work_ms, 1) if lives else None,
        owner_before_mb=before_mb, owner_kept_mb=kept_mb, donated_mb=row.donated_mb if gives else None,
        contributor_peak_mb=row.contributor_peak_mb if gives else None, swapped_out_mb=round(swapped_out_mb(folder), 1),
        work_done_s=row.work_done_s if gives else None, break_taken_s=row.break_taken_s, free_before_mb=row.free_before_mb or 0.0,
        killed=" ".join(killed), decided=row.decided, oracle_donation_mb=row.oracle_donation_mb)


def csv_text(results: list[Result]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in dataclasses.fields(Result)]
    writer.writerow(names)
    writer.writerows([getattr(result, name) for name in names] for result in results)
    return out.getvalue()


def parse_csv(text: str) -> list[Result]:
    """Of csv_text()."""
    texts = {"system", "kernel_release", "machine", "backing", "killed", "decided"}
    return [Result(**{name: value if name in texts else float(value) if value else None for name, value in record.items()})
            for record in csv.DictReader(io.StringIO(text), strict=True)]


def cells(result: Result) -> tuple[str, ...]:
    """A row of the table."""

    def shown(value: float | None, form: str) -> str:
        return table.or_dash(value, form)

    return (result.system, SYSTEMS[result.system].what, shown(result.faults_mean, ".1f"), shown(result.faults_max, ".0f"),
            shown(result.stall_share, ".1%"), shown(result.first_interaction_s, ".2f"), shown(result.slowest_times, ".0f"),
            f"{result.owner_kept_mb / result.owner_before_mb:.0%}", shown(result.donated_mb, ".0f"), f"{result.swapped_out_mb:.0f}",
            shown(result.work_done_s, ".0f"), result.killed or "-")


def text(results: list[Result], command: str) -> str:
    return f"    {command}\n\n{table.markdown_table([HEADER, *map(cells, results)])}"
