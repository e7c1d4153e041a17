# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is to be run: the parameters of each run and their order."""

import dataclasses
import hashlib
import json

from . import dataset

SYSTEMS = ("none", "plain", "tmm")
WORKLOADS = ("loop", "zipf", "gnuplot")
CUSTOM_WORKLOAD = "custom"
# The working sets as shares of the machine's memory: of 512 MB, about what is opaque in the paper's experiments.
LOOP_SHARE, ZIPF_SHARE, GNUPLOT_SHARE = 0.35, 0.45, 0.35
# What all processes of the contribution need together, as a share of memory.
CONTRIBUTION_SHARE = 1.6
CONTRIBUTION_PROCESSES = 2
SWAP_SHARE = 4

LOG = "--log /results/latencies.csv --ready /run/owner-ready"


@dataclasses.dataclass(frozen=True)
class Run:
    """One boot of one machine. All that changes what is measured is in here, but for the programs themselves."""

    system: str
    workload: str
    run: int
    backing: str
    ram_mb: int
    work_s: int
    break_s: int
    return_s: int
    lru: str
    opaque: str = ""  # a command instead of the workload of that name
    contributor: str = ""  # a command instead of POV-Ray

    @property
    def name(self) -> str:
        return f"{self.workload}-{self.system}-{self.run}"

    @property
    def kernel(self) -> str:
        return "tmm" if self.system == "tmm" else "plain"

    @property
    def seconds(self) -> int:
        return self.work_s + self.break_s + self.return_s

    def key(self, programs: str) -> str:
        """A hash of all parameters and of the programs' hash: a run with the same key need not be repeated."""
        text = json.dumps([dataclasses.asdict(self), owner_command(self), contributor_command(self), programs], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def owner_command(run: Run) -> str:
    """A shell command for the guest."""
    if run.opaque:
        return run.opaque
    if run.workload == "gnuplot":
        points = dataset.points_for(GNUPLOT_SHARE * run.ram_mb)
        return f"exec /opt/tmm/owner-gnuplot --data /opt/tmm/gnuplot.bin --points {points} {LOG}"
    share = {"loop": LOOP_SHARE, "zipf": ZIPF_SHARE}[run.workload]
    return f"exec /opt/tmm/owner-workload --pattern {run.workload} --mb {round(share * run.ram_mb)} {LOG}"


def contributor_command(run: Run) -> str:
    """A shell command for the guest; empty for the system without contribution."""
    if run.system == "none":
        return ""
    return run.contributor or f"exec /opt/tmm/povray-contribution {CONTRIBUTION_PROCESSES}"


def order(runs: list[Run]) -> list[Run]:
    """The systems of one workload next to each other, so that they meet the same load of this machine."""
    systems = {system: i for i, system in enumerate(SYSTEMS)}
    workloads = list(dict.fromkeys(run.workload for run in runs))
    return sorted(runs, key=lambda run: (run.run, workloads.index(run.workload), systems[run.system]))
