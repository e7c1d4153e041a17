#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Readers of a slow share, with and without tmm-cachefs: slow_share.py TMM_CACHEFS OUT.csv [--delay-ms N] [--mib N]

The share is a file of nbdfuse(1) over nbdkit's filter `delay`: each request to it takes some milliseconds, sixteen at once. Three
readers read a film each from begin to end (Mortar's video server, section 6.7), or records at random (its OLTP), at first cold and then again.
Prints a table and writes OUT.csv. Needs root or the right to mount, nbdkit and libnbd-bin.
"""
import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

READERS = 3
READ_BYTES = 1 << 20
RECORD_BYTES = 16 << 10
TIMEOUT_S = 30
OLD_S = 3


def wait_for(path: Path, program: subprocess.Popen) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not path.exists():
        if program.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"slow_share.py: {' '.join(map(str, program.args))}: does not mount")
        time.sleep(0.02)


@contextmanager
def mounted(arguments: list, shown: Path, path: Path):
    program = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    try:
        wait_for(path, program)
        yield
    finally:
        subprocess.run(["fusermount3", "-u", "-z", shown], check=False)
        program.wait(TIMEOUT_S)


def drop_kernel_cache() -> None:
    Path("/proc/sys/vm/drop_caches").write_text("1")


def film(path: Path, begin: int, size: int) -> None:
    with open(path, "rb", buffering=0) as file:
        for offset in range(begin, begin + size, READ_BYTES):
            os.pread(file.fileno(), READ_BYTES, offset)


def records(path: Path, begin: int, size: int) -> None:
    draw = random.Random(begin)
    with open(path, "rb", buffering=0) as file:
        for _ in range(200):
            # Most reads go to a few places, as with keys of a database.
            place = int(size // RECORD_BYTES * draw.random() ** 3)
            os.pread(file.fileno(), RECORD_BYTES, begin + place * RECORD_BYTES)


def seconds_of(work, path: Path, size: int) -> float:
    readers = [threading.Thread(target=work, args=(path, number * size, size)) for number in range(READERS)]
    start = time.monotonic()
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="readers of a slow share, with and without tmm-cachefs")
    parser.add_argument("program", type=Path, metavar="TMM_CACHEFS")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    parser.add_argument("--delay-ms", type=int, default=10, help="of each request to the share (10)")
    parser.add_argument("--mib", type=int, default=64, help="size of each film (64)")
    options = parser.parse_args()
    size = options.mib << 20
    rows = []
    with tempfile.TemporaryDirectory(prefix="slow-share-") as folder:
        share, shown = Path(folder) / "share", Path(folder) / "shown"
        share.mkdir()
        shown.mkdir()
        socket = Path(folder) / "socket"
        server = subprocess.Popen(["nbdkit", "-f", "-U", socket, "--filter=delay", "pattern", str(READERS * size),
                                   f"rdelay={options.delay_ms}ms"])
        wait_for(socket, server)
        systems = {"the share": None, "tmm-cachefs, nothing ahead": ["--readahead=0"], "tmm-cachefs": [],
                   "tmm-cachefs --direct": ["--direct"], "tmm-cachefs --block=16K": ["--block=16K"]}
        for name, extra in systems.items():
            for work in (film, records):
                with mounted(["nbdfuse", "-C", "16", share, "--unix", socket], share, share / "nbd"):
                    # A file that changed in the last two seconds is not trusted, and nbdfuse's is as old as its mount.
                    time.sleep(OLD_S)
                    seconds = {}
                    drop_kernel_cache()
                    if extra is None:
                        seconds["cold"] = seconds_of(work, share / "nbd", size)
                        seconds["again"] = seconds_of(work, share / "nbd", size)
                        drop_kernel_cache()
                        seconds["kernel's pages dropped"] = seconds_of(work, share / "nbd", size)
                    else:
                        with mounted([options.program, "--foreground", *extra, share, shown], shown, shown / "nbd"):
                            seconds["cold"] = seconds_of(work, shown / "nbd", size)
                            seconds["again"] = seconds_of(work, shown / "nbd", size)
                            drop_kernel_cache()
                            seconds["kernel's pages dropped"] = seconds_of(work, shown / "nbd", size)
                for when, taken in seconds.items():
                    rows.append({"system": name, "readers": work.__name__, "read": when, "seconds": f"{taken:.3f}"})
                    print(f"{name:28} {work.__name__:8} {when:24} {taken:8.3f} s", flush=True)
        server.terminate()
        server.wait(TIMEOUT_S)
    with open(options.out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
