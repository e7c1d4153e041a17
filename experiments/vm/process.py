# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs of a machine. None outlives the program that started it; each is stopped by its own pid only."""

import contextlib
import pathlib
import subprocess
import time
from collections.abc import Iterator
from typing import IO

# Kills the program when its parent dies for any reason. setpriv becomes the program, so the pid is the program's.
WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"]


def stop(process: subprocess.Popen) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def running(command: list[str], errors: pathlib.Path, stdin: int | None = subprocess.DEVNULL,
            stdout: int | None = subprocess.DEVNULL) -> Iterator[subprocess.Popen]:
    """Runs the program for the length of the block, with its stderr in the file."""
    with errors.open("wb") as file:
        process = subprocess.Popen([*WITH_PARENT, *command], stdin=stdin, stdout=stdout, stderr=file)
    try:
        yield process
    finally:
        stop(process)


def wait_for(path: pathlib.Path, process: subprocess.Popen, timeout_s: float) -> bool:
    """Waits until the program has made the path; False if it ended or took too long."""
    deadline = time.monotonic() + timeout_s
    while not path.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class Follower:
    """Passes on the new bytes of a growing file."""

    def __init__(self, path: pathlib.Path, sink: IO[bytes] | None) -> None:
        self.path_ = path
        self.sink_ = sink
        self.offset_ = 0

    def pass_on(self) -> None:
        if self.sink_ is None or not self.path_.exists():
            return
        with self.path_.open("rb") as file:
            file.seek(self.offset_)
            data = file.read()
        if data:
            self.offset_ += len(data)
            self.sink_.write(data)
            self.sink_.flush()
