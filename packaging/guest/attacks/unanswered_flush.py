#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A process is in execve(2), which closes a file of FUSE that never says that it is flushed. Meanwhile all who look at the process wait: on
Linux 6.18, not on the kernel of Debian 12."""

import os
import pathlib

import unanswered
from desk import Desk, attack_until_stopped

NAME = "tmmd reads on beside an execve(2) that waits for FUSE"


def attack(desk: Desk) -> str:
    unanswered.need_device()
    with desk.mallory.attacks(__file__) as cgroup:
        unanswered.need_waiting_readers(cgroup)
        return desk.protection_stays(may_lose_source=True)


def wait(file: pathlib.Path) -> None:
    os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    os.execv("/bin/true", ["true"])


if __name__ == "__main__":
    attack_until_stopped(lambda: unanswered.leave_unanswered(unanswered.FLUSH, wait))
