# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's accounts of tmmd and its helpers."""

import dataclasses
import pathlib
import re

from desk.errors import DeskError
from desk.report.records import read_text

TICKS_PER_S = 100  # USER_HZ, the same on all of Linux's machines but one
KIB_PER_MB = 1024
# Fields of /proc/PID/stat after the name: utime, stime, and those of children that have ended.
CPU_FIELDS = slice(11, 15)


@dataclasses.dataclass(frozen=True)
class Accounts:
    """Of all processes together. Resident memory counts a page once for each process, pss once in all."""

    processes: int
    cpu_s: float
    rss_mb: float
    pss_mb: float


def cpu_s_of(stat: str) -> float:
    # The name may have blanks and brackets.
    ticks = stat.rpartition(")")[2].split()[CPU_FIELDS]
    if len(ticks) != 4 or not all(field.isdigit() for field in ticks):
        raise ValueError("not a line of /proc/PID/stat")
    return sum(map(int, ticks)) / TICKS_PER_S


def kib_of(name: str, text: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    if not found:
        raise ValueError(f"no line '{name}'")
    return int(found[1])


def of_folder(folder: pathlib.Path) -> Accounts:
    """folder has one for each process. DeskError: there is none, or a file is damaged."""
    cpu_s = rss_mb = pss_mb = 0.0
    processes = sorted(path for path in folder.glob("*") if path.is_dir())
    for process in processes:
        try:
            cpu_s += cpu_s_of(read_text(process / "stat"))
            rss_mb += kib_of("VmRSS", read_text(process / "status")) / KIB_PER_MB
            pss_mb += kib_of("Pss", read_text(process / "smaps_rollup")) / KIB_PER_MB
        except ValueError as error:
            raise DeskError(f"{process}: {error}") from error
    if not processes:
        raise DeskError(f"{folder}: no process of tmmd")
    return Accounts(len(processes), cpu_s, rss_mb, pss_mb)
