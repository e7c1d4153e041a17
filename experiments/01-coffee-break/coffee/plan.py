# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The parameters of each run, and the order of the runs."""

import dataclasses
import hashlib
import json

from . import dataset

# tmm is tmmd with its shipped configuration; the last two name their objective.
SYSTEMS = ("none", "plain", "static-25", "static-50", "static-75", "tmm", "tmm-beta", "tmm-stall")
QUICK_SYSTEMS = ("none", "plain", "tmm")
FULL_SYSTEMS = tuple(system for system in SYSTEMS if system != "tmm")
TMMD_SYSTEMS = ("tmm", "tmm-beta", "tmm-stall")
STATIC_PERCENT = {f"static-{percent}": percent for percent in (25, 50, 75)}

# The working set of synthetic workloads is known exactly. The paper's small and medium run on a desktop; its large is gnuplot.
SYNTHETIC_WORKLOADS = ("loop", "zipf", "phases", "forgotten", "file-read", "file-map")
DESKTOP_WORKLOADS = ("small", "medium")
WORKLOADS = (*SYNTHETIC_WORKLOADS, *DESKTOP_WORKLOADS, "gnuplot")
DEFAULT_WORKLOADS = ("loop", "zipf", "gnuplot")
QUICK_WORKLOADS = ("loop", "gnuplot")
CUSTOM = "custom"

# The working sets as shares of the machine's memory. Of 512 MB they are about the opaque memory of the paper's experiments, with a
# smaller and a larger one.
SHARES = {"loop": 0.35, "zipf": 0.45, "phases": 0.60, "forgotten": 0.70, "file-read": 0.20, "file-map": 0.35, "gnuplot": 0.35}
# The loop over a part takes some seconds, so that the break finds the other part unused for a while.
PHASES = "--parts 2 --rounds 4"
# A loop over one half that never comes to the other.
FORGOTTEN = f"--parts 2 --rounds {2**24}"
OWNER_FILE = "/root/owner-file"
# Touches of an interaction; the oracle counts touches by it.
BATCH_PAGES = 256
# The idle desktop, which runs through the break: all of its memory once a second.
DESKTOP_MB = 8

# povray: rendering, as in the paper; hog: the worst case, writes all of its memory in turn as fast as it can.
CONTRIBUTIONS = ("povray", "hog")
# Workloads beside which --full also runs the hog.
HOG_WORKLOADS = ("loop", "zipf")
# Memory of all processes of the contribution together, as a share of the machine's.
CONTRIBUTION_SHARE = 1.6
CONTRIBUTION_PROCESSES = 2
SWAP_SHARE = 4

LOG = "--log /results/latencies.csv --ready /run/owner-ready"


def run_name(workload: str, system: str, contribution: str, number: int) -> str:
    return f"{workload}-{system}{'-hog' if contribution == 'hog' else ''}-{number}"


@dataclasses.dataclass(frozen=True)
class Run:
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
    contribution: str = "povray"  # 'none' for the system without one
    opaque: str = ""  # a command instead of the workload of that name
    contributor: str = ""  # a command instead of the contribution of that name
    count_instructions: bool = False  # one CPU, on which an instruction takes a nanosecond
    record: bool = False  # tmmd also writes a trace of the owner's memory

    @property
    def name(self) -> str:
        return run_name(self.workload, self.system, self.contribution, self.run)

    @property
    def kernel(self) -> str:
        return "plain" if self.system in ("none", "plain") else "tmm"

    @property
    def uses_tmmd(self) -> bool:
        return self.system in TMMD_SYSTEMS

    @property
    def conditions(self) -> tuple[str, int, int, int, str]:
        """Results are compared only if these are equal; see Row.conditions."""
        return (self.backing, self.work_s, self.break_s, self.return_s, self.lru)

    @property
    def min_seconds(self) -> int:
        return self.work_s + self.break_s + self.return_s

    @property
    def max_seconds(self) -> int:
        return self.work_s + self.max_break_s + self.return_s

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
    if run.opaque or run.workload not in SYNTHETIC_WORKLOADS:
        return ""
    kind = {"phases": f"--pattern phases {PHASES}", "forgotten": f"--pattern phases {FORGOTTEN}",
            "file-read": f"--pattern zipf --memory file-read --file {OWNER_FILE}",
            "file-map": f"--pattern zipf --memory file-map --file {OWNER_FILE}"}.get(run.workload, f"--pattern {run.workload}")
    return f"{kind} --mb {round(SHARES[run.workload] * run.ram_mb)} --batch {BATCH_PAGES}"


def owner_command(run: Run) -> str:
    """A shell command for the guest."""
    if run.opaque:
        return run.opaque
    if run.workload == "gnuplot":
        points = dataset.points_for(SHARES["gnuplot"] * run.ram_mb)
        return f"exec /opt/tmm/owner-gnuplot --data /opt/tmm/gnuplot.bin --points {points} {LOG}"
    if run.workload in DESKTOP_WORKLOADS:
        return f"exec /opt/tmm/owner-desktop {run.workload} {LOG}"
    return f"exec /opt/tmm/owner-workload {synthetic_options(run)} {LOG}"


def contributor_command(run: Run) -> str:
    """A shell command for the guest; empty for the system without contribution."""
    if run.system == "none":
        return ""
    if run.contributor:
        return run.contributor
    if run.contribution == "hog":
        mb = round(CONTRIBUTION_SHARE * run.ram_mb)
        return f"exec /opt/tmm/owner-workload --pattern loop --mb {mb} --batch 65536 --think-ms 0 --write-every 1 --seed 7"
    return f"exec /opt/tmm/povray-contribution {CONTRIBUTION_PROCESSES}"


def order(runs: list[Run]) -> list[Run]:
    """Puts the systems of one workload next to each other, so that they meet the same load of the host."""
    systems = {system: i for i, system in enumerate(SYSTEMS)}
    workloads = list(dict.fromkeys(run.workload for run in runs))
    return sorted(runs, key=lambda run: (run.run, workloads.index(run.workload), run.contribution == "hog", systems[run.system]))
