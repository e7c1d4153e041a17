#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""BOINC as a guest: an owner leaves, a BOINC client's tasks take the memory that they get, the owner returns. Which preferences, or TMM,
let the owner go on at once, and get most science done? Boots a machine for each system and prints a table. Runs whose programs and
parameters are as before are kept. See README.md. Exit status: 0 all ran, 1 a run failed, 2 nothing could be run."""

import argparse
import pathlib
import sys

from science import project, report
from science.systems import PACKAGES, SYSTEMS, TMM_SYSTEMS
from desk import boots, options, plan, programs, workloads
from desk.machines import Machines

DEBIAN_KERNEL = "linux-image-6.12-amd64"
HERE = pathlib.Path(__file__).resolve().parent
TASK, TMM_BOINC = "experiments/04-boinc/science_task", "boinc-adapter/app/tmm-boinc"
CONTRIBUTION = "exec /opt/tmm/boinc-contribution"


def parser() -> argparse.ArgumentParser:
    result = options.parser("boinc_guest.py", f"{__doc__} The tasks' sizes are shares of --ram.", "out/04-boinc", backing="nvme")
    options.add_break(result, SYSTEMS, ram_mb=1024, work_s=30, past_s=240)
    result.add_argument("--task", type=options.program, metavar="PROGRAM",
                        help="the tasks' program in place of science_task; its argument is the memory of the task in MB; it tells no steps")
    result.add_argument("--on-return", choices=plan.ON_RETURN, default=plan.NOTHING,
                        help="new-program: the owner starts a second program of 50 %% of memory when back; default nothing")
    return result


def run_of(boot: boots.Boot, chosen: argparse.Namespace) -> plan.Run:
    system = SYSTEMS[boot.system]
    of_debian = system.base in plan.STOCK_SYSTEMS
    gives = system.base != "none"
    # A patched kernel is of kernel/build, where the multi-gen LRU is off unless the machine switches it on.
    return plan.Run(system=system.base, run=boot.number, **options.fields_of(chosen), max_break_s=chosen.break_s,
                    lru="default" if of_debian else "mglru", contribution=workloads.CUSTOM if gives else "none",
                    contributor=CONTRIBUTION if gives else "", on_return=chosen.on_return, debian_kernel=of_debian,
                    setup=system.setup, packages=(DEBIAN_KERNEL, *PACKAGES))


def guest_files(chosen: argparse.Namespace, work: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """DeskError: a program is not built."""
    wanted = [*([] if chosen.task else [TASK]), *([TMM_BOINC] if set(chosen.systems) & set(TMM_SYSTEMS) else [])]
    found = programs.built(chosen.programs, wanted, "they need libboinc-app-dev and libmd-dev")
    task, *others = [*([chosen.task] if chosen.task else []), *found]
    project.write(work / "boinc-data", task, chosen.ram)
    # Python may have left a folder of compiled code there.
    scripts = [path for path in sorted((HERE / "guest").iterdir()) if path.is_file()]
    return (work / "boinc-data", *others, *scripts, *options.own_files(chosen), HERE.parents[1] / "dbus/org.transparentmemory.Tmm1.conf")


def main() -> int:
    chosen = parser().parse_args()
    planned = boots.in_turn(chosen.systems, chosen.boots)
    runs = {name: run_of(boot, chosen) for name, boot in planned.items()}
    status, _ = boots.compare(
        "experiments/04-boinc/boinc_guest.py", chosen, runs,
        lambda work: Machines(chosen.programs, work, more=guest_files(chosen, work), packages=tuple(chosen.packages)), report.Result,
        lambda name, folder: [report.result_of(planned[name].system, runs[name], folder, has_steps=not chosen.task)], report.text)
    return status


if __name__ == "__main__":
    sys.exit(main())
