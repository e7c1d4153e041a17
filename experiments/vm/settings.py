# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the settings of a machine: sizes, disks, page replacement."""

import dataclasses
import os
import re

from .errors import KitError

# Less is used up by the kernel and the guest's init.
MIN_RAM_MB = 128
# default: as the kernel was built.
LRUS = ("mglru", "classic", "default")


@dataclasses.dataclass(frozen=True)
class Backing:
    """The owner's one disk, with the root file system and the swap space. A latency is that of a request of any size."""

    name: str
    latency_us: int
    rotational: bool
    swap_on_zram: bool = False

    @property
    def serial(self) -> bool:
        """A disk with one arm serves one request at a time."""
        return self.rotational


BACKINGS = {
    backing.name: backing
    for backing in (
        Backing("hdd", 2500, rotational=True),  # the disk of the paper's measurements
        Backing("sata", 150, rotational=False),
        Backing("nvme", 90, rotational=False),
        Backing("zram", 90, rotational=False, swap_on_zram=True),
        Backing("instant", 0, rotational=False),  # only the emulation's latency: for tests that do not depend on it
    )
}


def backing_named(name: str) -> Backing:
    if name not in BACKINGS:
        raise KitError(f"unknown backing '{name}': choose one of {', '.join(BACKINGS)}")
    return BACKINGS[name]


def host_cpus() -> int:
    """The processors that this process may use; taskset and containers may leave it fewer than there are."""
    return len(os.sched_getaffinity(0))


def size_mb(text: str) -> int:
    """'512', '512M' and '2G' in MB (of 2^20 bytes)."""
    match = re.fullmatch(r"([0-9]{1,9})([MG]?)", text.strip().upper())
    if not match:
        raise KitError(f"'{text}' is not a size: write for example 512M or 2G")
    return int(match[1]) * (1024 if match[2] == "G" else 1)


def check_machine(ram_mb: int, cpus: int, swap_mb: int, lru: str, timeout_s: float) -> None:
    if ram_mb < MIN_RAM_MB:
        raise KitError(f"{ram_mb} MB of RAM are too little: at least {MIN_RAM_MB} MB")
    if not 1 <= cpus <= 64:
        raise KitError(f"{cpus} CPUs: choose 1 to 64")
    if swap_mb < 0:
        raise KitError(f"{swap_mb} MB of swap: choose 0 (none) or more")
    if lru not in LRUS:
        raise KitError(f"unknown LRU '{lru}': choose one of {', '.join(LRUS)}")
    if timeout_s <= 0:
        raise KitError(f"a timeout of {timeout_s} s: choose more than 0")
