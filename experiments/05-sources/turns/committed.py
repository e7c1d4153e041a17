# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report, made from the committed results."""

import pathlib
import statistics
import types

from desk.report import records, template
from desk.report.template import Rows

from . import report, tables

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"


def rows(folder: pathlib.Path = RESULTS / "10min") -> Rows:
    return Rows(records.results_in(report.Result, folder / "results.csv"))


def names() -> dict[str, object]:
    """The workloads, whose turns have the names of their sources, and sums of them."""
    found = rows()
    of_source: dict[str, Rows] = {}
    workloads: dict[str, types.SimpleNamespace] = {}
    for row in found:
        name = tables.name_of(row, found)
        of_source.setdefault(name, Rows()).append(row)
        setattr(workloads.setdefault(row.workload.replace("-", "_"), types.SimpleNamespace()), name.replace(", ", "_"), row)
    exact = [row for name in ("tmm", "tmm, again") for row in of_source[name] if row.workload != "phases"]
    return dict(
        **workloads, resident=found, above=[row.limit_mb - row.exact_mb for row in exact],
        most_low=max(of_source[name].most("low_share") for name in ("tmm", "tmm, again", "idle")),
        most=lambda name: max(abs(tables.error_share(row, found) or 0.0) for row in of_source[name]),
        cost=lambda name: statistics.median(row.cpu_s for row in of_source[name]),
        error=lambda row: tables.error_mb(row, found), error_share=lambda row: tables.error_share(row, found),
        overview=tables.overview(found).strip(), summary=tables.summary(found).strip())


def documents() -> dict[pathlib.Path, str]:
    return {RESULTS / "report.md": template.report(RESULTS, lambda folder: (tables.text(rows(folder)), {}), names())}
