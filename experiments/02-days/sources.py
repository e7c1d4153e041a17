#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How much does tmmd give, and what does the owner wait for it, where the kernel tells less of the use of memory? Simulates all
owners on a machine of 16 GB, and loops on one of 6 GB, with each source, and writes sources.csv and sources.md. Rows that
sources.csv has are kept, unless --fresh. See README.md. Exit status: 0 all ran, 1 a run failed."""

import argparse
import pathlib
import statistics
import sys
import textwrap

from compare import plan, report, results
from compare.runner import Row, Simulator
from days import simulate_all
from desk.boots import say
from desk.errors import DeskError
from desk.report.table import words_table

HERE = pathlib.Path(__file__).resolve().parent
EXACT = "tmm-reuse"
OTHERS = ("tmm-idle", "tmm-mglru", "tmm-footprint")
STATIC = "static-50"
SYSTEMS = (EXACT, *OTHERS, STATIC)
LOOPS_GB = 6


def runs() -> list[plan.Run]:
    return [plan.Run(owner, plan.USUAL_GB, 1, plan.STORES, SYSTEMS) for owner in plan.OWNERS] + \
           [plan.Run(loop, LOOPS_GB, 1, ("nvme",), SYSTEMS) for loop in plan.LOOP_CASES]


def cell(row: Row) -> str:
    return f"{100 * float(row['oracle_share']):.0f} %, {report.number(float(row['waited_s_per_day']))} s"


def table(rows: list[Row]) -> str:
    lines = [[owner, store, *(cell(row) for system in SYSTEMS for row in of if row["system"] == system)]
             for (owner, store), of in results.groups(rows, "owner", "store").items()]
    return words_table([("owner", "store", *SYSTEMS), *lines])


def summary(rows: list[Row], source: str) -> str:
    """Of the owners' weeks."""
    points = [results.points(of) for of in results.groups([row for row in rows if row["owner"] in plan.OWNERS], "owner", "store").values()]
    given = statistics.median(100 * (of[source][0] - of[EXACT][0]) / plan.USUAL_GB for of in points)
    waited = statistics.median(of[source][1] / of[EXACT][1] for of in points)
    worse = sum(results.beats(of[STATIC], of[source]) for of in points)
    text = (f"- `{source}` gives {abs(given):.0f} % of memory {'less' if given < 0 else 'more'} than exact bits, and the owner waits "
            f"{waited:.2f} times as long (medians of {len(points)} cases). `{STATIC}` beats it in {worse}.")
    return textwrap.fill(text, 80, subsequent_indent="  ") + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build", help="folder of the compiled programs (build/)")
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[1] / "out/02-days", help="where the results go (out/02-days/)")
    parser.add_argument("--fresh", action="store_true", help="repeat what the results have")
    chosen = parser.parse_args()
    to = chosen.out / "sources.csv"
    try:
        simulator = Simulator(chosen.build, HERE)
        chosen.out.mkdir(parents=True, exist_ok=True)
        if chosen.fresh:
            to.unlink(missing_ok=True)
        rows = simulate_all(simulator, runs(), to)
    except (DeskError, OSError) as error:
        say(f"sources.py: {error}")
        return 1
    text = "Made by `sources.py`. Each cell: donation as a share of the oracle's at the same\nwaiting, and waiting a day.\n\n" + table(rows) + "\n" + \
           "".join(summary(rows, source) for source in OTHERS)
    (chosen.out / "sources.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
