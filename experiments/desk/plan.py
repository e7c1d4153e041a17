# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The parameters of each run, and the order of the runs."""

import dataclasses
import hashlib
import json
import shlex
import typing

from . import dataset, workloads

# priority: the patched kernel alone. tmm is tmmd with its shipped configuration, tmm-paper with that objective, tmm-stock on the
# unpatched kernel.
PAPER, STOCK = "tmm-paper", "tmm-stock"
# Objectives that are gone: committed results have rows of them, and no run is made.
GONE_SYSTEMS = ("tmm-beta", "tmm-stall")
TMMD_SYSTEMS = ("tmm", PAPER, *GONE_SYSTEMS, STOCK)
ALL_SYSTEMS = ("none", "plain", "priority", "static-25", "static-50", "static-75", *TMMD_SYSTEMS)
SYSTEMS = tuple(system for system in ALL_SYSTEMS if system not in GONE_SYSTEMS)
# Those that need no patch. All of them can run on Debian's own kernel.
STOCK_SYSTEMS = ("none", "plain", STOCK)
DEBIAN = "debian"
STATIC_PERCENT = {f"static-{percent}": percent for percent in (25, 50, 75)}

# lived-in: before the work, memory fills up with files read once, with memory that is left alone, and with the working set in use.
FRESH, LIVED_IN = "fresh", "lived-in"
MACHINES = (FRESH, LIVED_IN)
NOTHING = "nothing"
# nightly: a job of the owner's reads files once; new-program: the owner starts a program beside those in use.
DURING = (NOTHING, "nightly")
ON_RETURN = (NOTHING, "new-program")
# Shares of the machine's memory.
FILES_SHARE, LEFT_SHARE = 0.45, 0.20
NIGHTLY_SHARE = 0.60
NEW_PROGRAM_SHARE = 0.50
# Tabs of the browser that nobody visits again.
LEFT_TABS = 10
# The kernel keeps a few per cent free for itself. With more than 512 MB it also reserves room for huge pages: its lower watermark is
# 5 % then, and the upper one half as much again.
MAX_FREE_SHARE, MAX_FREE_SHARE_WITH_HUGE_PAGES = 0.05, 0.09
HUGE_PAGES_ABOVE_MB = 512

# Touches of an interaction; the oracle counts touches by it.
BATCH_PAGES = 256
# The pause between two of them, as owner-workload has it without an option.
THINK_MS = 20
# A past with a smaller share of the interactions that the pauses alone would allow is that of a starved host.
MIN_PACE_SHARE = 0.25
# Of a shorter one nothing is learned that could be wrong: tests have some seconds, on any host.
MIN_JUDGED_PAST_S = 60
# The idle desktop, which runs through the break: all of its memory once a second.
DESKTOP_MB = 8

# Memory of all processes of the contribution together, as a share of the machine's.
CONTRIBUTION_SHARE = 1.6
SWAP_SHARE = 4
# Of each return after the first. A contribution that lives goes on, and takes again what it can in each break.
AGAIN_BREAK_S, AGAIN_RETURN_S = 10, 4

LOG = "--log /results/latencies.csv --ready /run/owner-ready"


class Situation(typing.NamedTuple):
    """The owner's side of a run. Rows of different situations never share a median."""

    workload: str
    machine: str = FRESH
    during: str = NOTHING
    on_return: str = NOTHING

    @property
    def parts(self) -> list[str]:
        """The workload, and all that is unusual."""
        usual = (FRESH, NOTHING)
        return [self.workload, *(part for part in (self.machine, self.during, self.on_return) if part not in usual)]

    def __str__(self) -> str:
        return ", ".join(part.replace("-program", " program") for part in self.parts)


class OfRun:
    """What a run and its row of results have in common, beside many fields."""

    @property
    def name(self) -> str:
        unusual = [self.contribution] if workloads.is_unusual(self.contribution) else []
        return "-".join([*self.situation.parts, self.system, *unusual, str(self.run)])

    @property
    def situation(self) -> Situation:
        return Situation(self.workload, self.machine, self.during, self.on_return)

    @property
    def conditions(self) -> tuple[str, int, int, int, str]:
        """Results are compared only if these are equal. The maximum of the break is not among them: it changes no valid run."""
        return (self.backing, self.work_s, self.break_s, self.return_s, self.lru)


@dataclasses.dataclass(frozen=True)
class Run(OfRun):
    """One boot of one machine: all parameters of the measurement except the programs."""

    system: str
    workload: str
    run: int
    backing: str
    ram_mb: int
    work_s: int
    break_s: int  # minimum
    max_break_s: int  # without a contribution the same
    return_s: int
    lru: str
    contribution: str = workloads.USUAL_CONTRIBUTION  # 'none' for the system without one
    opaque: str = ""  # a command instead of the workload of that name
    contributor: str = ""  # a command instead of the contribution of that name
    count_instructions: bool = False  # one CPU, on which an instruction takes a nanosecond
    record: bool = False  # tmmd also writes a trace of the owner's memory
    machine: str = FRESH
    past_s: int = 0  # seconds of use before the work; a freshly booted machine has none
    time_lapse: int = 1  # seconds that pass for tmmd in each, until the work begins
    during: str = NOTHING
    on_return: str = NOTHING
    diary: str = ""  # which application is used when; else all in turn
    debian_kernel: bool = False  # Debian's own instead of one of kernel/build
    # Shell commands of a system that is tried: before the owner's programs start, and when the owner is back.
    setup: str = ""
    at_return: str = ""
    packages: tuple[str, ...] = ()  # of Debian; one of them is the kernel if debian_kernel
    in_session: bool = False  # systemd boots the machine, and systemd-oomd watches the scenario's cgroup as that of a session
    may_kill: bool = False  # the system may end the owner's programs and the contribution
    may_free: bool = False  # the system frees memory before anybody wants it
    source: str = ""  # of tmmd's samples; empty: the best that the kernel has
    compressible: int = 1  # an Nth of each page of owner-workload is random, the rest is zero
    night: bool = False  # the time-lapse ends at the return in place of the work's begin
    returns: int = 1  # those after the first tell the time to the first interaction alone

    @property
    def kernel(self) -> str:
        if self.debian_kernel:
            return DEBIAN
        return "plain" if self.system in STOCK_SYSTEMS else "tmm"

    @property
    def uses_tmmd(self) -> bool:
        return self.system in TMMD_SYSTEMS

    @property
    def sets_limits(self) -> bool:
        return self.uses_tmmd or self.system in STATIC_PERCENT

    @property
    def lived_in(self) -> bool:
        return self.machine == LIVED_IN

    @property
    def min_seconds(self) -> int:
        again_s = (self.returns - 1) * (AGAIN_BREAK_S + AGAIN_RETURN_S)
        return self.past_s + self.work_s + self.break_s + self.return_s + again_s

    @property
    def max_seconds(self) -> int:
        return self.min_seconds - self.break_s + self.max_break_s

    def key(self, programs: str) -> str:
        """A hash of all parameters and of the programs' hash. A run with the same key need not be repeated."""
        text = json.dumps([dataclasses.asdict(self), owner_command(self), contributor_command(self), programs], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def span_text(run: Run) -> str:
    """The time that a run takes, without the boot and the end."""
    longer = f", at most {run.max_seconds} s" if run.max_seconds > run.min_seconds else ""
    return f"{run.min_seconds} s{longer}"


def synthetic_options(run: Run) -> str:
    """Options of owner-workload, also for the oracle; empty for other than synthetic workloads."""
    workload = workloads.workload_of(run.workload)
    if run.opaque or not workload.touches:
        return ""
    return f"{workload.touches} --mb {round(workload.share * run.ram_mb)} --batch {BATCH_PAGES}"


def contents_option(run: Run) -> str:
    """Empty for random contents."""
    return f" --compressible {run.compressible}" if run.compressible > 1 else ""


def owner_command(run: Run) -> str:
    """A shell command for the guest."""
    if run.opaque:
        return run.opaque
    workload = workloads.workload_of(run.workload)
    left = f" --left-tabs {LEFT_TABS}" if run.lived_in or run.diary else ""
    day = left + (f" --diary {shlex.quote(run.diary)}" if run.diary else "")
    mb = workload.share * run.ram_mb
    return workload.command.format(mb=round(mb), points=dataset.points_for(mb), touches=synthetic_options(run), contents=contents_option(run),
                                   day=day, log=LOG)


def signals_ready(run: Run) -> bool:
    return not run.opaque and workloads.workload_of(run.workload).signals_ready


def contributor_command(run: Run) -> str:
    """A shell command for the guest; empty for the system without contribution."""
    if run.system == "none":
        return ""
    if run.contributor:
        return run.contributor
    command = workloads.contribution_of(run.contribution).command
    return command.format(mb=round(CONTRIBUTION_SHARE * run.ram_mb), contents=contents_option(run))


def left_command(run: Run) -> str:
    """A program that fills memory, says so, and then does nothing; empty for a freshly booted machine."""
    if not run.lived_in:
        return ""
    mb = round(LEFT_SHARE * run.ram_mb)
    return f"exec /opt/tmm/owner-workload --mb {mb} --batch 1 --think-ms 3600000 --seed 8{contents_option(run)} --ready /run/left-ready"


def new_program_command(run: Run) -> str:
    """A program that the owner starts at the return; empty without one."""
    if run.on_return == NOTHING:
        return ""
    mb = round(NEW_PROGRAM_SHARE * run.ram_mb)
    return f"exec /opt/tmm/owner-workload --mb {mb} --batch {BATCH_PAGES} --seed 9{contents_option(run)} --log /results/new-latencies.csv"
