# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report, made from the committed results."""

import pathlib

from desk.report import records, template
from desk.report.template import Rows

from . import project, report
from .systems import TMM_SYSTEMS

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"


def rows(name: str) -> Rows:
    """Of a folder in the results."""
    return Rows(records.results_in(report.Result, RESULTS / name / "results.csv"))


def table(folder: pathlib.Path) -> tuple[str, dict[str, object]]:
    found = rows(folder.name)
    return report.text(found), found.by_system()


def spared(*of: report.Result) -> bool:
    return all(row.faults_mean == row.stall_share == 0 for row in of)


def documents() -> dict[pathlib.Path, str]:
    loop, phases = rows("loop"), rows("phases")
    names = dict(loop=loop, phases=phases, lived_in=rows("lived-in"), new=rows("new-program"), spared=spared,
                           ours=loop.of(*TMM_SYSTEMS) + phases.of(*TMM_SYSTEMS), sizes=project.tasks_mb(1024), large=project.tasks_mb(4096))
    return {RESULTS / "report.md": template.report(RESULTS, table, names)}
