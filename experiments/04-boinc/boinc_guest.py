#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""BOINC as a guest: an owner leaves, a BOINC client's tasks take the memory that they get, the owner returns. Which preferences, or TMM,
let the owner go on at once, and get most science done? Boots a machine for each system and prints a table. Runs whose programs and
parameters are as before are kept. See README.md. Exit status: 0 all ran, 1 a run failed, 2 nothing could be run."""

import argparse
import pathlib
import shlex
import sys
import tempfile

from science import project, report
from science.systems import PACKAGES, SYSTEMS, TMM_SYSTEMS
from desk import boots, options, plan, records
from desk.errors import DeskError
from desk.machines import Machines

DEBIAN_KERNEL = "linux-image-6.12-amd64"
HERE = pathlib.Path(__file__).resolve().parent
TASK, TMM_BOINC = "experiments/04-boinc/science_task", "boinc-adapter/app/tmm-boinc"
CONTRIBUTION = "exec /opt/tmm/boinc-contribution"


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="boinc_guest.py", description=__doc__)
    add = result.add_argument
    add("--systems", type=options.names(tuple(SYSTEMS)), metavar="NAMES", default=tuple(SYSTEMS), help=f"some of {','.join(SYSTEMS)}; default all")
    add("--workload", choices=plan.SYNTHETIC_WORKLOADS, default="loop", help="the owner's; default loop")
    add("--backing", choices=options.BACKINGS, default="nvme", help="the owner's disk, with swap; default nvme")
    add("--ram", type=options.ram, default=1024, metavar="SIZE", help="the tasks' sizes are shares of it; default 1G")
    add("--work", type=options.whole(1), default=30, metavar="S", help="seconds of work before the break; default 30")
    add("--break", type=options.whole(1), default=60, metavar="S", dest="break_s", help="seconds of the break; default 60")
    add("--return", type=options.whole(1), default=60, metavar="S", dest="return_s", help="seconds after it; default 60")
    add("--on-return", choices=plan.ON_RETURN, default=plan.NOTHING,
        help="new-program: the owner starts a second program of 50 %% of memory when back; default nothing")
    add("--machine", choices=plan.MACHINES, default=plan.FRESH,
        help="fresh: just booted; lived-in: its memory is full, and tmmd has learned for hours; default fresh")
    add("--past", type=options.whole(1), default=240, metavar="S", dest="past_s",
        help="seconds for which a lived-in machine is used before the work; default 240")
    add("--time-lapse", type=options.whole(1), default=60, metavar="N",
        help="seconds that pass for tmmd in each until the work begins, on a lived-in machine; default 60")
    add("--programs", type=pathlib.Path, default=pathlib.Path("build"), metavar="DIR", help="meson's build directory; default build")
    add("--out", type=pathlib.Path, default=pathlib.Path("out/04-boinc"), metavar="DIR", help="default out/04-boinc")
    add("--boots", type=options.whole(1), default=1, metavar="N", help="boots of each system, one of each in turn; default 1")
    add("--renew", action="store_true", help="repeat all runs")
    return result


def run_of(boot: boots.Boot, chosen: argparse.Namespace) -> plan.Run:
    system = SYSTEMS[boot.system]
    is_lived_in = chosen.machine == plan.LIVED_IN
    of_debian = system.base in plan.STOCK_SYSTEMS
    gives = system.base != "none"
    return plan.Run(system=system.base, workload=chosen.workload, run=boot.number, backing=chosen.backing, ram_mb=chosen.ram, work_s=chosen.work,
                    break_s=chosen.break_s, max_break_s=chosen.break_s, return_s=chosen.return_s,
                    # A patched kernel is of kernel/build, where the multi-gen LRU is off unless the machine switches it on.
                    lru="default" if of_debian else "mglru", contribution=plan.CUSTOM if gives else "none",
                    contributor=CONTRIBUTION if gives else "", on_return=chosen.on_return, machine=chosen.machine,
                    past_s=chosen.past_s if is_lived_in else 0, time_lapse=chosen.time_lapse if is_lived_in else 1, debian_kernel=of_debian,
                    setup=system.setup, packages=(DEBIAN_KERNEL, *PACKAGES))


def guest_files(chosen: argparse.Namespace, work: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """DeskError: a program is not built."""
    programs = [chosen.programs / name for name in (TASK, *([TMM_BOINC] if set(chosen.systems) & set(TMM_SYSTEMS) else []))]
    missing = [str(path) for path in programs if not path.is_file()]
    if missing:
        raise DeskError(f"not built: {', '.join(missing)}; they need libboinc-app-dev, libpugixml-dev and libmd-dev")
    project.write(work / "boinc-data", programs[0], chosen.ram)
    # Python may have left a folder of compiled code there.
    scripts = [path for path in sorted((HERE / "guest").iterdir()) if path.is_file()]
    return (work / "boinc-data", *programs[1:], *scripts, HERE.parents[1] / "dbus/org.transparentmemory.Tmm1.conf")


def main() -> int:
    chosen = parser().parse_args()
    command = shlex.join(["experiments/04-boinc/boinc_guest.py", *sys.argv[1:]])
    planned = boots.in_turn(chosen.systems, chosen.boots)
    runs = {name: run_of(boot, chosen) for name, boot in planned.items()}
    with tempfile.TemporaryDirectory(prefix="tmm-boinc-") as work:
        try:
            machines = Machines(chosen.programs, pathlib.Path(work), more=guest_files(chosen, pathlib.Path(work)))
            machines.check(list(runs.values()))
        except DeskError as error:
            boots.say(f"boinc_guest.py: {error}")
            return 2
        results, succeeded = boots.boot_all(
            runs, lambda name, run: boots.boot(name, SYSTEMS[planned[name].system].what, run, machines, chosen.out, chosen.renew),
            lambda name, run, folder: report.result_of(planned[name].system, run, folder))
    table = report.text(results, command)
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "results.csv").write_text(records.csv_text(report.Result, results), encoding="utf-8")
    (chosen.out / "table.md").write_text(table, encoding="utf-8")
    print(table)
    return 0 if succeeded else 1


if __name__ == "__main__":
    sys.exit(main())
