# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report, made from the committed results."""

import pathlib

from desk.report import breaks, records, template
from desk.report.template import Rows

from . import clamps, tables

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"
SURVIVORS = ("none", "plain", "min-ttl", "tmm-stock", "tmm")


def rows(name: str) -> Rows:
    """Of a folder in the results."""
    return Rows(records.results_in(breaks.Result, RESULTS / name / "results.csv"))


def table(folder: pathlib.Path) -> tuple[str, dict[str, object]]:
    if (folder / "rounds.csv").exists():
        counted, _ = clamps.clamps_of(folder)
        parts = {part: [getattr(clamp, part) for clamp in counted] for part in clamps.PARTS}
        return clamps.table_of(folder), parts | {"speeds": clamps.speeds_of(folder / "speeds.csv")}
    found = rows(folder.name)
    return tables.text(found), found.by_system() | {"shown": found}


def gave(row: breaks.Result) -> str:
    return f"{row.donated_mb:.0f} MB, {100 * row.of_oracle:.0f} % of the oracle's donation"


def no_fault(*of: breaks.Result) -> str:
    return template.no("no fault", *(row.faults_mean for row in of))


def names() -> dict[str, object]:
    lived_in = rows("nvme-lived-in")
    ours = Rows(row for row in lived_in if row.system.startswith("tmm"))
    others = lived_in.but("none", *(row.system for row in ours))
    return dict(rows=rows, gave=gave, no_fault=no_fault, ours=ours, others=others, lived=Rows(row for row in others if not row.killed),
                           living=rows("nvme").but(*SURVIVORS))


def documents() -> dict[pathlib.Path, str]:
    return {RESULTS / "report.md": template.report(RESULTS, table, names())}
