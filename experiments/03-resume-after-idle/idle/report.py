# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table."""

import pathlib

from .coffee_break import CoffeeError, metrics, plan, recorder_rows, table
from .systems import SYSTEMS

HEADER = ("system", "", "faults/s", "worst second", "waited", "first interaction s", "slowest, times that before", "owner kept",
          "donated MB", "swapped out MB", "contribution's work s")
PAGE_BYTES = 4096


def swapped_out_mb(folder: pathlib.Path) -> float:
    """From the begin of the break to the end, by the whole machine."""
    rows = recorder_rows.parse_rows(metrics.read_text(folder / "samples.csv"), str(folder / "samples.csv"))
    away, back = (recorder_rows.phase_rows(rows, phase) for phase in ("break", "return"))
    return (back[-1].counts["pswpout"] - away[0].counts["pswpout"]) * PAGE_BYTES / 2**20


def cells(name: str, run: plan.Run, folder: pathlib.Path) -> tuple[str, ...]:
    """A row of the table. CoffeeError: the run's files are incomplete."""
    row = metrics.row_of(run, folder, "")
    if not row.latency_work_ms or row.first_interaction_s is None:
        raise CoffeeError(f"{folder}: no interaction was logged")
    gives = run.system != "none"
    return (name, SYSTEMS[name].what, f"{row.faults_mean:.1f}", f"{row.faults_max:.0f}", f"{row.stall_share:.1%}",
            f"{row.first_interaction_s:.2f}", f"{row.latency_return_max_ms / row.latency_work_ms:.0f}",
            f"{row.owner_kept_mb / row.owner_before_mb:.0%}", f"{row.donated_mb:.0f}" if gives else "-", f"{swapped_out_mb(folder):.0f}",
            f"{row.work_done_s:.0f}" if gives else "-")


def text(rows: list[tuple[str, ...]], command: str) -> str:
    return f"    {command}\n\n{table.markdown_table([HEADER, *rows])}"
