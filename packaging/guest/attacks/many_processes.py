#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user has so many processes that to look at all of them takes longer than to one may. They share one memory, and each shows all of it: added
up it is more than the machine has. Another user's process counted as stuck, and no single program was protected."""

import subprocess

from desk import FOLDER, Desk, attack_until_stopped

NAME = "4,200 idle processes take nobody's protection"
NR_PROCESSES = 4200


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        return desk.protection_stays()


def start() -> None:
    subprocess.run([FOLDER / "attacks/processes", str(NR_PROCESSES)], check=True)


if __name__ == "__main__":
    attack_until_stopped(start)
