#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The coffee break experiment: see --help and README.md. Exit status: 0 all runs succeeded and every contribution exceeded the
machine's memory; 1 a run failed or a contribution did not; 2 the experiment could not begin. Missed aims do not count."""

import argparse
import pathlib
import platform
import shlex
import sys
import tempfile

from coffee import columns, figures, options, report, summary, verdicts
from coffee.results import Results
from desk import boots, plan, workloads
from desk.errors import DeskError
from desk.machines import CPUS, Machines
from desk.options import own_files
from desk.plan import Run
from desk.report import metrics, recorder_rows, table
from gnuplot import GnuplotError, draw
from vm.settings import host_cpus


def longer_text(runs: list[Run]) -> str:
    """Tells whether breaks may be longer than the minimum, and why."""
    max_break_s = max(run.max_break_s for run in runs)
    return f", until the contribution has exceeded memory, at most {max_break_s} s" if max_break_s > runs[0].break_s else ""


def machine_text(runs: list[Run], rows: list[metrics.Row], jobs: int) -> str:
    """Markdown list items about the machines of these runs, and of earlier calls whose rows are in the results."""
    run = runs[0]
    workloads_of: dict[int, list[str]] = {}
    for ram_mb, workload in dict.fromkeys((one.ram_mb, one.workload) for one in [*summary.groups(rows), *runs]):
        workloads_of.setdefault(ram_mb, []).append(workload)
    sizes = "; ".join(f"{ram_mb} MB ({', '.join(workloads)})" for ram_mb, workloads in workloads_of.items())
    lines = [
        f"- machines: QEMU emulation, {CPUS} CPUs; {sizes}; disk and swap: {run.backing}, "
        f"page replacement: {run.lru}; {jobs} at a time on a host with {host_cpus()} CPUs "
        f"({platform.machine()}, Linux {platform.release()})",
        f"- work {run.work_s} s, break at least {run.break_s} s{longer_text(runs)}, return {run.return_s} s",
    ]
    lines.append(f"- last command: `{shlex.join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])}`")
    lives = {(one.past_s, one.time_lapse) for one in [*rows, *runs] if one.machine == plan.LIVED_IN}
    lines += [f"- lived-in: {past_s} s of use before the work; in it {time_lapse} s passed for tmmd in each second"
              for past_s, time_lapse in sorted(lives)]
    commands = (("owner", run.opaque), ("contribution", runs[-1].contributor))
    lines += [f"- {name}: `{command}`" for name, command in commands if command]
    return "\n".join(lines) + "\n"


def timeline_figure(rows: list[metrics.Row], out: pathlib.Path) -> list[pathlib.Path]:
    """Draws the first run with tmmd whose files still belong to its row."""
    for row in rows:
        folder = out / "runs" / row.name
        if row.system in plan.TMMD_SYSTEMS and boots.folder_key(folder) == row.key:
            recorded = recorder_rows.of_folder(folder)
            title = f"{row.ram_mb} MB, {row.backing}, break of {row.break_taken_s:.0f} s, run {row.name}"
            script = figures.figure5_script(recorded, metrics.read_decisions(folder), title)
            return draw(script, out / "figure5", 1000, 560)
    return []


def draw_figures(rows: list[metrics.Row], out: pathlib.Path) -> list[pathlib.Path]:
    if not rows:
        return []
    row = rows[0]
    span = f"{row.backing}, {summary.breaks_text(rows)}, first {row.return_s} s after the return"
    groups = summary.groups(rows)
    width = figures.bars_width(groups)
    files = draw(figures.faults_script(groups, figures.MEAN, span), out / "figure2", width, 560)
    files += draw(figures.faults_script(groups, figures.WORST, span), out / "figure3", width, 560)
    if any(group.contribution != "none" for group in groups):
        script = figures.donation_script(groups, f"{row.backing}, {summary.breaks_text(rows)}")
        files += draw(script, out / "figure4", width, 560)
    return files + timeline_figure(rows, out)


def conclude(results: Results, runs: list[Run], failures: list[boots.Failure], out: pathlib.Path, jobs: int) -> bool:
    """Writes figures, report and table. True: every run succeeded, and every contribution exceeded memory."""
    files = draw_figures(results.rows, out)
    text = report.text(results.rows, failures, files, machine_text(runs, results.rows, jobs))
    (out / "report.md").write_text(text, encoding="utf-8")
    groups = summary.groups(results.rows)
    if groups:
        print(table.plain_table(columns.all_rows(groups)))
        print("\n".join(report.verdict_lines(verdicts.verdicts(groups))))
    print(f"\nreport: {out / 'report.md'}", *(f"figure: {file}" for file in files), sep="\n")
    for failure in failures:
        boots.say(str(failure))
    too_small = [group for group in groups if group.system != "none" and not verdicts.exceeded(group).met]
    for group in too_small:
        boots.say(f"not valid: {group.case}: {verdicts.exceeded(group).aim}: {verdicts.exceeded(group).text}")
    return not failures and not too_small


def done_text(row: metrics.Row) -> str:
    donated = "" if row.system == "none" else f", {row.donated_mb:.0f} MB donated"
    return f"{row.faults_mean:.2f} faults/s{donated}"


def belongs(row: metrics.Row, chosen: argparse.Namespace, run: Run) -> bool:
    """Whether an earlier row belongs to the results of a call with these options and this run among others: same conditions, and
    no commands or diary of the user."""
    ram_mb = options.ram_of(chosen, row.workload)
    past = (chosen.past_s, chosen.time_lapse) if row.machine == plan.LIVED_IN else (0, 1)
    is_custom = workloads.CUSTOM in (row.workload, row.contribution) or chosen.diary
    return (*row.conditions, row.ram_mb, row.past) == (*run.conditions, ram_mb, past) and not is_custom


def main() -> int:
    chosen = options.complete(options.parser().parse_args())
    runs = {run.name: run for run in options.runs_of(chosen)}
    if not runs:
        boots.say(f"coffee_break.py: no run has a name like '{chosen.only}': see --list without --only")
        return 2
    if chosen.list:
        print("\n".join(f"{run.name}: {run.ram_mb} MB, {run.backing}, {plan.span_text(run)}" for run in runs.values()))
        return 0
    planned = list(runs.values())
    chosen.out.mkdir(parents=True, exist_ok=True)
    results = Results(chosen.out / "results.csv")
    with tempfile.TemporaryDirectory(prefix="tmm-coffee-break-") as work:
        machines = Machines(chosen.programs, pathlib.Path(work), chosen.kernels, own_files(chosen), tuple(chosen.packages))
        try:
            machines.check(planned)
            results.load(renew=chosen.fresh)
            keys = boots.keys_of(runs, machines)
            results.select(list(keys.values()), lambda row: belongs(row, chosen, planned[0]))
            _, failures = boots.boot_all(
                runs, keys, machines, chosen.out, lambda name, folder: metrics.row_of(runs[name], folder, keys[name]), renew=chosen.fresh,
                jobs=chosen.jobs, known=results.with_key, keep=results.add, text_of=done_text)
            results.select(list(keys.values()), lambda row: belongs(row, chosen, planned[0]))
            valid = conclude(results, planned, failures, chosen.out, chosen.jobs)
        except (DeskError, GnuplotError) as error:
            boots.say(f"coffee_break.py: {error}")
            return 2
        except KeyboardInterrupt:
            boots.say("interrupted: the same call goes on from here")
            return 130
    return 0 if valid else 1


if __name__ == "__main__":
    sys.exit(main())
