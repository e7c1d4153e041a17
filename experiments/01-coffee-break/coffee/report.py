# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: what was run, what came out, what the paper says, and what that means for the aims."""

import pathlib

from . import table
from .runner import Failure
from .summary import LEAST_DONATED_MB, PAPER_MISS_S, Group, Verdict, groups, verdicts
from .metrics import Row


def verdict_lines(all_verdicts: list[Verdict]) -> list[str]:
    words = {True: "met", False: "MISSED", None: "not tested"}
    return [f"{words[verdict.met]:<10}  {verdict.workload}: {verdict.aim}: {verdict.text}" for verdict in all_verdicts]


def against_paper(all_groups: list[Group]) -> list[tuple[str, ...]]:
    """The paper's numbers beside ours, which are the largest over the workloads as well."""

    def worst(system: str, pick, form: str) -> str:
        values = [pick(group) for group in all_groups if group.system == system]
        return format(max(values), form) if values else "not run"

    tmm_donated = [group.donated_mb for group in all_groups if group.system == "tmm"]
    donated = f"{min(tmm_donated):.0f} to {max(tmm_donated):.0f} MB" if tmm_donated else "not run"
    return [
        ("in the first minute after the return", "paper", "here"),
        ("faults/s, plain kernel, worst workload", "190", worst("plain", lambda group: group.faults_mean, ".1f")),
        ("faults/s, TMM, worst workload", "6.8", worst("tmm", lambda group: group.faults_mean, ".2f")),
        ("as slowdown, plain kernel", "50 %", worst("plain", lambda group: group.slowdown, ".1%")),
        ("as slowdown, TMM", "1.7 %", worst("tmm", lambda group: group.slowdown, ".1%")),
        ("donated by TMM", "hundreds of MB of 512", donated),
    ]


def write_report(path: pathlib.Path, rows: list[Row], failures: list[Failure], figure_files: list[pathlib.Path],
                 machine: str) -> None:
    all_groups = groups(rows)
    text = f"""# The coffee break

An owner works, leaves, and returns. From the begin of the break a contribution (rendering) takes what memory it gets, and goes on
when the owner is back. Every run starts with a boot.

- systems: `none` without contribution; `plain` with contribution on an unpatched kernel; `tmm` with contribution marked as
  transparent, on the patched kernel, with tmmd
{machine}
## Results

{table.markdown_table(table.all_rows(all_groups))}
Medians over the runs. *faults/s*: major faults of the owner's programs in the time after the return, on average.
*as slowdown*: the paper's arithmetic, {1000 * PAPER_MISS_S:g} ms for each fault; times here say more, see *latency*. *owner
stalled*: share of that time in which some task of the owner waited for memory, as PSI counts it. *owner kept*: resident at the
end of the break, of what was resident at its begin. *donated*: resident of the contribution at the end of the break.
*contribution's peak*: most that it had, resident and swapped out. *latency*: mean of an interaction after the return, and before the break.

## Beside the paper

{table.markdown_table(against_paper(all_groups))}
The paper's numbers are from a real machine of 512 MB; these from an emulated one, in which counts mean what they say and
times only compare with times of the same machine.

## Aims

```
{chr(10).join(verdict_lines(verdicts(all_groups))) or "no run, no verdict"}
```
(donated: at least {LEAST_DONATED_MB:g} MB; a contribution that does not exceed the memory of the machine proves nothing)
"""
    pictures = [file for file in figure_files if file.suffix == ".png"]
    if pictures:
        text += "\n## Figures\n\n" + "\n".join(f"![{file.stem}]({file.name})\n" for file in pictures)
    if failures:
        lines = (f"- {failure.run.name}: {failure.message} (files: {failure.folder})\n" for failure in failures)
        text += "\n## Failed runs\n\n" + "".join(lines)
    path.write_text(text, encoding="utf-8")
