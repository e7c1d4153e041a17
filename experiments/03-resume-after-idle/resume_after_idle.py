#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Resume after idle: an owner leaves, a contribution takes the memory, the owner returns. Which system lets the owner go on at once, and
gives most memory meanwhile? Boots a machine for each system and prints a table. Runs whose programs and parameters are as before are
kept; rows of other systems from earlier calls are not shown. See README.md. Exit status: 0 all ran, 1 a run failed, 2 nothing could be run."""

import argparse
import pathlib
import sys

from idle import figure, tables
from idle.systems import PACKAGES, SYSTEMS
from desk import boots, options, plan, workloads
from desk.machines import Machines
from desk.report import breaks
from gnuplot import GnuplotError

# As packages of Debian, but for the kernel of kernel/build. Debian 12 also has the kernel of Debian 13.
KERNELS = {"debian": "linux-image-amd64", "debian-6.12": "linux-image-6.12-amd64", "backports": "linux-image-amd64/trixie-backports", "own": ""}


def parser() -> argparse.ArgumentParser:
    result = options.parser("resume_after_idle.py", __doc__, "out/03-resume-after-idle", backing="hdd")
    options.add_break(result, SYSTEMS, ram_mb=512, work_s=40, past_s=360)
    add = result.add_argument
    add("--contribution", choices=tuple(workloads.CONTRIBUTIONS), default="hog", help="default hog, which writes as fast as it can")
    options.add_own_contribution(result, "--contribution")
    add("--max-break", type=options.whole(1), default=options.MAX_BREAK_S, metavar="S", dest="max_break_s",
        help="maximum seconds of the break, which goes on until the contribution has exceeded the machine's memory; "
             f"default {options.MAX_BREAK_S}")
    add("--night", action="store_true",
        help="the time-lapse lasts until the return, so that the break is a night for tmmd; programs and other systems have the seconds alone; "
             "needs a lived-in machine")
    add("--returns", type=options.whole(1), default=1, metavar="N",
        help=f"returns of the owner; those after the first follow breaks of {plan.AGAIN_BREAK_S} s, and tell the time to the first interaction "
             "alone; default 1")
    add("--compressible", type=options.whole(1), nargs="?", const=3, default=1, choices=range(1, 65), metavar="N",
        help="memory of the synthetic programs, the owner's and hog, compresses N to 1: an Nth of each page is random, the rest is zero; "
             "N is at most 64; default 1, and 3 without N")
    add("--lru", choices=("mglru", "classic", "default"), default="default", help="the kernel's page replacement; default: as it was built")
    add("--kernel", choices=tuple(KERNELS), default="debian-6.12",
        help="of all systems but tmm, which needs the patches, and tmm-idle, whose bitmap Debian's lack: debian, that of the host's release; "
             "debian-6.12, that of Debian 13, which Debian 12 has as well; backports, the newest in those of Debian 13; own, that of kernel/build; default debian-6.12")
    add("--kernels", type=pathlib.Path, metavar="DIR", help="folder with plain.bzImage and tmm.bzImage; default: those of kernel/build; goes with --kernel own")
    return result


def run_of(boot: boots.Boot, chosen: argparse.Namespace) -> plan.Run:
    system = SYSTEMS[boot.system]
    # Those of kernel/build have the multi-gen LRU off unless the machine switches it on. Debian's 6.12 has it on.
    of_debian = chosen.kernel != "own" and system.base in plan.STOCK_SYSTEMS and not system.needs_own_kernel
    lru = "mglru" if chosen.lru == "default" and not of_debian else chosen.lru
    # What does not compress leaves memory by no way there. If it exceeds what is left, the kernel has to kill.
    may_kill = system.may_kill or chosen.backing == "zram"
    # One that fits into memory pushes nobody out.
    max_break_s = chosen.break_s if system.base == "none" else max(chosen.break_s, chosen.max_break_s)
    contribution, contributor = (workloads.CUSTOM if chosen.contributor else chosen.contribution), chosen.contributor
    if system.base == "none":
        contribution, contributor = "none", ""
    return plan.Run(system=system.base, run=boot.number, **options.fields_of(chosen), max_break_s=max_break_s, lru=lru,
                    contribution=contribution, contributor=contributor, debian_kernel=of_debian, setup=system.setup,
                    at_return=system.at_return,
                    # All have the same disk, with the same packages, whether their system uses them or not.
                    packages=(*filter(None, [KERNELS[chosen.kernel]]), *PACKAGES), in_session=system.in_session, may_kill=may_kill,
                    may_free=system.may_free, source=system.source, compressible=chosen.compressible, night=chosen.night, returns=chosen.returns)


def main() -> int:
    chosen = parser().parse_args()
    if chosen.kernels and chosen.kernel != "own":
        parser().error("--kernels goes with --kernel own")
    if chosen.night and chosen.machine != plan.LIVED_IN:
        parser().error("--night needs --machine lived-in: a fresh machine has no time-lapse")
    planned = boots.in_turn(chosen.systems, chosen.boots)
    runs = {name: run_of(boot, chosen) for name, boot in planned.items()}
    status, results = boots.compare(
        "experiments/03-resume-after-idle/resume_after_idle.py", chosen, runs,
        lambda work: Machines(chosen.programs, work, chosen.kernels, options.own_files(chosen), tuple(chosen.packages)),
        breaks.Result, lambda name, folder: [breaks.result_of(planned[name].system, runs[name], folder)], tables.text)
    try:
        figure.draw_figure(results, chosen.out)
    except GnuplotError as error:
        boots.say(f"resume_after_idle.py: there is no figure: {error}")
    return status


if __name__ == "__main__":
    sys.exit(main())
