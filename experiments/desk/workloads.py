# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the owner does, and what contributes. To add one, add an entry: README.md, "Add a workload".

Commands are bash, run as root in the guest, whose tools are in /opt/tmm. In them {mb} and {points} stand for the share of memory, in MB
and in points of gnuplot; {log} for the options by which a program logs its interactions and says that it is loaded; {contents} for how
well the memory of owner-workload compresses; {day} for what owner-desktop does beside its user's work."""

import dataclasses
import pathlib
from collections.abc import Callable

from . import dataset

OWNER_FILE = "/root/owner-file"


@dataclasses.dataclass(frozen=True)
class Workload:
    """Has touches or a command. share: of the machine's memory, which it uses."""

    share: float = 0.0
    # Options of owner-workload. Its touches depend on the seed alone, so the oracle can repeat them.
    touches: str = ""
    command: str = "exec /opt/tmm/owner-workload {touches}{contents} {log}"
    desktop: bool = False  # needs a display: a larger machine and root file system
    files: tuple[str, ...] = ()  # files and folders of guest/ that no other workload needs
    data: Callable[[pathlib.Path, float], None] | None = None  # makes further files in that folder; gets the share in MB
    packages: tuple[str, ...] = ()  # of Debian

    @property
    def signals_ready(self) -> bool:
        """Whether it says that it is loaded."""
        return "{log}" in self.command


@dataclasses.dataclass(frozen=True)
class Contribution:
    """{mb} is the memory of all its processes together."""

    command: str
    packages: tuple[str, ...] = ()  # of Debian


def gnuplot_data(folder: pathlib.Path, mb: float) -> None:
    dataset.make_data(folder / "gnuplot.bin", dataset.points_for(mb))


DESKTOP = {"desktop": True, "files": ("owner-desktop", "desktop")}
# The shares of 512 MB are about the opaque memory of the paper's experiments, with a smaller and a larger one. The paper's small and
# medium run on a desktop; its large is gnuplot.
WORKLOADS = {
    "loop": Workload(0.35, "--pattern loop"),
    "zipf": Workload(0.45, "--pattern zipf"),
    # The loop over a part takes some seconds, so that the break finds the other part unused for a while.
    "phases": Workload(0.60, "--pattern phases --parts 2 --rounds 4"),
    # A loop over one half that never comes to the other.
    "forgotten": Workload(0.70, f"--pattern phases --parts 2 --rounds {2**24}"),
    "file-read": Workload(0.20, f"--pattern zipf --memory file-read --file {OWNER_FILE}"),
    "file-map": Workload(0.35, f"--pattern zipf --memory file-map --file {OWNER_FILE}"),
    "small": Workload(command="exec /opt/tmm/owner-desktop small{day} {log}", **DESKTOP),
    "medium": Workload(command="exec /opt/tmm/owner-desktop medium{day} {log}", **DESKTOP),
    "gnuplot": Workload(0.35, command="exec /opt/tmm/owner-gnuplot --data /opt/tmm/gnuplot.bin --points {points} {log}", data=gnuplot_data),
}
SYNTHETIC = tuple(name for name, workload in WORKLOADS.items() if workload.touches)
DESKTOPS = tuple(name for name, workload in WORKLOADS.items() if workload.desktop)

CONTRIBUTION_PROCESSES = 2
# The first, rendering as in the paper, is the usual one.
CONTRIBUTIONS = {
    "povray": Contribution(f"exec /opt/tmm/povray-contribution {CONTRIBUTION_PROCESSES}"),
    # The worst case writes all of its memory in turn as fast as it can.
    "hog": Contribution("exec /opt/tmm/owner-workload --pattern loop --mb {mb} --batch 65536 --think-ms 0 --write-every 1 --seed 7"
                        "{contents}"),
}
USUAL_CONTRIBUTION = next(iter(CONTRIBUTIONS))
# What an experiment or a user gives in place of an entry.
CUSTOM = "custom"
NO_WORKLOAD, NO_CONTRIBUTION = Workload(command=""), Contribution("")


def workload_of(name: str) -> Workload:
    return WORKLOADS.get(name, NO_WORKLOAD)


def contribution_of(name: str) -> Contribution:
    return CONTRIBUTIONS.get(name, NO_CONTRIBUTION)


def is_unusual(contribution: str) -> bool:
    """Whether names of runs tell it."""
    return contribution in CONTRIBUTIONS and contribution != USUAL_CONTRIBUTION


def place_of(workload: str) -> int:
    """In the table; one that is not there, such as of earlier results, comes last."""
    return list(WORKLOADS).index(workload) if workload in WORKLOADS else len(WORKLOADS)
