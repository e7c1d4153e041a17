#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A process has so many descriptors that to list them takes memory of the kernel: 900 bytes for each."""

import os
import pathlib
import threading

from desk import MB, TMMD_CGROUP, Desk, attack_until_stopped
from stock import text

NAME = "200,000 duplicates of a descriptor take no memory of the kernel in tmmd"
NR_DUPLICATES = 200_000
MAX_GROWTH = 16 * MB


def slab_bytes() -> int:
    return next(int(line.split()[1]) for line in text(TMMD_CGROUP / "memory.stat").splitlines() if line.startswith("slab "))


def attack(desk: Desk) -> str:
    before = slab_bytes()
    largest = before
    done = threading.Event()

    def watch() -> None:
        nonlocal largest
        while not done.wait(0.1):
            largest = max(largest, slab_bytes())

    watcher = threading.Thread(target=watch)
    with desk.mallory.attacks(__file__):
        watcher.start()
        try:
            note = desk.protection_stays()
        finally:
            done.set()
            watcher.join()
    said = f"slab of tmmd's unit: {before / MB:.1f} MiB before, {largest / MB:.1f} MiB at most"
    assert largest <= before + MAX_GROWTH, said
    return f"{note}\n{said}"


def duplicate() -> None:
    path = pathlib.Path.home() / "duplicates"
    path.write_bytes(bytes(4 * MB))
    file = os.open(path, os.O_RDONLY)
    os.pread(file, 4 * MB, 0)
    for _ in range(NR_DUPLICATES):
        os.dup(file)


if __name__ == "__main__":
    attack_until_stopped(duplicate)
