#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How far do the sources of samples differ? Boots a machine for each workload, in which the owner works on while tmmd samples from one
source after another, and prints the limit that each led to. Runs whose programs and parameters are as before are kept. See README.md. Exit
status: 0 all ran, 1 a run failed, 2 nothing could be run."""

import argparse
import re
import sys

from turns import report, tables
from turns.turn_machines import SPARE_S, TurnMachines
from desk import boots, options, plan, workloads

KNOWN_SOURCES = ("tmm", "idle", "mglru", "footprint", "none")
# The reference begins and ends: its own difference is the noise.
SOURCES = ("tmm", "idle", "mglru", "footprint", "tmm")
SECONDS = {"s": 1, "min": 60, "h": 3600}


def sources(text: str) -> tuple[str, ...]:
    """An argparse type: in this order, some maybe twice."""
    chosen = tuple(text.split(","))
    unknown = [name for name in chosen if name not in KNOWN_SOURCES]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(map(repr, unknown))}; choose from {', '.join(KNOWN_SOURCES)}")
    return chosen


def span(text: str) -> str:
    """An argparse type: a time as in tmmd.conf(5), from one second on."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}(s|min|h)", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a time: write for example 10min or 20h")
    return text


def seconds_of(text: str) -> int:
    """Of a span."""
    number, unit = re.fullmatch(r"([0-9]+)([a-z]+)", text).groups()
    return int(number) * SECONDS[unit]


def parser() -> argparse.ArgumentParser:
    result = options.parser("sources.py", __doc__, "out/05-sources", backing="nvme")
    add = result.add_argument
    add("--workloads", type=options.names(workloads.SYNTHETIC), metavar="NAMES", default=workloads.SYNTHETIC,
        help=f"the owner's, some of {','.join(workloads.SYNTHETIC)}; default all")
    add("--sources", type=sources, metavar="NAMES", default=SOURCES,
        help=f"some of {','.join(KNOWN_SOURCES)}, in this order and maybe twice; default {','.join(SOURCES)}")
    add("--seconds", type=options.whole(1), default=60, metavar="S", help="of each source's turn; default 60")
    add("--time-lapse", type=options.whole(1), default=60, metavar="N", help="seconds that pass for tmmd in each; default 60")
    add("--break-even", type=span, default="10min", metavar="TIME",
        help="BreakEven of tmmd.conf; with its own default of 20h all that was ever used is kept within such a turn, and sources need tell nothing; "
             "default 10min")
    add("--ram", type=options.ram, default=512, metavar="SIZE", help="default 512M")
    add("--count-instructions", action="store_true",
        help="the machine has one CPU, on which an instruction takes a nanosecond: processor time and turns do not depend on this host, and "
             "idle time passes at once")
    add("--jobs", type=options.whole(1), default=1, metavar="N", help="machines side by side; default 1")
    add("--renew", action="store_true", help="repeat all runs")
    return result


def run_of(workload: str, chosen: argparse.Namespace) -> plan.Run:
    return plan.Run(system="tmm", workload=workload, run=1, backing=chosen.backing, ram_mb=chosen.ram,
                    work_s=len(chosen.sources) * (chosen.seconds + SPARE_S), break_s=0, max_break_s=0, return_s=0, lru="mglru", contribution="none",
                    machine=plan.LIVED_IN, time_lapse=chosen.time_lapse, count_instructions=chosen.count_instructions,
                    source=",".join(chosen.sources))


def main() -> int:
    chosen = parser().parse_args()
    runs = {workload: run_of(workload, chosen) for workload in chosen.workloads}
    status, _ = boots.compare(
        "experiments/05-sources/sources.py", chosen, runs, lambda work: TurnMachines(chosen.programs, work, chosen.break_even),
        report.Result, lambda name, folder: report.results_of(runs[name], seconds_of(chosen.break_even), folder), tables.text, chosen.jobs)
    return status


if __name__ == "__main__":
    sys.exit(main())
