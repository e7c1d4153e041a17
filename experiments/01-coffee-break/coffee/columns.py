# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The columns of the tables of results."""

from desk import plan
from desk.report import table

from .summary import Group

# The paper's numbers (its section 4), on a machine of 512 MB with a disk of 2.5 ms.
PAPER_PLAIN_FAULTS, PAPER_TMM_FAULTS = 190.0, 6.8
PAPER_PLAIN_SLOWDOWN, PAPER_TMM_SLOWDOWN = 0.50, 0.017

HEADER = ("workload", "system", "runs", "faults/s", "worst second", "as slowdown", "owner stalled", "owner kept MB", "donated MB",
          "of oracle's", "contribution's peak MB", "break s", "work done s", "first s", "latency ms (before)", "worst ms")


def cells(group: Group) -> tuple[str, ...]:
    """A row. A dash stands for a value that was not logged, or that a run without contribution does not have."""
    latency = f"{group.latency_return_ms:.1f} ({group.latency_work_ms:.1f})" if group.interactions else "-"
    worst = f"{group.latency_return_max_ms:.0f}" if group.interactions else "-"
    donated = peak = work_done = "-"
    if group.system != "none":
        donated, peak, work_done = f"{group.donated_mb:.0f}", f"{group.contributor_peak_mb:.0f}", f"{group.work_done_s:.0f}"
    kept = f"{group.owner_kept_mb:.0f} of {group.owner_before_mb:.0f}"
    return (group.case, group.system, str(group.runs), f"{group.misses_mean:.2f}", f"{group.misses_max:.0f}",
            f"{group.slowdown:.1%}", f"{group.stall_share:.1%}", kept, donated, table.or_dash(group.oracle_share, ".0%"), peak,
            f"{group.break_taken_s:.0f}", work_done, table.or_dash(group.first_interaction_s, ".2f"), latency, worst)


COST_HEADER = ("workload", "system", "CPU in the work", "CPU in the break", "peak MB")


def cost_rows(groups: list[Group]) -> list[tuple[str, ...]]:
    """CPU and memory of tmmd; only a header without it."""
    return [COST_HEADER, *((group.case, group.system, table.or_dash(group.tmmd_cpu_work, ".2%"), table.or_dash(group.tmmd_cpu_break, ".2%"),
                            table.or_dash(group.tmmd_peak_mb, ".1f")) for group in groups if group.tmmd_peak_mb is not None)]


ORACLE_HEADER = ("workload", "system", "oracle's need MB", "oracle's donation MB", "donated MB", "share", "limit too low in")


def oracle_rows(groups: list[Group]) -> list[tuple[str, ...]]:
    return [ORACLE_HEADER, *((group.case, group.system, f"{group.oracle_need_mb:.0f}", f"{group.oracle_donation_mb:.0f}",
                              f"{group.donated_mb:.0f}", table.or_dash(group.oracle_share, ".0%"), table.or_dash(group.low_share, ".1%"))
                             for group in groups if group.oracle_need_mb is not None)]


BESIDE_HEADER = ("workload", "system", "fresh: faults/s", "worst second", "stalled", "donated MB", "of oracle's",
                 "lived-in: faults/s", "worst second", "stalled", "donated MB", "of oracle's", "new program s")


def beside_cells(group: Group | None) -> tuple[str, ...]:
    if not group:
        return ("-",) * 5
    donated = "-" if group.system == "none" else f"{group.donated_mb:.0f}"
    return (f"{group.misses_mean:.2f}", f"{group.misses_max:.0f}", f"{group.stall_share:.1%}", donated,
            table.or_dash(group.oracle_share, ".0%"))


def beside_rows(groups: list[Group]) -> list[tuple[str, ...]]:
    """Each lived-in group beside its freshly booted one; only a header without lived-in ones."""
    known = {(group.situation, group.contribution, group.system): group for group in groups}
    rows = [BESIDE_HEADER]
    for group in groups:
        if group.lived_in:
            fresh = known.get((group.situation._replace(machine=plan.FRESH), group.contribution, group.system))
            rows.append((group.case, group.system, *beside_cells(fresh), *beside_cells(group), table.or_dash(group.new_program_s, ".1f")))
    return rows


def paper_rows() -> list[tuple[str, ...]]:
    """The paper gives the maximum over its three workloads."""
    plain = (f"{PAPER_PLAIN_FAULTS:.0f}", "-", f"{PAPER_PLAIN_SLOWDOWN:.0%}", "-", "-", "-")
    tmm = (f"{PAPER_TMM_FAULTS:.1f}", "-", f"{PAPER_TMM_SLOWDOWN:.1%}", "-", "-", "hundreds")
    return [("paper, worst", system, "", *figures, "-", "> 512", "300", "-", "-", "-", "-")
            for system, figures in (("plain", plain), ("tmm", tmm))]


def all_rows(groups: list[Group]) -> list[tuple[str, ...]]:
    return [HEADER, *(cells(group) for group in groups), *paper_rows()]
