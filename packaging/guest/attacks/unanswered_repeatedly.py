#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""As unanswered_flush, but each such process ends as soon as tmmd has given it up, and another takes its place."""

import os
import signal
import time

import unanswered
import unanswered_flush
from computer import run
from desk import Desk, attack_until_stopped, eventually

NAME = "tmmd reads on beside one execve(2) after another that waits for FUSE"
# A little longer than tmmd's helper waits.
ROUND_S = 25
# Then tmmd looks at no process of the user.
NR_ROUNDS = 4


def nr_given_up() -> int:
    return run("journalctl", "--unit=tmmd", "--output=cat").count("does not let its files be read")


def attack(desk: Desk) -> str:
    unanswered.need_device()
    before = nr_given_up()
    with desk.mallory.attacks(__file__) as cgroup:
        unanswered.need_waiting_readers(cgroup)
        eventually(lambda: nr_given_up() >= before + NR_ROUNDS, "tmmd gives the processes up", desk.state, 3 * NR_ROUNDS * ROUND_S)
        return desk.protection_stays(may_lose_source=True)


def repeat() -> None:
    """In a child: attacks again and again."""
    if os.fork() != 0:
        return
    while True:
        group = os.fork()
        if group == 0:
            os.setpgid(0, 0)
            unanswered.leave_unanswered(unanswered.FLUSH, unanswered_flush.wait)
            signal.pause()
        time.sleep(ROUND_S)
        os.killpg(group, signal.SIGKILL)
        os.waitpid(group, 0)


if __name__ == "__main__":
    attack_until_stopped(repeat)
