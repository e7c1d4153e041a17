#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lowers a program's limit by 1 GiB while it runs: experiments/08-far-memory/limit.py [--store STORE] [--threads N] [--out FILE]

Appends a row to FILE: how long that takes, and the processor time of an eviction, of the program's hand and of the pager. The program checks
every page that it reads.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEBIBYTES = 1300
LIMITS = (1500, 476)  # MiB
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def processor_seconds(stat: Path) -> float:
    words = stat.read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) * TICK_S


def threads_of(pid: int) -> dict[str, float]:
    return {task.name: processor_seconds(task / "stat") for task in Path(f"/proc/{pid}/task").iterdir()}


def append(path: Path, row: dict[str, object]) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, row, lineterminator="\n")
        if file.tell() == 0:
            table.writeheader()
        table.writerow(row)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--store", default="memory")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("limits.csv"))
    options = parser.parse_args()
    far = options.build.resolve() / "farmem"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        socket = f"--socket={folder}/pager"
        pager = subprocess.Popen([far / "tmm-fard", socket])
        while not Path(folder, "pager").exists():
            time.sleep(0.01)
        program = subprocess.Popen([far / "tmm-far", "run", f"--memory={LIMITS[0]}M", "--name=program", f"--store={options.store}", socket,
                                    f"--library={far / 'libtmm-far.so'}", "--", far / "check-pages", str(MEBIBYTES), str(options.threads), "600",
                                    "fill"])

        def status() -> dict[str, str]:
            text = subprocess.run([far / "tmm-far", "status", socket], check=True, capture_output=True, text=True).stdout
            return dict(word.split("=", 1) for word in text.split()[1:])

        try:
            while int(status().get("local", 0)) < MEBIBYTES << 20:
                time.sleep(0.1)
            # The hand is the second thread.
            hand = sorted(threads_of(program.pid), key=int)[1]
            before = processor_seconds(Path(f"/proc/{pager.pid}/stat")), threads_of(program.pid)[hand], int(status()["evictions"])
            start = time.monotonic()
            subprocess.run([far / "tmm-far", "limit", socket, "program", f"{LIMITS[1]}M"], check=True)
            # A part of the limit is for pages in transit.
            while int(status()["local"]) > (LIMITS[1] << 20) * 7 // 8:
                time.sleep(0.01)
            seconds = time.monotonic() - start
            after = processor_seconds(Path(f"/proc/{pager.pid}/stat")), threads_of(program.pid)[hand], int(status()["evictions"])
            pager_s, hand_s, evictions = (b - a for a, b in zip(before, after))
            append(options.out, {
                "kernel": os.uname().release, "store": options.store, "threads": options.threads, "seconds": f"{seconds:.2f}",
                "evictions": evictions, "hand_us": f"{hand_s / evictions * 1e6:.2f}", "pager_us": f"{pager_s / evictions * 1e6:.2f}"})
        finally:
            program.kill()
            program.wait()
            pager.terminate()
            pager.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
