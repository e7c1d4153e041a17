#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Who gives most of an owner's memory for the least waiting? Simulates the days of owners with TMM and its peers and writes
results.csv, a figure and report.md. Rows that results.csv has are kept, unless --fresh. See README.md. Exit status: 0 all ran, 1 a
run failed. Missed aims do not count."""

import argparse
import pathlib
import shlex
import sys

from compare import figures, plan, report, results
from compare.runner import Row, Simulator
from desk.boots import say
from desk.errors import DeskError
from gnuplot import GnuplotError, draw

HERE = pathlib.Path(__file__).resolve().parent


def is_of(row: Row, run: plan.Run) -> bool:
    return (row["owner"], float(row["memory_mb"]), int(row["seed"])) == (run.owner, run.memory_gb * 1024, run.seed)


def simulate_all(simulator: Simulator, runs: list[plan.Run], table: pathlib.Path) -> list[Row]:
    """Writes the table after each run, so that a call that was interrupted goes on."""
    rows = results.read(table) if table.exists() else []
    for run in runs:
        if any(is_of(row, run) for row in rows):
            continue
        say(run.name)
        rows += simulator.rows(run)
        results.write(table, rows)
    return [row for run in runs for row in rows if is_of(row, run)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build", help="folder of the compiled programs (build/)")
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[1] / "out/02-days", help="where the results go (out/02-days/)")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--quick", action="store_true", help="two short runs, some seconds")
    shape.add_argument("--full", action="store_true", help="all owners, machines, stores and systems (default)")
    parser.add_argument("--seeds", type=int, default=1, help="weeks of each owner (1)")
    parser.add_argument("--owners", help="only these, separated by commas")
    parser.add_argument("--memory", help="only machines of so many GB, separated by commas; without the cases of 512 MB")
    parser.add_argument("--fresh", action="store_true", help="repeat what the results have")
    chosen = parser.parse_args()
    runs = plan.quick() if chosen.quick else plan.full(chosen.seeds)
    if chosen.owners:
        runs = [run for run in runs if run.owner in chosen.owners.split(",")]
    if chosen.memory:
        runs = [run for run in runs if f"{run.memory_gb:g}" in chosen.memory.split(",")]
    if not runs:
        parser.error("no run is left")
    table = chosen.out / "results.csv"
    try:
        simulator = Simulator(chosen.build, HERE)
        chosen.out.mkdir(parents=True, exist_ok=True)
        if chosen.fresh or chosen.quick:
            table.unlink(missing_ok=True)
        rows = simulate_all(simulator, runs, table)
        usual = [row for row in results.weeks(rows) if float(row["memory_mb"]) == plan.USUAL_GB * 1024]
        owners = tuple(owner for owner in plan.OWNERS if any(row["owner"] == owner for row in usual))
        drawn = []
        if usual:
            drawn = draw(figures.front_script(usual, owners, plan.STORES), chosen.out / "front", 320 * len(owners) + 80, 1200)
    except (DeskError, GnuplotError, OSError) as error:
        say(f"days.py: {error}")
        return 1
    command = shlex.join(["days.py", *("--quick" if chosen.quick else "--full",), f"--seeds={chosen.seeds}",
                          *([f"--owners={chosen.owners}"] if chosen.owners else []), *([f"--memory={chosen.memory}"] if chosen.memory else [])])
    text = report.text(rows, command, [path.name for path in drawn])
    (chosen.out / "report.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
