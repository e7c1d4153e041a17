#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Resume after idle: an owner leaves, a contribution takes the memory, the owner returns. Which system lets the owner go on at once, and
gives most memory meanwhile? Boots a machine for each system and prints a table. Runs whose programs and parameters are as before are
kept; rows of other systems from earlier calls are not shown. See README.md. Exit status: 0 all ran, 1 a run failed, 2 nothing could be run."""

import argparse
import pathlib
import shlex
import sys
import tempfile

from idle import figure, tables
from idle.systems import PACKAGES, SYSTEMS
from desk import boots, breaks, options, plan, records
from desk.errors import DeskError
from desk.machines import Machines
from gnuplot import GnuplotError

# As packages of Debian, but for the kernel of kernel/build. Debian 12 also has the kernel of Debian 13.
KERNELS = {"debian": "linux-image-amd64", "debian-6.12": "linux-image-6.12-amd64", "own": ""}


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="resume_after_idle.py", description=__doc__)
    add = result.add_argument
    add("--systems", type=options.names(tuple(SYSTEMS)), metavar="NAMES", default=tuple(SYSTEMS), help=f"some of {','.join(SYSTEMS)}; default all")
    add("--workload", choices=plan.SYNTHETIC_WORKLOADS, default="loop", help="the owner's; default loop")
    add("--contribution", choices=plan.CONTRIBUTIONS, default="hog", help="default hog, which writes as fast as it can")
    add("--backing", choices=options.BACKINGS, default="hdd", help="the owner's disk, with swap; default hdd")
    add("--ram", type=options.ram, default=512, metavar="SIZE", help="default 512M")
    add("--work", type=options.whole(1), default=40, metavar="S", help="seconds of work before the break; default 40")
    add("--break", type=options.whole(1), default=60, metavar="S", dest="break_s", help="minimum seconds of the break; default 60")
    add("--max-break", type=options.whole(1), default=options.MAX_BREAK_S, metavar="S", dest="max_break_s",
        help="maximum seconds of the break, which goes on until the contribution has exceeded the machine's memory; "
             f"default {options.MAX_BREAK_S}")
    add("--night", action="store_true",
        help="the time-lapse lasts until the return, so that the break is a night for tmmd; programs and other systems have the seconds alone; "
             "needs a lived-in machine")
    add("--returns", type=options.whole(1), default=1, metavar="N",
        help=f"returns of the owner; those after the first follow breaks of {plan.AGAIN_BREAK_S} s, and tell the time to the first interaction "
             "alone; default 1")
    add("--return", type=options.whole(1), default=60, metavar="S", dest="return_s", help="seconds after it; default 60")
    add("--machine", choices=plan.MACHINES, default=plan.FRESH,
        help="fresh: just booted; lived-in: its memory is full, and tmmd has learned for hours; default fresh")
    add("--past", type=options.whole(1), default=360, metavar="S", dest="past_s",
        help="seconds for which a lived-in machine is used before the work; default 360")
    add("--time-lapse", type=options.whole(1), default=60, metavar="N",
        help="seconds that pass for tmmd in each until the work begins, on a lived-in machine; default 60")
    add("--compressible", type=options.whole(1), nargs="?", const=3, default=1, choices=range(1, 65), metavar="N",
        help="memory of the synthetic programs, the owner's and hog, compresses N to 1: an Nth of each page is random, the rest is zero; "
             "N is at most 64; default 1, and 3 without N")
    add("--lru", choices=("mglru", "classic", "default"), default="default", help="the kernel's page replacement; default: as it was built")
    add("--kernel", choices=tuple(KERNELS), default="debian-6.12",
        help="of all systems but tmm, which needs the patches, and tmm-idle, whose bitmap Debian's lack: debian, that of the host's release; "
             "debian-6.12, that of Debian 13, which Debian 12 has as well; own, that of kernel/build; default debian-6.12")
    add("--programs", type=pathlib.Path, default=pathlib.Path("build"), metavar="DIR", help="meson's build directory; default build")
    add("--kernels", type=pathlib.Path, metavar="DIR", help="folder with plain.bzImage and tmm.bzImage; default: those of kernel/build; goes with --kernel own")
    add("--out", type=pathlib.Path, default=pathlib.Path("out/03-resume-after-idle"), metavar="DIR", help="default out/03-resume-after-idle")
    add("--boots", type=options.whole(1), default=1, metavar="N", help="boots of each system, one of each in turn; default 1")
    add("--renew", action="store_true", help="repeat all runs")
    return result


def run_of(boot: boots.Boot, chosen: argparse.Namespace) -> plan.Run:
    system = SYSTEMS[boot.system]
    is_lived_in = chosen.machine == plan.LIVED_IN
    # Those of kernel/build have the multi-gen LRU off unless the machine switches it on. Debian's 6.12 has it on.
    of_debian = chosen.kernel != "own" and system.base in plan.STOCK_SYSTEMS and not system.needs_own_kernel
    lru = "mglru" if chosen.lru == "default" and not of_debian else chosen.lru
    # What does not compress leaves memory by no way there. If it exceeds what is left, the kernel has to kill.
    may_kill = system.may_kill or chosen.backing == "zram"
    # One that fits into memory pushes nobody out.
    max_break_s = chosen.break_s if system.base == "none" else max(chosen.break_s, chosen.max_break_s)
    return plan.Run(system=system.base, workload=chosen.workload, run=boot.number, backing=chosen.backing, ram_mb=chosen.ram, work_s=chosen.work,
                    break_s=chosen.break_s, max_break_s=max_break_s, return_s=chosen.return_s, lru=lru,
                    contribution="none" if system.base == "none" else chosen.contribution, machine=chosen.machine,
                    past_s=chosen.past_s if is_lived_in else 0, time_lapse=chosen.time_lapse if is_lived_in else 1,
                    debian_kernel=of_debian, setup=system.setup, at_return=system.at_return,
                    # All have the same disk, with the same packages, whether their system uses them or not.
                    packages=(*filter(None, [KERNELS[chosen.kernel]]), *PACKAGES), in_session=system.in_session, may_kill=may_kill,
                    may_free=system.may_free, source=system.source, compressible=chosen.compressible, night=chosen.night, returns=chosen.returns)


def main() -> int:
    chosen = parser().parse_args()
    if chosen.kernels and chosen.kernel != "own":
        parser().error("--kernels goes with --kernel own")
    if chosen.night and chosen.machine != plan.LIVED_IN:
        parser().error("--night needs --machine lived-in: a fresh machine has no time-lapse")
    command = shlex.join(["experiments/03-resume-after-idle/resume_after_idle.py", *sys.argv[1:]])
    planned = boots.in_turn(chosen.systems, chosen.boots)
    runs = {name: run_of(boot, chosen) for name, boot in planned.items()}
    with tempfile.TemporaryDirectory(prefix="tmm-resume-") as work:
        machines = Machines(chosen.programs, pathlib.Path(work), chosen.kernels)
        try:
            machines.check(list(runs.values()))
        except DeskError as error:
            boots.say(f"resume_after_idle.py: {error}")
            return 2
        results, succeeded = boots.boot_all(
            runs, lambda name, run: boots.boot(name, SYSTEMS[planned[name].system].what, run, machines, chosen.out, chosen.renew),
            lambda name, run, folder: breaks.result_of(planned[name].system, run, folder))
    table = tables.text(results, command)
    # Without a run that succeeded nobody has made it.
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "results.csv").write_text(records.csv_text(breaks.Result, results), encoding="utf-8")
    (chosen.out / "table.md").write_text(table, encoding="utf-8")
    try:
        figure.draw_figure(results, chosen.out)
    except GnuplotError as error:
        boots.say(f"resume_after_idle.py: there is no figure: {error}")
    print(table)
    return 0 if succeeded else 1


if __name__ == "__main__":
    sys.exit(main())
