#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user nests cgroups. A walk by paths takes a time that grows with the square of the depth."""

import os
import time

from desk import Desk, attack_until_stopped, own_cgroup
from stock import tmm_status

NAME = "tmmd answers beside a chain of 2,000 nested cgroups"
DEPTH = 2000
NR_CALLS = 10


def slowest_answer() -> float:
    """Seconds; the time to start tmmctl is part of it."""
    slowest = 0.0
    for _ in range(NR_CALLS):
        start = time.monotonic()
        assert tmm_status(), "tmmd does not answer"  # before tmmctl has waited for long enough
        slowest = max(slowest, time.monotonic() - start)
        time.sleep(0.5)
    return slowest


def attack(desk: Desk) -> str:
    before = slowest_answer()
    with desk.mallory.attacks(__file__):
        said = f"{before:.2f} s for the slowest of {NR_CALLS} answers before, {slowest_answer():.2f} s under attack"
        return f"{said}\n{desk.protection_stays()}"


def nest() -> None:
    os.chdir(own_cgroup())
    for _ in range(DEPTH):
        os.mkdir("d")
        os.chdir("d")


def remove() -> None:
    for _ in range(DEPTH):
        os.chdir("..")
        os.rmdir("d")


if __name__ == "__main__":
    attack_until_stopped(nest, remove)
