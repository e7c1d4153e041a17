#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user has so many processes that to look at all of them takes longer than to one may. Another user's process then counted as stuck. In this
machine they also take so much memory of the kernel that tmmd keeps all for the owner: it shows no need of single programs."""

import subprocess

from desk import FOLDER, MIN_KEPT, Desk, attack_until_stopped, eventually

NAME = "tmmd looks on beside 4,200 idle processes"
NR_PROCESSES = 4200


def attack(desk: Desk) -> str:
    problems = ""

    def looked() -> bool:
        nonlocal problems
        problems += desk.problems() + "\n"
        return f"not all programs of user {desk.mallory.uid} are looked at" in problems or "takes its place" in problems

    with desk.mallory.attacks(__file__):
        eventually(looked, "tmmd looks at the processes", desk.state)
        desk.keeps_sampling(problems)
        programs = desk.reader.parent
        kept, usage = desk.protected(programs), desk.usage(programs)
        note = f"{desk.note()}\n{problems}"
        assert kept >= MIN_KEPT * usage, f"{usage} bytes are used\n{note}"
        return note


def start() -> None:
    subprocess.run([FOLDER / "attacks/processes", str(NR_PROCESSES)], check=True)


if __name__ == "__main__":
    attack_until_stopped(start)
