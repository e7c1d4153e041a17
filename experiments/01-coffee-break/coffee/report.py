# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: what was run, what came out, what the paper says, and what that means for the aims."""

import pathlib

from . import oracle, table
from .metrics import Row
from .plan import TMMD_SYSTEMS
from .runner import Failure
from .summary import PAPER_MISS_S, Group, groups
from .verdicts import MIN_DONATED_MB, TO_SHOW, Verdict, verdicts


def verdict_lines(all_verdicts: list[Verdict]) -> list[str]:
    words = {True: "met", False: "MISSED", None: "not tested"}
    return [f"{words[verdict.met]:<10}  {verdict.case}: {verdict.aim}: {verdict.text}" for verdict in all_verdicts]


def against_paper(all_groups: list[Group]) -> list[tuple[str, ...]]:
    """The paper's numbers beside ours, which are the largest over the workloads as well."""

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
    """How many of the verdicts are good, and what the others say."""
    judged = [verdict for verdict in chosen if verdict.met is not None]
    if not judged:
        return "not run"
    missed = "; ".join(f"{verdict.case}: {verdict.text}" for verdict in judged if not verdict.met)
    text = f"{sum(bool(verdict.met) for verdict in judged)} of {len(judged)}"
    return f"{text}; missed: {missed}" if missed else f"{text}; {closest(judged)}"


def closest(judged: list[Verdict]) -> str:
    """An example, where all is well."""
    return f"as {judged[0].case}: {judged[0].text}"


def to_show_rows(all_verdicts: list[Verdict], systems: list[str]) -> list[tuple[str, ...]]:
    """What this experiment is to show, for each system with tmmd: the aim, its limit, and how often it was met."""
    rows = [TO_SHOW_HEADER]
    for system in systems:
        for topic, (what, reach) in TO_SHOW.items():
            chosen = [verdict for verdict in all_verdicts if verdict.topic == topic and verdict.system == system]
            rows.append((f"{what} ({system})", reach, result_text(chosen)))
    return rows


def oracle_text(all_groups: list[Group]) -> str:
    rows = table.oracle_rows(all_groups)
    if len(rows) == 1:
        return ""
    return f"""
## Beside the oracle

{table.markdown_table(rows)}
The oracle knows the exact miss curve (Mattson's stack distances) of a synthetic workload and takes the least opaque memory for
which the system's objective holds on it (that of beta for static limits), and the idle desktop's. It does not know what the rest
of the system needs. *limit too low*: share of the time, from the first limit that was learned on, in which the limit was more
than {oracle.TOLERATED_SHARE:.0%} of memory below that need.
"""


def cost_text(all_groups: list[Group]) -> str:
    rows = table.cost_rows(all_groups)
    if len(rows) == 1:
        return ""
    return f"""
## What tmmd costs

{table.markdown_table(rows)}
Shares of one core, an emulated one, which is ten times and more slower than the host's, and slower still where the host is busy:
upper bounds. *peak*: most that was resident.
"""


def write_report(path: pathlib.Path, rows: list[Row], failures: list[Failure], figure_files: list[pathlib.Path],
                 machine: str) -> None:
    all_groups = groups(rows)
    all_verdicts = verdicts(all_groups)
    systems = [system for system in TMMD_SYSTEMS if any(group.system == system for group in all_groups)]
    text = f"""# The coffee break

An owner works, leaves, and returns. From the begin of the break a contribution (rendering) takes what memory it gets, and goes on
when the owner is back. Every run starts with a boot.

- systems: `none` without contribution; `plain` with contribution on an unpatched kernel; on the patched kernel, with contribution
  marked as transparent: `static-25`, `-50`, `-75` with a limit for the owner that does not move, in percent of memory; `tmm` with
  tmmd as shipped; `tmm-beta`, `tmm-stall` with tmmd and the objective of that name
{machine}
## Results

{table.markdown_table(table.all_rows(all_groups))}
Medians over the runs. *faults/s*: major faults of the owner's programs in the time after the return, on average; for file-read,
whose misses are no faults, the pages that it had read from the disk.
*as slowdown*: the paper's arithmetic, {1000 * PAPER_MISS_S:g} ms for each fault; times here say more, see *latency*. *owner
stalled*: share of that time in which some task of the owner waited for memory, as PSI counts it. *owner kept*: resident at the
end of the break, of what was resident at its begin. *donated*: resident of the contribution at the end of the break; *of
oracle's*: as a share of the best possible. *contribution's peak*: most that it had, resident and swapped out. *break*: how long it lasted. *work done*: CPU
seconds that it computed. *first*: from the return to the end of the first interaction. *latency*: mean of an interaction after
the return, and before the break.

## Beside the paper

{table.markdown_table(against_paper(all_groups))}
The paper's numbers are from a real machine of 512 MB; these from an emulated one, in which counts mean what they say and
times only compare with times of the same machine.
{oracle_text(all_groups)}{cost_text(all_groups)}
## To show

{table.words_table(to_show_rows(all_verdicts, systems or ["tmm"]))}
Counts are workloads with their contributions. The curve's own error and 72 idle hours are experiments/00-histogram's.

## Aims

```
{chr(10).join(verdict_lines(all_verdicts)) or "no run, no verdict"}
```
(donated: at least {MIN_DONATED_MB:g} MB; a contribution that does not exceed the memory of the machine proves nothing)
"""
    pictures = [file for file in figure_files if file.suffix == ".png"]
    if pictures:
        text += "\n## Figures\n\n" + "\n".join(f"![{file.stem}]({file.name})\n" for file in pictures)
    if failures:
        lines = (f"- {failure.run.name}: {failure.message} (files: {failure.folder})\n" for failure in failures)
        text += "\n## Failed runs\n\n" + "".join(lines)
    path.write_text(text, encoding="utf-8")
