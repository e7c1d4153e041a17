# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results as a table for a terminal or for Markdown."""

from .summary import PAPER_PLAIN_FAULTS, PAPER_PLAIN_SLOWDOWN, PAPER_TMM_FAULTS, PAPER_TMM_SLOWDOWN, Group

HEADER = ("workload", "system", "runs", "faults/s", "worst second", "as slowdown", "owner stalled", "owner kept MB", "donated MB",
          "contribution's peak MB", "latency ms (before)", "worst ms")


def cells(group: Group) -> tuple[str, ...]:
    """A row. What an owner's own command does not log, and what a run without contribution has not, is a dash."""
    latency = f"{group.latency_return_ms:.1f} ({group.latency_work_ms:.1f})" if group.interactions else "-"
    worst = f"{group.latency_return_max_ms:.0f}" if group.interactions else "-"
    donated, peak = ("-", "-") if group.system == "none" else (f"{group.donated_mb:.0f}", f"{group.contributor_peak_mb:.0f}")
    kept = f"{group.owner_kept_mb:.0f} of {group.owner_before_mb:.0f}"
    return (group.workload, group.system, str(group.runs), f"{group.faults_mean:.2f}", f"{group.faults_max:.0f}",
            f"{group.slowdown:.1%}", f"{group.stall_share:.1%}", kept, donated, peak, latency, worst)


def paper_rows() -> list[tuple[str, ...]]:
    """The paper gives these as the largest over its three workloads."""
    plain = (f"{PAPER_PLAIN_FAULTS:.0f}", "-", f"{PAPER_PLAIN_SLOWDOWN:.0%}", "-", "-", "-")
    tmm = (f"{PAPER_TMM_FAULTS:.1f}", "-", f"{PAPER_TMM_SLOWDOWN:.1%}", "-", "-", "hundreds")
    return [("paper, worst", system, "", *figures, "> 512", "-", "-") for system, figures in (("plain", plain), ("tmm", tmm))]


def plain_table(rows: list[tuple[str, ...]]) -> str:
    """Columns aligned by blanks; words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        padded = [cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def markdown_table(rows: list[tuple[str, ...]]) -> str:
    rule = tuple("---" if i < 2 else "---:" for i in range(len(rows[0])))
    return "".join("| " + " | ".join(row) + " |\n" for row in [rows[0], rule, *rows[1:]])


def all_rows(groups: list[Group]) -> list[tuple[str, ...]]:
    return [HEADER, *(cells(group) for group in groups), *paper_rows()]
