# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The reports, and the passages of README.md, made from the committed results."""

import pathlib
import re
import statistics

from desk import plan, workloads
from desk.report import records, table, template
from desk.report.metrics import Row
from desk.report.template import Rows

from . import first_page, report, results, summary

HERE = pathlib.Path(__file__).resolve().parents[1]
RESULTS = HERE / "results"


def rows(folder: pathlib.Path) -> Rows:
    path = folder / "results.csv"
    return Rows(results.parse_rows(records.read_text(path), str(path)))


def report_of(folder: pathlib.Path) -> str:
    """Lines about the machines are not of results.csv: they are as they were."""
    committed = records.read_text(folder / "report.md")
    machine = re.search(r"on the plain kernel\n(.*?)\n## Results\n", committed, re.DOTALL)[1]
    return report.text(rows(folder), [], sorted(folder.glob("figure*.png")), machine)


def donated_text(row: Row) -> str:
    return "-" if row.system == "none" else f"{row.donated_mb:.0f} MB"


def desktop_table(of: list[Row]) -> str:
    header = ("system", "donated", "faults/s", "worst second", "owner waits", "workload kept", "interactions in the minute", "first one ends after")
    return table.words_table([header, *(
        (row.system, donated_text(row), f"{row.faults_mean:.0f}", f"{row.faults_max:.0f}", f"{row.stall_share:.1%}",
         f"{row.workload_kept_mb:.0f} of {row.workload_before_mb:.0f} MB", str(row.interactions), f"{row.first_interaction_s:.1f} s")
        for row in of)]).strip()


def listed(of: list[Row]) -> str:
    """As 89 %, 88 % and 86 %."""
    *others, last = (f"{100 * row.of_oracle:.0f} %" for row in of)
    return f"{', '.join(others)} and {last}"


def of_fresh_machines() -> dict[str, object]:
    found = rows(RESULTS)
    groups = {(group.case, group.system): group for group in summary.groups(found)}
    ours = [row for row in found if row.system.startswith("tmm")]

    def of(case: str, system: str) -> summary.Group:
        """Medians."""
        return groups[case, system]

    def single(case: str, system: str) -> Rows:
        return Rows(row for row in found if row.group == (groups[case, system].situation, groups[case, system].contribution, system))

    return {
        "of": of, "single": single, "small": of("small", "tmm-beta"), "medium": of("medium", "tmm-beta"),
        "of_tmm": lambda column: [getattr(row, column) for row in ours],
        "share": lambda case: groups[case, "tmm-beta"].oracle_share,
        # Of medium, as multiples of the latencies before the break.
        "times": lambda system: statistics.median(row.latency_return_ms / row.latency_work_ms for row in single("medium", system) if row.interactions),
        "plain_faults": [group.faults_mean for (case, system), group in groups.items()
                         if system == "plain" and case not in (*workloads.DESKTOPS, "file-read")],
        "quarter": [groups[case, "static-25"].faults_mean for case in ("loop", "zipf", "phases")],
        "low_shares": [group.low_share for group in groups.values() if group.system.startswith("tmm") and group.low_share is not None]}


def of_lived_in_machines() -> dict[str, object]:
    found = rows(RESULTS / "lived-in")
    lived = Rows(row for row in found if row.machine == plan.LIVED_IN)

    def when(during: str = plan.NOTHING, on_return: str = plan.NOTHING) -> Rows:
        return Rows(row for row in lived if (row.during, row.on_return) == (during, on_return))

    jobs = [row for row in when("nightly") if row.break_s == 1080]
    return {"lived": lived, "usual": when(), "boots": when().of("tmm"), "new": when(on_return="new-program"),
            "last_jobs": Rows(jobs[-2:]), "earlier_jobs": Rows(jobs[:-2]),
            "short_job": next(row for row in when("nightly") if row.break_s == 120),
            "priority": when().of("priority"), "listed": listed,
            "first_page": table.words_table(first_page.table_rows(first_page.loop_groups(found))).strip()}


def names() -> dict[str, object]:
    desktop = rows(RESULTS / "lived-in-desktop")
    return of_fresh_machines() | of_lived_in_machines() | {
        "desktop": desktop, "desktop_tmm": desktop.of("tmm"), "desktop_table": desktop_table(desktop)}


def documents() -> dict[pathlib.Path, str]:
    folders = (RESULTS, RESULTS / "lived-in", RESULTS / "lived-in-desktop")
    return {folder / "report.md": report_of(folder) for folder in folders} | {
        HERE / "README.md": template.passages(HERE / "README.md", HERE / "README.template.md", names())}
