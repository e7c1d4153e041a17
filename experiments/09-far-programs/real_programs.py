#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs real programs on far memory over one link of tmm-fard: each alone, and light ones beside a heavy one, whole and
with each part off. Writes real.csv and real.md. Exit status: 1 if a run failed. See README.md."""

import argparse
import collections
import csv
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from real.pager import Pager, System
from real.program import HEAVY, Link, Program, Row, in_bytes
from real.swap import Swap

TOP = pathlib.Path(__file__).resolve().parents[2]

NO_PREFETCH = "--without=streams,vote,successors,edges"
SYSTEMS = {
    "tmm": System(),
    "shared": System(pager=("--without=fair,demand-first,drop-late,reissue",)),
    "no-prefetch": System(program=(NO_PREFETCH,)),
    "heavy-no-prefetch": System(heavy=(NO_PREFETCH,)),
    "no-kept-entries": System(program=("--without=keep",)),
}
# Only by request: it needs root (real/swap.py).
SWAP = "swap"
LIGHTS = ("sort", "numpy", "snappy", "xgboost", "java", "redis", "memcached")
# Four column jobs over 32 MB.
NUMPY = """import numpy
for seed in range(4):
    a = numpy.random.default_rng(seed).random(4_000_000)
    print(sum(a[k::4].mean() for k in range(4)), a.cumsum()[-1], a.max())"""
# Compresses a file of 26 MB in memory, and back.
SNAPPY = "import hashlib, snappy, sys; text = open(sys.argv[1], 'rb').read(); print(hashlib.sha256(snappy.decompress(snappy.compress(text))).hexdigest())"
# Four threads learn two trees from 16 MB of columns.
XGBOOST = """import numpy, xgboost
columns = numpy.random.default_rng(1).random((100_000, 40), dtype=numpy.float32)
told = xgboost.DMatrix(columns, columns[:, :8].sum(axis=1) > 4)
print(xgboost.train({"nthread": 4, "tree_method": "hist", "objective": "binary:logistic"}, told, 2).predict(told).sum())"""
XGBOOST_PACKAGE = "xgboost==3.2.0"
TIMEOUT_S = 900
ATTEMPTS = 5
STATUS_KEYS = ("waited-ms", "p50-us", "p99-us", "slot-hits", "fetches", "prefetches", "dropped", "accuracy", "coverage", "timeliness", "link-bytes", "link-share", "ooms")


class RunError(Exception):
    pass


def programs(build: pathlib.Path, folder: pathlib.Path, names: list[str]) -> dict[str, Program]:
    """Their memory is about twice what they may have locally, memcached's and the heavy one's four times."""
    lines = folder / "lines"
    more_lines = folder / "more-lines"
    for path, number in ((lines, 300_000), (more_lines, 500_000)):
        with path.open("w", encoding="ascii") as file:
            for i in range(number):
                file.write(f"{i * 2654435761 % 4294967291:010d} {i:040d}\n")
    if "java" in names:
        subprocess.run(["javac", "-d", folder, TOP / "farmem/programs/Far.java"], check=True)
    if "xgboost" in names and not (folder / "venv").exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--system-site-packages", folder / "venv"], check=True)
        # Without its dependencies: numpy and scipy are Debian's, and NVIDIA's library is for other machines.
        subprocess.run([folder / "venv/bin/pip", "install", "--quiet", "--no-deps", XGBOOST_PACKAGE], check=True)
    redis = folder / "redis"
    redis.mkdir(exist_ok=True)
    return {
        # It is to take the link, not the processors.
        HEAVY: Program(["nice", "-n", "10", str(build / "farmem/check-pages"), "64", "24", "600"], "16M", "4M"),
        "sort": Program(["sort", "-S", "48M", "--parallel=1", "-o", "/dev/null", str(lines)], "16M", "4M"),
        "numpy": Program(["/usr/bin/python3", "-c", NUMPY], "40M"),
        "snappy": Program(["/usr/bin/python3", "-c", SNAPPY, str(more_lines)], "16M"),
        "xgboost": Program([str(folder / "venv/bin/python"), "-c", XGBOOST], "32M"),
        # It is to choose the same garbage collector in each system.
        "java": Program(["java", "-XX:-UseContainerSupport", "-Xmx200m", "-cp", str(folder), "Far"], "100M", "16M"),
        "redis": Program([str(TOP / "farmem/programs/redis"), str(redis)], "40M"),
        "memcached": Program([str(TOP / "farmem/programs/memcached"), str(folder)], "20M"),
    }


def processor_times(pager: Pager | Swap) -> tuple[float, float]:
    """Of the pager, and of all that no processor was used; seconds."""
    tick = os.sysconf("SC_CLK_TCK")
    own = pathlib.Path(f"/proc/{pager.pager.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    every = pathlib.Path("/proc/stat").read_text(encoding="ascii").split()
    # A processor is also idle while threads wait for a disk.
    return (int(own[11]) + int(own[12])) / tick, (int(every[4]) + int(every[5])) / tick


def measure(pager: Pager | Swap, name: str, program: Program) -> Row:
    """Runs the program to its end. Its figures are those shortly before."""
    start, (pager_before, idle_before) = time.monotonic(), processor_times(pager)
    running = pager.start(name, program)
    status: Row = {}
    while running.poll() is None:
        status = pager.status(name) or status
        time.sleep(pager.interval_s)
        if time.monotonic() - start > TIMEOUT_S:
            running.kill()
    if running.returncode != 0 or "waited-ms" not in status:
        raise RunError(f"{name} ended with {running.returncode}" if running.returncode else f"{name} ended before it was asked")
    seconds, (pager_after, idle_after) = time.monotonic() - start, processor_times(pager)
    return {"seconds": f"{seconds:.2f}", "pager-cpu": f"{(pager_after - pager_before) / seconds:.2f}",
            "idle-cpu": f"{(idle_after - idle_before) / seconds:.2f}"} | {key: status.get(key, "-") for key in STATUS_KEYS}


def run(known: dict[str, Program], build: pathlib.Path, folder: pathlib.Path, link: Link, system: str, name: str, together: bool) -> Row:
    print(f"{name}, {system}, {'together' if together else 'alone'}", file=sys.stderr)
    pager = Swap(build, folder, link) if system == SWAP else Pager(build, folder, link, SYSTEMS[system])
    heavy = pager.start(HEAVY, known[HEAVY]) if together else None
    try:
        while heavy and heavy.poll() is None and int(pager.status(HEAVY).get("far", "0")) == 0:
            time.sleep(0.05)
        measured = measure(pager, name, known[name])
        if heavy and heavy.poll() is not None:
            raise RunError(f"the heavy program ended with {heavy.returncode} beside {name}")
        return {"system": system, "link": link.size, "latency-us": str(link.latency_us), "together": "yes" if together else "no",
                "program": name} | measured
    finally:
        if heavy:
            pager.stop(HEAVY, heavy)
        pager.close()


def run_again(known: dict[str, Program], build: pathlib.Path, folder: pathlib.Path, link: Link, system: str, name: str, together: bool) -> Row:
    """Also tells how many runs failed: with swap, a system call fails if no page leaves soon enough."""
    nr_failed = 0
    while True:
        try:
            return run(known, build, folder, link, system, name, together) | {"failed-runs": str(nr_failed)}
        except RunError as error:
            nr_failed += 1
            if system != SWAP or nr_failed == ATTEMPTS:
                raise
            print(f"real_programs.py: {error}", file=sys.stderr)


def mean(rows: list[Row], column: str) -> float:
    return statistics.mean(float(row[column]) for row in rows)


def shown(rows: list[Row], column: str) -> str:
    """In seconds or milliseconds."""
    return "-" if any(row[column] == "-" for row in rows) else f"{mean(rows, column) / 1000:.1f}"


def link_use(rows: list[Row]) -> str:
    """The share of what the link could carry."""
    return f"{statistics.mean(int(row['link-bytes']) / float(row['seconds']) / in_bytes(row['link']) for row in rows):.0%}"


def command(rows: list[Row]) -> str:
    """That makes such rows."""
    runs = collections.Counter((row["program"], row["system"], row["together"]) for row in rows)
    chosen = {"link": rows[0]["link"], "latency": rows[0]["latency-us"], "systems": ",".join(dict.fromkeys(row["system"] for row in rows)),
              "programs": ",".join(dict.fromkeys(row["program"] for row in rows)), "runs": str(max(runs.values()))}
    return " ".join(["real_programs.py", *(f"--{name}={value}" for name, value in chosen.items())])


def report(rows: list[Row]) -> str:
    text = (f"# Real programs on far memory\n\n    {command(rows)}\n\n"
            "- **link alone**: what the program alone uses of the link.\n"
            "- **pager, idle**: processors that the pager uses together, and that are idle.\n\n")
    columns = ("program", "system", "link alone", "alone, s", "together, s", "waited alone, s", "waited together, s", "slowdown by waiting", "p99 alone, ms",
               "p99 together, ms", "pager", "idle")
    text += f"| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|\n"
    slowdowns: dict[str, list[float]] = {}
    for name in dict.fromkeys(row["program"] for row in rows):
        for system in dict.fromkeys(row["system"] for row in rows):
            alone, together = ([row for row in rows if row["program"] == name and row["system"] == system and row["together"] == which]
                               for which in ("no", "yes"))
            slowdown = mean(together, "waited-ms") / mean(alone, "waited-ms")
            slowdowns.setdefault(system, []).append(slowdown)
            cells = (name, system, link_use(alone), f"{mean(alone, 'seconds'):.1f}", f"{mean(together, 'seconds'):.1f}",
                     f"{mean(alone, 'waited-ms') / 1000:.1f}", f"{mean(together, 'waited-ms') / 1000:.1f}", f"{slowdown:.2f}",
                     shown(alone, "p99-us"), shown(together, "p99-us"), f"{mean(together, 'pager-cpu'):.1f}", f"{mean(together, 'idle-cpu'):.1f}")
            text += f"| {' | '.join(cells)} |\n"
    text += "\n| system | mean slowdown | worst | standard deviation |\n" + "| --- " * 4 + "|\n"
    for system, values in slowdowns.items():
        text += f"| {system} | {statistics.mean(values):.2f} | {max(values):.2f} | {statistics.pstdev(values):.2f} |\n"
    return text


def write(rows: list[Row], path: pathlib.Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=TOP / "build", help="folder of the compiled programs (build/)")
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "out/09-far-programs", help="where the results go (out/09-far-programs/)")
    parser.add_argument("--link", default="64M", help="what the link carries a second, little enough that processors do not bound anybody (64M)")
    parser.add_argument("--latency", type=int, default=300, help="microseconds that each page takes at least (300)")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="which of them, or swap, the kernel's instead (all but swap)")
    parser.add_argument("--programs", default=",".join(LIGHTS), help="which of them (all)")
    parser.add_argument("--runs", type=int, default=1, help="how often each is run (1)")
    chosen = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="far-programs-"))
    chosen.out.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    try:
        names = chosen.programs.split(",")
        known = programs(chosen.build.resolve(), folder, names)
        # The systems take turns, so that a machine's other work meets all of them alike.
        for _ in range(chosen.runs):
            for name in names:
                for together in (False, True):
                    for system in chosen.systems.split(","):
                        rows.append(run_again(known, chosen.build.resolve(), folder, Link(chosen.link, chosen.latency), system, name, together))
                        write(rows, chosen.out / "real.csv")
    except (RunError, OSError, subprocess.CalledProcessError) as error:
        print(f"real_programs.py: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder)
    text = report(rows)
    (chosen.out / "real.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
