# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line."""

import argparse
import fnmatch
import itertools
import pathlib

from desk import plan, workloads
from desk.guest.desktop import diary
from desk.options import BACKINGS, MAX_BREAK_S, add_own_contribution, add_own_owner, names, ram, whole
from desk.plan import Run
from vm.settings import host_cpus

DESCRIPTION = """The coffee break: an owner works, leaves for a break, and returns, while a contribution takes the idle machine's
memory. Counts the owner's page faults a second in the first minute after the return: without contribution (none), with
contribution on a plain kernel (plain), on the patched kernel without limits (priority), with fixed limits (static-25, -50, -75:
percent of memory for the owner), and with TMM (tmm: as shipped; tmm-paper: with Objective=paper; tmm-stock: on an unpatched kernel)."""
OUT = pathlib.Path("out/01-coffee-break")
QUICK_SYSTEMS = ("none", "plain", "tmm")
LIVED_IN_SYSTEMS = ("none", "plain", "priority", "tmm")
FULL_SYSTEMS = tuple(system for system in plan.SYSTEMS if system != plan.STOCK)
QUICK_WORKLOADS = ("loop", "gnuplot")
DEFAULT_WORKLOADS = ("loop", "zipf", "gnuplot")
# Those beside which --full also runs the hog.
HOG_WORKLOADS = ("loop", "zipf")
# Has all applications that a diary can name.
DIARY_WORKLOAD = "medium"
PATCHED = "patched"
# On two cores two machines lose nothing side by side; a third uses the time in which those wait for their disks.
QUICK_JOBS = 3


def diary_text(text: str) -> str:
    """An argparse type: checked here, since the guest would find a mistake after its boot."""
    try:
        diary.parse(text)
    except diary.DiaryError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="coffee_break.py", description=DESCRIPTION, allow_abbrev=False)
    add = result.add_argument
    size = result.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true",
                      help="loop and gnuplot, once, a break of at least 90 s: below 12 minutes on 2 idle cores")
    size.add_argument("--full", action="store_true",
                      help="all systems and workloads, 5 boots each, at least the paper's break of 300 s: two days, in pieces if you like")
    add("--kernel", choices=(PATCHED, plan.DEBIAN), default=PATCHED,
        help="patched: each system has its kernel, made by kernel/build; debian: all have Debian's own, and no kernel is built; "
             "default patched")
    add("--systems", type=names(plan.SYSTEMS), metavar="NAMES",
        help=f"some of {','.join(plan.SYSTEMS)}; default {','.join(QUICK_SYSTEMS)}, with lived-in "
             f"{','.join(LIVED_IN_SYSTEMS)}, with --full all but {plan.STOCK}; with --kernel debian {','.join(plan.STOCK_SYSTEMS)}")
    add("--workloads", type=names(workloads.WORKLOADS), metavar="NAMES",
        help=f"some of {','.join(workloads.WORKLOADS)}; default {','.join(DEFAULT_WORKLOADS)}, with --full all")
    add("--contributions", type=names(workloads.CONTRIBUTIONS), metavar="NAMES",
        help="povray (the paper's), hog (the worst case), or both; default povray, with --full also hog beside "
             f"{' and '.join(HOG_WORKLOADS)}")
    add("--only", metavar="PATTERN", help="only runs whose name matches, for example 'zipf-*-hog-*'; see --list")
    add("--runs", type=whole(1), metavar="N", help="boots of each; default 1, with --full 5")
    add("--machine", type=names(plan.MACHINES), metavar="NAMES", default=(plan.FRESH,),
        help="fresh: just booted; lived-in: its memory is full, and tmmd has learned for hours; or both; default fresh")
    add("--past", type=whole(1), metavar="S", default=360, dest="past_s",
        help="seconds for which a lived-in machine is used before the work; default 360")
    add("--time-lapse", type=whole(1), metavar="N", default=60,
        help="seconds that pass for tmmd in each until the work begins, on a lived-in machine; default 60")
    add("--during", choices=plan.DURING, default=plan.NOTHING,
        help="nightly: in the break a job of the owner's reads files of 60 percent of memory once")
    add("--on-return", choices=plan.ON_RETURN, default=plan.NOTHING,
        help="new-program: the owner comes back and starts a program of 50 percent of memory")
    add("--backing", choices=BACKINGS, default="hdd", help="the owner's disk; default hdd, the paper's 2.5 ms a request")
    add("--ram", type=ram, default=512, metavar="SIZE", help="the machine's memory; default 512M, the paper's")
    add("--desktop-ram", type=ram, default=2048, metavar="SIZE", help="the same for the workloads small and medium; default 2G")
    add("--work", type=whole(1), metavar="S", help="seconds of work before the break; default 60, with --quick 40")
    add("--break", type=whole(1), metavar="S", dest="break_s",
        help="minimum seconds of the break; default 120, with --quick 90, with --full 300")
    add("--max-break", type=whole(1), metavar="S", dest="max_break_s",
        help="maximum seconds of the break, which goes on until the contribution has exceeded the machine's memory; default "
             f"{MAX_BREAK_S}, with --break the same as the minimum, so that all breaks have one length")
    add("--return", type=whole(1), metavar="S", dest="return_s", default=60, help="seconds after the return; default 60")
    add("--lru", choices=("mglru", "classic", "default"),
        help="the kernel's page replacement; default: as it was built; default mglru, with --kernel debian default")
    add("--jobs", type=whole(1), metavar="N", help=f"machines side by side; default one for two cores, with --quick {QUICK_JOBS}")
    add("--diary", type=diary_text, metavar="TEXT",
        help="of medium: which application is used for how many minutes of the work, for example 'browser 7, away 4, office 3'; others "
             "do not start; the browser has ten more tabs that nobody visits again; applications: " + ", ".join(diary.APPLICATIONS))
    add_own_owner(result, "--workloads")
    add_own_contribution(result, "--contributions")
    add("--count-instructions", action="store_true",
        help="the machine has one CPU, on which an instruction takes a nanosecond: the cost of tmmd does not depend on this host, "
             "and idle time passes at once")
    add("--record", action="store_true",
        help="with tmmd also write runs/NAME/trace for tmm-replay: the use of the owner's pages over time, with hashed names")
    add("--programs", type=pathlib.Path, metavar="DIR", default=pathlib.Path("build"),
        help="meson's build directory; default build")
    add("--kernels", type=pathlib.Path, metavar="DIR",
        help="folder with plain.bzImage and tmm.bzImage; default: those of kernel/build")
    add("--out", type=pathlib.Path, metavar="DIR",
        help=f"default {OUT}, with --full {OUT / 'full'}, with --count-instructions {OUT / 'instructions'}, with --diary {OUT / 'diary'}")
    add("--list", action="store_true", help="only list the runs")
    add("--fresh", action="store_true", help="repeat even runs whose parameters and programs are the same as before")
    return result


def complete(options: argparse.Namespace) -> argparse.Namespace:
    """Fills in the defaults that depend on --quick and --full."""

    def default(name: str, quick: object, ordinary: object, full: object) -> None:
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else full if options.full else ordinary)

    of_debian = options.kernel == plan.DEBIAN
    if of_debian:
        options.systems = options.systems or plan.STOCK_SYSTEMS
        options.out = options.out or OUT / "debian"
        needs_patches = [system for system in options.systems if system not in plan.STOCK_SYSTEMS]
        if needs_patches or options.kernels:
            parser().error(f"--kernel debian runs {', '.join(plan.STOCK_SYSTEMS)}, and does not go with --kernels")
    options.lru = options.lru or ("default" if of_debian else "mglru")
    few = LIVED_IN_SYSTEMS if plan.LIVED_IN in options.machine else QUICK_SYSTEMS
    default("systems", few, few, FULL_SYSTEMS)
    default("workloads", QUICK_WORKLOADS, DEFAULT_WORKLOADS, tuple(workloads.WORKLOADS))
    if options.count_instructions:
        # Its seconds compare with no others.
        default("out", *[OUT / "instructions"] * 3)
    if options.diary:
        # Rows of other days do not compare with it.
        default("out", *[OUT / "diary"] * 3)
        if options.workloads != (DIARY_WORKLOAD,):
            parser().error(f"--diary: its applications are those of --workloads {DIARY_WORKLOAD}")
    default("out", OUT, OUT, OUT / "full")
    default("runs", 1, 1, 5)
    default("work", 40, 60, 60)
    if options.max_break_s is None:
        options.max_break_s = options.break_s or MAX_BREAK_S
    default("break_s", *[min(break_s, options.max_break_s) for break_s in (90, 120, 300)])
    if options.max_break_s < options.break_s:
        parser().error(f"--max-break {options.max_break_s} is shorter than --break {options.break_s}")
    half = max(1, host_cpus() // 2)
    default("jobs", max(QUICK_JOBS, half), half, half)
    if options.opaque:
        options.workloads = (workloads.CUSTOM,)
    return options


def in_order(runs: list[Run]) -> list[Run]:
    """Puts the systems of one workload next to each other, so that they meet the same load of the host."""
    systems = {system: i for i, system in enumerate(plan.ALL_SYSTEMS)}
    situations = list(dict.fromkeys(run.situation for run in runs))
    return sorted(runs, key=lambda run: (run.run, situations.index(run.situation), workloads.is_unusual(run.contribution), systems[run.system]))


def contributions_of(options: argparse.Namespace, workload: str) -> tuple[str, ...]:
    if options.contributor:
        return (workloads.CUSTOM,)
    if options.contributions:
        return options.contributions
    return tuple(workloads.CONTRIBUTIONS) if options.full and workload in HOG_WORKLOADS else (workloads.USUAL_CONTRIBUTION,)


def ram_of(options: argparse.Namespace, workload: str) -> int:
    return options.desktop_ram if workload in workloads.DESKTOPS else options.ram


def runs_of(options: argparse.Namespace) -> list[Run]:
    runs = []
    choices = itertools.product(range(1, options.runs + 1), options.machine, options.workloads, options.systems)
    for number, machine, workload, system in choices:
        lived_in = machine == plan.LIVED_IN
        for contribution in ("none",) if system == "none" else contributions_of(options, workload):
            runs.append(Run(
                system=system, workload=workload, run=number, backing=options.backing, ram_mb=ram_of(options, workload),
                work_s=options.work, break_s=options.break_s,
                max_break_s=options.break_s if system == "none" else options.max_break_s, return_s=options.return_s,
                lru=options.lru, contribution=contribution, opaque=options.opaque, diary=options.diary or "",
                contributor=options.contributor if system != "none" else "", count_instructions=options.count_instructions,
                record=options.record and system in plan.TMMD_SYSTEMS, machine=machine,
                past_s=options.past_s if lived_in else 0, time_lapse=options.time_lapse if lived_in else 1,
                during=options.during, on_return=options.on_return, debian_kernel=options.kernel == plan.DEBIAN))
    return in_order([run for run in runs if not options.only or fnmatch.fnmatchcase(run.name, options.only)])
