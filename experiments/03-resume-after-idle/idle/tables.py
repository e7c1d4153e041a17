# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of the results: a row for each boot and, of several boots, their medians and how far they lie apart."""

from desk.report import spread, table
from desk.report.breaks import Result

from .systems import legend

HEADER = ("system", "", "faults/s", "worst second", "waited", "first interaction s", "p99, times that before", "hitches", "p99 back after s",
          "owner kept", "donated MB", "donated MB h", "swapped out MB", "contribution's work s", "killed")

SPREAD_HEADER = ("faults/s", "worst second", "waited", "first interaction s", "p99, at most times that before",
                 "hitches, at most", "owner kept", "donated MB", "of oracle's")


def cells(result: Result) -> tuple[str, ...]:
    """A row of the table."""

    def shown(value: float | None, form: str) -> str:
        return table.or_dash(value, form)

    return (result.name, legend(result.system), shown(result.faults_mean, ".1f"), shown(result.faults_max, ".0f"),
            shown(result.stall_share, ".1%"), shown(result.first_interaction_s, ".2f"), result.times, result.hitches,
            shown(result.p99_back_s, ".0f"), f"{result.kept:.0%}", shown(result.donated_mb, ".0f"),
            shown(result.donated_mb_hours, ".1f"), f"{result.swapped_out_mb:.0f}",
            shown(result.work_done_s, ".0f"), result.killed or "-")


def spread_cells(boots: list[Result]) -> tuple[str, ...]:
    """Of a row of the second table."""

    def of(column: str, form: str) -> str:
        return spread.shown([getattr(boot, column) for boot in boots], form)

    return (of("faults_mean", ".1f"), of("faults_max", ".0f"), of("stall_share", ".1%"), of("first_interaction_s", ".2f"),
            of("p99_times_max", ".1f"), of("hitches_max", ".0f"), of("kept", ".0%"), of("donated_mb", ".0f"), of("of_oracle", ".0%"))


RETURNS_HEADER = ("system", "returns", "first interaction, median ms", "p95 ms", "more than without a contribution, median ms", "p95 ms")


def returns_table(results: list[Result]) -> str:
    """The times to the first interaction after several returns; empty if each boot had one."""
    rows = [result for result in results if result.returns is not None]
    if not rows:
        return ""
    none = next((result for result in rows if result.system == "none"), None)

    def more(result: Result, column: str) -> str:
        return "-" if none is None or result is none else f"{1000 * (getattr(result, column) - getattr(none, column)):.0f}"

    cells_of_each = [(result.name, str(result.returns), f"{1000 * result.first_median_s:.0f}", f"{1000 * result.first_p95_s:.0f}",
                      more(result, "first_median_s"), more(result, "first_p95_s")) for result in rows]
    return "\nThe first interaction after each return:\n\n" + table.markdown_table([RETURNS_HEADER, *cells_of_each])


def text(results: list[Result]) -> str:
    return table.markdown_table([HEADER, *map(cells, results)]) + spread.table_of(results, SPREAD_HEADER, spread_cells) + returns_table(results)
