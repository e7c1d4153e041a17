#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user makes exceptions for all cgroups in reach, and tries to make them for another user's. The victim makes one for a program of theirs."""

import os
import pathlib

from computer import CGROUPS
from desk import MB, MIN_KEPT, READ_MB, Desk, attack_until_stopped, eventually, own_cgroup

NAME = "an exception changes its own user's protection only"
COUNT = "user.tmm.count"


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        for cgroup in (desk.reader, desk.toucher, desk.victim.slice):
            assert COUNT not in os.listxattr(cgroup), f"mallory marked {cgroup}"
        note = desk.protection_stays()
        os.setxattr(desk.reader, COUNT, b"never")
        try:
            eventually(lambda: desk.protected(desk.reader) < MIN_KEPT * READ_MB * MB / 2, "what does not count is not protected", desk.state)
        finally:
            os.removexattr(desk.reader, COUNT)
        eventually(desk.is_protected, "what counts again is protected again", desk.state)
        return note


def mark(cgroup: pathlib.Path) -> bool:
    try:
        os.setxattr(cgroup, COUNT, b"never")
    except (PermissionError, FileNotFoundError):
        return False
    return True


def make() -> None:
    """Fails if the kernel permits too much, or nothing."""
    mine = own_cgroup().parents[1]
    marked = [cgroup for cgroup in list(CGROUPS.glob("**/")) if mark(cgroup)]
    if own_cgroup() not in marked or not all(cgroup.is_relative_to(mine) for cgroup in marked):
        raise SystemExit(f"marked: {marked}")


def remove() -> None:
    for cgroup in own_cgroup().parents[1].glob("**/"):
        if COUNT in os.listxattr(cgroup):
            os.removexattr(cgroup, COUNT)


if __name__ == "__main__":
    attack_until_stopped(make, remove)
