#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A process is in a cgroup whose path exceeds a page. Newer kernels cannot show it; that of Debian 12 shows the first 4 KiB, which troubles
nobody."""

import os
import pathlib
import signal

from desk import Desk, attack_until_stopped, own_cgroup
from stock import text
from tap import Skip

NAME = "a process in a cgroup with a path of 4 KiB hides no other"
FOLDER_NAME = "x" * 250
DEPTH = 17


class LongPath:
    def __init__(self) -> None:
        self.child = 0

    def begin(self) -> None:
        os.chdir(own_cgroup())
        for _ in range(DEPTH):
            os.mkdir(FOLDER_NAME)
            os.chdir(FOLDER_NAME)
        self.child = os.fork()
        if self.child == 0:
            while True:
                signal.pause()
        with open("cgroup.procs", "w", encoding="ascii") as file:
            file.write(str(self.child))
        (pathlib.Path.home() / "long-path").write_text(str(self.child), encoding="ascii")

    def end(self) -> None:
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        for _ in range(DEPTH):
            os.chdir("..")
            os.rmdir(FOLDER_NAME)


def shown_path(pid: str) -> str:
    """Empty: it cannot be read."""
    try:
        return text(f"/proc/{pid}/cgroup")
    except OSError:
        return ""


def attack(desk: Desk) -> str:
    with desk.mallory.attacks(__file__):
        shown = shown_path(text("/home/mallory/long-path"))
        if shown:
            raise Skip(f"this kernel shows {len(shown)} bytes of such a path")
        return desk.protection_stays()


if __name__ == "__main__":
    path = LongPath()
    attack_until_stopped(path.begin, path.end)
