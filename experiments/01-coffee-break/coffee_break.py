#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The coffee break experiment, see --help and README.md. Exit status: 0 all runs succeeded and the contribution exceeded the
machine's memory where there was one; 1 a run failed or it did not; 2 the experiment could not begin. Missed aims do not count."""

import os
import pathlib
import platform
import sys
import tempfile

from coffee import figures, guest, metrics, options, report, samples, summary, table
from coffee.errors import CoffeeError
from coffee.plan import Run
from coffee.results import Results
from coffee.runner import Failure, execute_all


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def machine_text(runs: list[Run], jobs: int) -> str:
    """Markdown list items about where and how."""
    run = runs[0]
    lines = [
        f"- machine: QEMU emulation, {guest.CPUS} CPUs, {run.ram_mb} MB, disk and swap: {run.backing}, "
        f"page replacement: {run.lru}; {jobs} at a time on a host with {os.cpu_count()} CPUs "
        f"({platform.machine()}, Linux {platform.release()})",
        f"- work {run.work_s} s, break {run.break_s} s, return {run.return_s} s",
    ]
    commands = (("owner", run.opaque), ("contribution", runs[-1].contributor))
    lines += [f"- {name}: `{command}`" for name, command in commands if command]
    return "\n".join(lines) + "\n"


def draw_figures(rows: list[metrics.Row], out: pathlib.Path) -> list[pathlib.Path]:
    if not rows:
        return []
    row = rows[0]
    machine = f"{row.ram_mb} MB, {row.backing}, break of {row.break_s} s"
    span = f"{machine}, first {row.return_s} s after the return"
    files = figures.draw(figures.figure2_script(summary.groups(rows), span), out / "figure2", 900, 560)
    shown = next((row for row in rows if row.system == "tmm"), None)
    if shown:
        folder = out / "runs" / f"{shown.workload}-tmm-{shown.run}"
        recorded = samples.parse_samples(metrics.read_text(folder / "samples.csv"), str(folder / "samples.csv"))
        script = figures.figure5_script(recorded, metrics.read_decisions(folder), f"{machine}, workload {shown.workload}")
        files += figures.draw(script, out / "figure5", 1000, 560)
    return files


def conclude(results: Results, runs: list[Run], failures: list[Failure], out: pathlib.Path, jobs: int) -> bool:
    """Figures, report and table. True: every run succeeded, and the contribution was as large as it must be."""
    files = draw_figures(results.rows, out)
    report.write_report(out / "report.md", results.rows, failures, files, machine_text(runs, jobs))
    groups = summary.groups(results.rows)
    if groups:
        print(table.plain_table(table.all_rows(groups)))
        print("\n".join(report.verdict_lines(summary.verdicts(groups))))
    print(f"\nreport: {out / 'report.md'}", *(f"figure: {file}" for file in files), sep="\n")
    for failure in failures:
        say(f"FAILED: {failure.run.name}: {failure.message}; its files are in {failure.folder}")
    too_small = [group for group in groups if group.system != "none" and not summary.exceeded(group).met]
    for group in too_small:
        say(f"not valid: {group.workload}: {summary.exceeded(group).aim}: {summary.exceeded(group).text}")
    return not failures and not too_small


def main() -> int:
    chosen = options.complete(options.parser().parse_args())
    runs = options.runs_of(chosen)
    if chosen.list:
        print("\n".join(f"{run.name}: {run.ram_mb} MB, {run.backing}, {run.seconds} s" for run in runs))
        return 0
    chosen.out.mkdir(parents=True, exist_ok=True)
    results = Results(chosen.out / "results.csv")
    with tempfile.TemporaryDirectory(prefix="tmm-coffee-break-") as work:
        rig = guest.Guest(chosen.programs, pathlib.Path(work))
        try:
            rig.check(runs)
            if not chosen.fresh:
                results.load()
            hashes = {(run.system, run.workload): "" for run in runs}
            for run in runs:
                hashes[run.system, run.workload] = hashes[run.system, run.workload] or rig.prepare(run)
            keyed = [(run, run.key(hashes[run.system, run.workload])) for run in runs]
            keys = [key for _, key in keyed]
            results.keep(keys)
            failures = execute_all(keyed, results, lambda run: chosen.out / "runs" / run.name, rig.execute, chosen.jobs, say)
            results.keep(keys)
            valid = conclude(results, runs, failures, chosen.out, chosen.jobs)
        except CoffeeError as error:
            say(f"coffee_break.py: {error}")
            return 2
        except KeyboardInterrupt:
            say("interrupted: the same call goes on from here")
            return 130
    return 0 if valid else 1


if __name__ == "__main__":
    sys.exit(main())
