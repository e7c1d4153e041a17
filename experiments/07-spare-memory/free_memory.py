#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A cache in a desktop's free memory beside a fixed one, and five such caches beside one: free_memory.py TMM_CACHED OUT.csv
[--memcached PROGRAM] [--owner-days PROGRAM]

Mortar's sections 6.5 and 6.6, with real servers. One trace of free memory is a machine's less the pages of a recorded desktop
(experiments/02-days/results/recorded/trace.xz); the other is what TMM gives in an office's simulated week (`owner-days`). Each step
sets the server's limit by `cache_memlimit`. Requests are Zipf 0.8 over a database
13 times as large as the least free memory, and a client puts what it misses. Response times are computed: a miss costs 10 ms, a hit 0.1 ms.
"""
import argparse
import bisect
import contextlib
import csv
import lzma
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DAYS = Path(__file__).resolve().parent.parent / "02-days"
MACHINE_MB = 1280
STEP_S = 17
# Values and memory are a quarter: 12.5 KB instead of the paper's 50 KB.
SCALE = 4
VALUE = b"v" * (50_000 // SCALE)
ZIPF = 0.8
DATABASE_OF_LEAST = 16 / 1.2
REQUESTS = 400
MISS_MS, HIT_MS = 10, 0.1
SERVERS = 5


def desktop_mb() -> list[float]:
    """Free memory of the machine, at each step of the recording, scaled down."""
    pages: dict[str, int] = {}
    held, free, step = 0, [], STEP_S
    with lzma.open(DAYS / "results/recorded/trace.xz", "rt") as lines:
        next(lines)
        for line in lines:
            at_us, _, kind, page, weight = line.rstrip().split(",")
            while int(at_us) / 1e6 >= step:
                free.append((MACHINE_MB - held * 4096 / (1 << 20)) / SCALE)
                step += STEP_S
            held -= pages.pop(page, 0)
            if kind == "r":
                pages[page] = int(weight)
                held += int(weight)
    # The first epochs see a desktop that starts.
    return free[len(free) // 20:]


def week_mb(owner_days: str, least_mb: float) -> list[float]:
    """The limit that TMM sets in an office's week on a machine of 16 GB, every ten minutes, scaled to this least."""
    with tempfile.NamedTemporaryFile("r") as timeline:
        subprocess.run([owner_days, "--stores=nvme", "--systems=tmm-reuse", f"--timeline={timeline.name}", DAYS / "owners/office.ini"],
                       check=True, stdout=subprocess.DEVNULL)
        limits = [float(row["limit_mb"]) for row in csv.DictReader(timeline)]
    return [limit * least_mb / min(limits) for limit in limits]


class Server:
    def __init__(self, program: str, limit_mb: float) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = f"{self.folder.name}/socket"
        user = ["-u", "root"] if os.geteuid() == 0 else []
        fixed = [] if Path(program).name == "memcached" else ["-o", "fixed_memory"]
        self.process = subprocess.Popen([program, "-s", path, "-m", str(int(limit_mb)), "-t", "1", *fixed, *user], stderr=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(1000):
            with contextlib.suppress(OSError):
                self.socket.connect(path)
                break
            time.sleep(0.01)
        self.reader = self.socket.makefile("rb", buffering=1 << 16)

    def limit(self, mb: float) -> None:
        self.socket.sendall(b"cache_memlimit %d\r\n" % int(mb))
        self.reader.readline()

    def serve(self, key: bytes) -> bool:
        """Gets the key, and puts it on a miss. Returns whether it was there."""
        self.socket.sendall(b"get %s\r\n" % key)
        line = self.reader.readline()
        if line != b"END\r\n":
            self.reader.read(int(line.split()[3]) + 7)
            return True
        self.socket.sendall(b"set %s 0 0 %d noreply\r\n%s\r\n" % (key, len(VALUE), VALUE))
        return False

    def stop(self) -> None:
        self.reader.close()
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Zipf:
    def __init__(self, items: int) -> None:
        self.sums, total = [], 0.0
        for item in range(items):
            total += (item + 1) ** -ZIPF
            self.sums.append(total)

    def draw(self, chance: random.Random) -> int:
        return bisect.bisect_left(self.sums, chance.random() * self.sums[-1])


def run(trace: str, name: str, program: str, limits: list[list[float]], applications: int, follows: bool) -> dict:
    """limits: of each server, at each step. Each application has a database of its own, of which each server has a part."""
    least = min(min(of_server) for of_server in limits)
    zipf = Zipf(int(DATABASE_OF_LEAST * least * (1 << 20) / len(VALUE)))
    servers = [Server(program, of_server[0] if follows else least) for of_server in limits]
    chance = random.Random(1)
    try:
        response_ms, shares = [], []

        def requests(count: int) -> float:
            hits = 0
            for _ in range(count):
                key = b"%d:%d" % (chance.randrange(applications), zipf.draw(chance))
                # While all servers are there, any hash spreads keys as consistent hashing does.
                hits += servers[hash(key) % len(servers)].serve(key)
            return hits / count

        requests(len(servers) * int(3 * limits[0][0] * (1 << 20) / len(VALUE)))
        for step in range(len(limits[0])):
            if follows:
                for server, of_server in zip(servers, limits):
                    server.limit(of_server[step])
            shares.append(requests(REQUESTS * len(servers)))
            response_ms.append(shares[-1] * HIT_MS + (1 - shares[-1]) * MISS_MS)
    finally:
        for server in servers:
            server.stop()
    row = {"trace": trace, "system": name, "servers": len(servers), "mean_mb": f"{statistics.mean(map(statistics.mean, limits)) if follows else least:.0f}",
           "least_mb": f"{least:.0f}", "hits": f"{statistics.mean(shares):.4f}", "response_ms": f"{statistics.mean(response_ms):.3f}",
           "deviation_ms": f"{statistics.stdev(response_ms):.3f}", "worst_step_ms": f"{max(response_ms):.3f}"}
    print(row, flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="TMM_CACHED")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    parser.add_argument("--memcached", default="memcached")
    parser.add_argument("--owner-days", default="build/experiments/02-days/owner-days")
    options = parser.parse_args()
    # Python's hash of bytes differs from run to run otherwise.
    if os.environ.get("PYTHONHASHSEED") != "1":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "1"})
    desktop = desktop_mb()
    rows = []
    for trace, free in (("desktop", desktop), ("week", week_mb(options.owner_days, min(desktop)))):
        staggered = [free[number * len(free) // SERVERS:] + free[:number * len(free) // SERVERS] for number in range(SERVERS)]
        rows += [run(trace, "memcached, fixed", options.memcached, [free], 1, False),
                 run(trace, "tmm-cached, fixed", options.program, [free], 1, False),
                 run(trace, "tmm-cached, free memory", options.program, [free], 1, True),
                 run(trace, "five servers, five applications", options.program, staggered, SERVERS, True)]
    with open(options.out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
