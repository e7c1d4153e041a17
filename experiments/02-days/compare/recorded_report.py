# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md of a recording: the tables."""

import textwrap

from desk.report.table import words_table

from . import report, results
from .plan import SYSTEMS, TMM
from .recording import Span
from .runner import Row


def memory_text(memory_mb: str) -> str:
    return f"{float(memory_mb) / 1024:g} GB"


def day_table(rows: list[Row]) -> str:
    """A line for each size and store; a cell for each system: donated MB and the owner's waiting in seconds a day."""
    lines = []
    for (memory_mb, store), of in results.groups(rows, "memory_mb", "store").items():
        front = results.front(results.points(of))
        cells = []
        for system in SYSTEMS:
            (row,) = [row for row in of if row["system"] == system]
            cells.append(f"{float(row['donated_mean_mb']):.0f} / {report.number(float(row['waited_s_per_day']))}{'*' if system in front else ''}")
        lines.append([memory_text(memory_mb), store, *cells])
    return words_table([("memory", "store", *SYSTEMS), *lines])


def returns_table(rows: list[Row]) -> str:
    lines = []
    for (memory_mb, store), of in results.groups(rows, "memory_mb", "store").items():
        by_system = {row["system"]: row for row in of}
        shown = [by_system[system] for system in ("priority", *TMM)]
        lines.append([memory_text(memory_mb), store, *(report.number(float(row["return_worst_s"])) for row in shown),
                      *(results.deciding_rule([row]) for row in shown[1:])])
    return words_table([("memory", "store", *(f"worst return with {system}, s" for system in ("priority", *TMM)), *(f"rule of {system}" for system in TMM)),
                        *lines])


def text(rows: list[Row], command: str, spans: list[Span], most_mb: float, unit_kb: int) -> str:
    parts = [f"Made by `{command}`.\n",
             textwrap.fill(f"The recorded desktop had at most {most_mb:.0f} MB; a unit is {unit_kb} KiB. The diary: "
                           + ", ".join(f"{span.doing} {span.minutes}" for span in spans) + " minutes.", 80) + "\n"]
    for (owner,), of in results.groups(rows, "owner").items():
        parts += [f"## {owner}\n", report.summary(of), "Donated MB / waiting in seconds a day; `*`: on the front.\n", day_table(of),
                  returns_table(of)]
    return "\n".join(parts)
