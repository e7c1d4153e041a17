# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: the runs, their results beside the paper's, and the aims."""

import pathlib

from desk.boots import Failure
from desk.plan import TMMD_SYSTEMS
from desk.report import oracle, table, template
from desk.report.metrics import Row

from . import columns
from .summary import PAPER_MISS_S, Group, groups
from .verdicts import TO_SHOW, TO_SHOW_LIVED_IN, Verdict, verdicts


TEMPLATE = pathlib.Path(__file__).with_name("report.template.md")


def verdict_lines(all_verdicts: list[Verdict]) -> list[str]:
    words = {True: "met", False: "MISSED", None: "not tested"}
    return [f"{words[verdict.met]:<10}  {verdict.case}: {verdict.aim}: {verdict.text}" for verdict in all_verdicts]


def against_paper(all_groups: list[Group]) -> list[tuple[str, ...]]:
    """The paper's numbers beside ours; both are the maximum over the workloads."""

    def worst(systems: tuple[str, ...], pick, form: str) -> str:
        values = [pick(group) for group in all_groups if group.system in systems]
        return format(max(values), form) if values else "not run"

    tmm_donated = [group.donated_mb for group in all_groups if group.system in TMMD_SYSTEMS]
    donated = f"{min(tmm_donated):.0f} to {max(tmm_donated):.0f} MB" if tmm_donated else "not run"
    return [
        ("in the first minute after the return", "paper", "here"),
        ("faults/s, plain kernel, worst workload", "190", worst(("plain",), lambda group: group.misses_mean, ".1f")),
        ("faults/s, TMM, worst workload", "6.8", worst(TMMD_SYSTEMS, lambda group: group.misses_mean, ".2f")),
        ("as slowdown, plain kernel", "50 %", worst(("plain",), lambda group: group.slowdown, ".1%")),
        ("as slowdown, TMM", "1.7 %", worst(TMMD_SYSTEMS, lambda group: group.slowdown, ".1%")),
        ("donated by TMM", "hundreds of MB of 512", donated),
    ]


TO_SHOW_HEADER = ("what", "reach", "result")


def result_text(chosen: list[Verdict]) -> str:
    """Counts the verdicts that are met, and quotes the others."""
    judged = [verdict for verdict in chosen if verdict.met is not None]
    if not judged:
        return "not run"
    missed = "; ".join(f"{verdict.case}: {verdict.text}" for verdict in judged if not verdict.met)
    text = f"{sum(bool(verdict.met) for verdict in judged)} of {len(judged)}"
    return f"{text}; missed: {missed}" if missed else f"{text}; {closest(judged)}"


def closest(judged: list[Verdict]) -> str:
    """Quotes one verdict as an example."""
    return f"as {judged[0].case}: {judged[0].text}"


def to_show_rows(all_verdicts: list[Verdict], systems: list[str]) -> list[tuple[str, ...]]:
    """For each system with tmmd: the aim, its bound, and how often it was met."""
    rows = [TO_SHOW_HEADER]
    for system in systems:
        for topic, (what, reach) in TO_SHOW.items():
            chosen = [verdict for verdict in all_verdicts if verdict.topic == topic and verdict.system == system]
            rows.append((f"{what} ({system})", reach, result_text(chosen)))
        for topic, (what, reach) in TO_SHOW_LIVED_IN.items():
            chosen = [verdict for verdict in all_verdicts if verdict.topic == topic and verdict.system == system]
            if chosen:
                rows.append((f"{what} ({system})", reach, result_text(chosen)))
    return rows


def text(rows: list[Row], failures: list[Failure], figure_files: list[pathlib.Path], machine: str) -> str:
    all_groups = groups(rows)
    all_verdicts = verdicts(all_groups)
    systems = [system for system in TMMD_SYSTEMS if any(group.system == system for group in all_groups)] or ["tmm"]
    # A passage without rows is left out.
    tables = {"lived_in": columns.beside_rows(all_groups), "oracle": columns.oracle_rows(all_groups), "cost": columns.cost_rows(all_groups)}
    passages = {name: table.markdown_table(found) for name, found in tables.items() if len(found) > 1} | {
        "decided": "\n".join(dict.fromkeys(f"- {row.name}: {row.decided}" for row in rows if row.decided and row.system in TMMD_SYSTEMS)),
        "pictures": "\n\n".join(f"![{file.stem}]({file.name})" for file in figure_files if file.suffix == ".png"),
        "failures": "\n".join(f"- {failure.name}: {failure.message} (files: {failure.folder})" for failure in failures)}
    chosen = template.PASSAGE.sub(lambda match: match[3] if passages.get(match[2]) else "", TEMPLATE.read_text(encoding="utf-8"))
    names = {name: made.strip() for name, made in passages.items()} | {
        "machine": machine.strip(), "results": table.markdown_table(columns.all_rows(all_groups)).strip(), "miss_ms": 1000 * PAPER_MISS_S,
        "paper": table.markdown_table(against_paper(all_groups)).strip(), "tolerated": oracle.TOLERATED_SHARE,
        "to_show": table.words_table(to_show_rows(all_verdicts, systems)).strip(),
        "aims": "\n".join(verdict_lines(all_verdicts)) or "no run, no verdict"}
    return template.expand(chosen, names, TEMPLATE.name)
