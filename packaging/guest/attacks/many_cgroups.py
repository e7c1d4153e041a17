#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user has as many cgroups as one bound for all users would allow, and they come first in each order."""

from desk import Desk, attack_until_stopped, own_cgroup

NAME = "4,100 empty cgroups take nobody's protection"
NR_CGROUPS = 4100


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        return desk.protection_stays()


def make() -> None:
    for number in range(NR_CGROUPS):
        (own_cgroup() / f"{number}").mkdir()


def remove() -> None:
    for number in range(NR_CGROUPS):
        (own_cgroup() / f"{number}").rmdir()


if __name__ == "__main__":
    attack_until_stopped(make, remove)
