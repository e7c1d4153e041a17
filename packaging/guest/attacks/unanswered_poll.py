#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A descriptor of epoll(7) watches a file of FUSE that never says whether it is ready. Its fdinfo waits for that, unkillable."""

import pathlib
import select

import unanswered
from desk import Desk, attack_until_stopped

NAME = "tmmd reads on beside an epoll descriptor that waits for FUSE"


def attack(desk: Desk) -> str:
    unanswered.need_device()
    with desk.mallory.attacks(__file__):
        return desk.protection_stays()


def wait(file: pathlib.Path) -> None:
    with file.open("rb", buffering=0) as opened, select.epoll() as epoll:
        epoll.register(opened, select.EPOLLIN)


if __name__ == "__main__":
    attack_until_stopped(lambda: unanswered.leave_unanswered(unanswered.POLL, wait))
