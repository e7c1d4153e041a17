#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How fast caches give memory back when told to: reclaim.py TMM_CACHED MEMCACHED OUT.csv [--gib N]...

Servers full of items of 50 KB get the order to give N GiB back. The resident memory of each process counts. memcached gets its two orders:
cache_memlimit alone, and then slabs reassign, one page after the other. CacheLib is not run: its row is computed by the rule of its
MemoryMonitor, and says so.
"""
import argparse
import csv
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

MIB = 1 << 20
ITEM_BYTES = 50_000
# A server without progress for so long gives nothing more.
PATIENCE_S = 10
# Of the newest tenth of the items, an order should take none.
NEWEST_SHARE = 10
# A server has more than it gives back, as in store-measures.
HEADROOM, LIMIT = 9 / 8, 5 / 4
# Less than all, since the order bounds items, and a server has some memory beside them.
DONE = 0.97
# memcached's least limit.
LEAST_MIB = 8
# Sleeps between two looks at a server.
LOOK_S = 0.0005
# CacheLib's MemoryMonitor::Config: 5 % of the 5 GiB between its default limits a step, in slabs of 4 MiB; no further step once more than 20 %
# of the cache are gone. Its interval has no default: a second is the least that it accepts with a window for its rate.
CACHELIB_STEP_MIB, CACHELIB_MOST_PERCENT, CACHELIB_STEP_S = 256, 20, 1


class Server:
    def __init__(self, program: Path, folder: str, limit_mib: int, options: list[str]) -> None:
        path = f"{folder}/socket"
        user = ["-u", "root"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen([program, "-s", path, "-m", str(limit_mib), "-t", "2", *options, *user], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE_S
        while not os.path.exists(path) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.path = path

    def resident_mib(self) -> float:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / MIB

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Connection:
    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.reader = self.socket.makefile("rb")

    def ask(self, line: str) -> str:
        self.socket.sendall(line.encode() + b"\r\n")
        return self.reader.readline().decode().rstrip()

    def fill(self, items: int) -> None:
        value = b"v" * ITEM_BYTES
        for number in range(items):
            self.socket.sendall(b"set key%d 0 0 %d noreply\r\n%s\r\n" % (number, ITEM_BYTES, value))
        self.ask("version")

    def get(self, number: int) -> bool:
        self.socket.sendall(b"get key%d\r\n" % number)
        if self.reader.readline() == b"END\r\n":
            return False
        self.reader.read(ITEM_BYTES + len(b"\r\nEND\r\n"))
        return True

    def largest_class(self) -> str:
        """Of memcached's slabs."""
        self.socket.sendall(b"stats slabs\r\n")
        pages = {}
        while (line := self.reader.readline().decode().rstrip()) != "END":
            _, name, value = line.split()
            if name.endswith(":total_pages"):
                pages[name.partition(":")[0]] = int(value)
        return max(pages, key=pages.__getitem__)


def watched(server: Server, had_mib: float, wanted_mib: float, order: Callable[[], None]) -> tuple[float, float]:
    """The memory that the server gave back, and the seconds until nearly all of that. order() is called until nothing more comes."""
    start = time.monotonic()
    steps = [(0.0, 0.0)]  # seconds, MiB
    while steps[-1][1] < DONE * wanted_mib and time.monotonic() < start + steps[-1][0] + PATIENCE_S:
        order()
        given = had_mib - server.resident_mib()
        if given > steps[-1][1]:
            steps.append((time.monotonic() - start, given))
    given = steps[-1][1]
    return given, next(seconds for seconds, now in steps if now >= DONE * given)


def measure(program: Path, gib: float, options: list[str], reassigns: bool) -> dict[str, float]:
    wanted = gib * 1024
    items = int(wanted * HEADROOM * MIB / ITEM_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder, int(wanted * LIMIT), options)
        try:
            orders = Connection(server.path)
            orders.fill(items)
            had = server.resident_mib()
            left_mib = max(int(had - wanted), LEAST_MIB)
            slab_class = orders.largest_class() if reassigns else ""
            answers = []

            def order() -> None:
                if not answers:
                    answers.append(orders.ask(f"cache_memlimit {left_mib}"))
                elif reassigns and orders.ask(f"slabs reassign {slab_class} 0") == "OK":
                    return
                else:  # it moves a page, or does all by itself
                    time.sleep(LOOK_S)

            given, seconds = watched(server, had, wanted, order)
            assert answers == ["OK"], answers
            newest = range(items - items // NEWEST_SHARE, items)
            return {"had_mib": had, "given_mib": given, "seconds": seconds,
                    "newest_kept": sum(orders.get(number) for number in newest) / len(newest)}
        finally:
            server.stop()


def cachelib_rule(cache_mib: float, wanted_mib: float) -> tuple[float, float]:
    """The memory that CacheLib's MemoryMonitor gives back of a cache, and the seconds until then, if a step itself takes no time."""
    given = steps = 0
    while given < wanted_mib and 100 * given // cache_mib <= CACHELIB_MOST_PERCENT:
        given += CACHELIB_STEP_MIB
        steps += 1
    return given, steps * CACHELIB_STEP_S


def main() -> None:
    parser = argparse.ArgumentParser(description="how fast caches give memory back when told to")
    parser.add_argument("program", type=Path, metavar="TMM_CACHED")
    parser.add_argument("memcached", type=Path, metavar="MEMCACHED")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    parser.add_argument("--gib", type=float, action="append", help="to give back; may be repeated (1 and 4)")
    options = parser.parse_args()
    rows = []
    for gib in options.gib or [1, 4]:
        for system, program, extra, reassigns in (("tmm-cached", options.program, ["-o", "fixed_memory"], False),
                                                  ("memcached, cache_memlimit", options.memcached, ["-o", "slab_reassign"], False),
                                                  ("memcached, slabs reassign", options.memcached, ["-o", "slab_reassign"], True)):
            rows.append({"gib": gib, "system": system, "is": "measured", **measure(program, gib, extra, reassigns)})
            print(rows[-1], file=sys.stderr, flush=True)
        given, seconds = cachelib_rule(gib * 1024 * HEADROOM, gib * 1024)
        rows.append({"gib": gib, "system": "CacheLib's MemoryMonitor", "is": "a rule", "had_mib": gib * 1024 * HEADROOM, "given_mib": given, "seconds": seconds})
    with options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: f"{value:.5g}" if isinstance(value, float) else value for name, value in row.items()})


if __name__ == "__main__":
    main()
