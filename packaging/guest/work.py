#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""work.py idle|touch|read MB: a program of attack.py's people. touch uses its memory each second, and read reads a file that it holds open."""

import mmap
import os
import pathlib
import signal
import sys

import desk

PAGE = 4096


def main() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    kind, size = sys.argv[1], int(sys.argv[2]) * desk.MB
    memory = mmap.mmap(-1, size)
    file = -1
    path = pathlib.Path.home() / f"file-{os.getpid()}"
    if kind == "read":
        path.touch()
        os.truncate(path, size)
        file = os.open(path, os.O_RDONLY)
    else:
        for at in range(0, size, PAGE):
            memory[at] = 1

    def use() -> None:
        if kind == "touch":
            memory[::PAGE]  # pylint: disable=pointless-statement  # reads a byte of each page
        if kind == "read":
            for at in range(0, size, desk.MB):
                os.pread(file, desk.MB, at)

    use()
    desk.notify()
    while not signal.sigtimedwait({signal.SIGTERM}, 1):
        use()
    if kind == "read":
        # A file that stays in memory belongs to the cgroup that read it first, and a later process may have the number, and the name.
        path.unlink()


if __name__ == "__main__":
    main()
