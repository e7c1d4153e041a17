#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user has as many processes as one bound for all users would allow, with lower numbers than the victim's."""

import subprocess

from desk import FOLDER, Desk, attack_until_stopped

NAME = "4,200 idle processes hide nobody's open file"
NR_PROCESSES = 4200


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        return desk.protection_stays()


def start() -> None:
    subprocess.run([FOLDER / "attacks/processes", str(NR_PROCESSES)], check=True)


if __name__ == "__main__":
    attack_until_stopped(start)
