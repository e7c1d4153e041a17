# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that a machine consists of: started so that they cannot outlive us, stopped by their own process only."""

import contextlib
import pathlib
import subprocess
import time
from collections.abc import Iterator
from typing import IO

# Kills the program when the one who started it dies, whatever the reason. It becomes the program: the pid is the program's.
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
    """The program runs as long as the block; what it says on stderr is in the file."""
    with errors.open("wb") as file:
        process = subprocess.Popen([*WITH_PARENT, *command], stdin=stdin, stdout=stdout, stderr=file)
    try:
        yield process
    finally:
        stop(process)


def wait_for(path: pathlib.Path, process: subprocess.Popen, timeout_s: float) -> bool:
    """Until the program has made the path; False if it ended or took too long."""
    deadline = time.monotonic() + timeout_s
    while not path.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class Follower:
    """Passes on what a growing file has got since the last look."""

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
