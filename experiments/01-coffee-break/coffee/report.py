# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: the runs, their results beside the paper's, and the aims."""

import pathlib

from desk import oracle, table
from desk.boots import Failure
from desk.metrics import Row
from desk.plan import TMMD_SYSTEMS
from desk.template import filled, wrapped

from . import columns
from .summary import PAPER_MISS_S, Group, groups
from .verdicts import TO_SHOW, TO_SHOW_LIVED_IN, Verdict, verdicts


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


def lived_in_text(all_groups: list[Group]) -> str:
    rows = columns.beside_rows(all_groups)
    if len(rows) == 1:
        return ""
    return f"""
## Lived-in beside fresh

{table.markdown_table(rows)}
Before the work, a *lived-in* machine is filled with files read once, with memory
that is left alone, and with the working set. Then it is in use for a while, during
which tmmd lives through hours. Memory was full at the begin of each break.

*new program*: seconds from the return to the first interaction of the program that
the owner starts then
"""


def list_item(text: str) -> str:
    return filled(f"- {text}") + "\n"


def decided_text(rows: list[Row]) -> str:
    """The reasons of the limits."""
    reasons = dict.fromkeys((row.name, row.decided) for row in rows if row.decided and row.system in TMMD_SYSTEMS)
    if not reasons:
        return ""
    return "\n## What decided\n\n" + "".join(list_item(f"{name}: {reason}") for name, reason in reasons) + \
        "\nThe reason that tmmd gave for its limits at the end of the break.\n"


def oracle_text(all_groups: list[Group]) -> str:
    rows = columns.oracle_rows(all_groups)
    if len(rows) == 1:
        return ""
    return f"""
## Beside the oracle

{table.markdown_table(rows)}
The oracle knows the exact miss curve (Mattson's stack distances) of a synthetic
workload. Its need is the least opaque memory with at most 5 % more misses than
with all memory, or one more a second, and the idle desktop's. For `tmm-stall`
it is the need of that objective. It does not know the need of the rest of the
system.

*limit too low*: share of the time, from the first learned limit on, in which the
limit was more than {oracle.TOLERATED_SHARE:.0%} of memory below that need.
"""


def cost_text(all_groups: list[Group]) -> str:
    rows = columns.cost_rows(all_groups)
    if len(rows) == 1:
        return ""
    return f"""
## The cost of tmmd

{table.markdown_table(rows)}
Shares of one emulated core. It is at least ten times slower than the host's, and
slower still on a busy host, so these are upper bounds. *peak*: maximum of
resident memory.
"""


def text(rows: list[Row], failures: list[Failure], figure_files: list[pathlib.Path], machine: str) -> str:
    all_groups = groups(rows)
    all_verdicts = verdicts(all_groups)
    systems = [system for system in TMMD_SYSTEMS if any(group.system == system for group in all_groups)]
    made = f"""# The coffee break

An owner works, leaves, and returns. A contribution (rendering) starts with the
break, takes the memory that it gets, and goes on after the return. Every run
starts with a boot.

- `none`: no contribution
- `plain`: contribution on an unpatched kernel
- `priority`: patched kernel, transparent contribution, no limits
- `static-25`, `-50`, `-75`: patched kernel, transparent contribution, that
  percentage of memory for the owner
- `tmm`: the same with tmmd as shipped; `tmm-paper`: with `Objective=paper`
- `tmm-beta`, `tmm-stall`: by objectives that are gone
- `tmm-stock`: tmmd on the plain kernel
{machine}
## Results

{table.markdown_table(columns.all_rows(all_groups))}
Medians over the runs. The columns:

- *faults/s*: major faults of the owner's programs after the return, on average;
  for file-read, whose misses are no faults, the pages read from the disk
- *as slowdown*: the paper's arithmetic, {1000 * PAPER_MISS_S:g} ms for each fault; *latency* tells more
- *owner stalled*: share of that time in which some task of the owner waited for
  memory, by PSI
- *owner kept*: the owner's resident memory at the end of the break, of that at its
  begin
- *donated*: the contribution's resident memory at the end of the break; *of
  oracle's*: as a share of the oracle's donation
- *contribution's peak*: its maximum, resident and swapped out
- *break*: length of the break
- *work done*: CPU seconds of the contribution
- *first*: from the return to the end of the first interaction
- *latency*: mean of an interaction after the return (before the break)

## Beside the paper

{table.markdown_table(against_paper(all_groups))}
The paper's numbers are from a real machine of 512 MB, these from an emulated one.
Its counts are comparable; its times compare only with times of the same machine.
{lived_in_text(all_groups)}{decided_text(rows)}{oracle_text(all_groups)}{cost_text(all_groups)}
## To show

{table.words_table(to_show_rows(all_verdicts, systems or ["tmm"]))}
Counts are workloads with their contributions. experiments/00-histogram measures
the error of the curve, and 72 idle hours.

## Aims

```
{chr(10).join(verdict_lines(all_verdicts)) or "no run, no verdict"}
```
(A contribution that does not exceed the machine's memory proves nothing.)
"""
    pictures = [file for file in figure_files if file.suffix == ".png"]
    if pictures:
        made += "\n## Figures\n\n" + "\n".join(f"![{file.stem}]({file.name})\n" for file in pictures)
    if failures:
        lines = (f"- {failure.name}: {failure.message} (files: {failure.folder})\n" for failure in failures)
        made += "\n## Failed runs\n\n" + "".join(lines)
    return wrapped(made)
