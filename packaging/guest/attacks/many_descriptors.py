#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user's processes hold as many files open as one bound for all users would allow. Each has read enough for tmmd to look at it."""

import pathlib
import subprocess

from desk import FOLDER, Desk, attack_until_stopped

NAME = "70 processes with 1,100 descriptors hide nobody's open file"
NR_PROCESSES, NR_DESCRIPTORS = 70, 1100


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        return desk.protection_stays()


def start() -> None:
    file = pathlib.Path.home() / "many"
    file.write_bytes(bytes(1 << 20))
    subprocess.run([FOLDER / "attacks/processes", str(NR_PROCESSES), str(NR_DESCRIPTORS), file], check=True)


if __name__ == "__main__":
    attack_until_stopped(start)
