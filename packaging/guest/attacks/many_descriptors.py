#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user's processes hold as many files open as one bound for all users would allow. Each has read enough for tmmd to look at them. They are
not one file: tmmd remembers files, so many descriptors of one would not come back at each look."""

import pathlib
import subprocess

from desk import FOLDER, Desk, attack_until_stopped

NAME = "70 processes with 1,100 open files hide nobody's"
NR_PROCESSES, NR_FILES = 70, 1100
PAGE = 4096


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        return desk.protection_stays()


def start() -> None:
    files = pathlib.Path.home() / "many"
    files.mkdir()
    for number in range(NR_FILES):
        (files / f"{number}").write_bytes(bytes(PAGE))
    subprocess.run([FOLDER / "attacks/processes", str(NR_PROCESSES), str(NR_FILES), files], check=True)


if __name__ == "__main__":
    attack_until_stopped(start)
