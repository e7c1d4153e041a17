#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""memory.py FOLDER ANON_MB MAPPED_MB READ_MB: a program of an owner or a contribution, for tests in virtual machines. Fills anonymous memory,
touches a mapped file, reads another file, and creates FOLDER/filled. At each SIGUSR1 it touches all of its memory again, and leaves the number
of major faults in FOLDER/touched-N. The files are holes, so reading them costs memory and no disk time."""

import mmap
import os
import pathlib
import resource
import signal
import sys

MB = 1 << 20
PAGE = 4096


def filling() -> bytes:
    """A megabyte that zram can compress to about a half."""
    noise = os.urandom(MB // 2)
    half = PAGE // 2
    return b"".join(noise[at:at + half] + bytes(half) for at in range(0, MB // 2, half))


def file_of_holes(path: pathlib.Path, size_mb: int) -> int:
    with path.open("wb") as file:
        file.truncate(size_mb * MB)
    return os.open(path, os.O_RDONLY)


def mapped(path: pathlib.Path, size_mb: int) -> mmap.mmap:
    memory = mmap.mmap(file_of_holes(path, size_mb), size_mb * MB, prot=mmap.PROT_READ)
    memory.madvise(mmap.MADV_RANDOM)  # a fault brings one page
    return memory


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    anon_mb, mapped_mb, read_mb = (int(text) for text in sys.argv[2:5])
    folder.mkdir(parents=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    (folder / "pid").write_text(str(os.getpid()), encoding="ascii")
    areas = []
    if anon_mb:
        areas.append(mmap.mmap(-1, anon_mb * MB))
        megabyte = filling()
        for at in range(0, anon_mb * MB, MB):
            areas[0][at:at + MB] = megabyte
    if mapped_mb:
        areas.append(mapped(folder / "mapped", mapped_mb))

    def touch() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
        for area in areas:
            area[::PAGE]  # pylint: disable=pointless-statement  # reads a byte of each page
        return resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before

    touch()
    if read_mb:
        file = file_of_holes(folder / "read", read_mb)
        for at in range(0, read_mb * MB, MB):
            os.pread(file, MB, at)
    (folder / "filled").touch()
    number = 0
    while True:
        signal.sigwait({signal.SIGUSR1})
        number += 1
        faults = touch()
        part = folder / "part"
        part.write_text(str(faults), encoding="ascii")
        part.rename(folder / f"touched-{number}")


if __name__ == "__main__":
    main()
