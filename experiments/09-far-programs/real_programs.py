#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs real programs on far memory over one link of tmm-fard: each alone, and light ones beside a heavy one, whole and
with each part off. Writes real.csv and real.md. Exit status: 1 if a run failed. See README.md."""

import argparse
import collections
import contextlib
import csv
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]

class System(NamedTuple):
    """What it lacks: the pager, each program, and the heavy program only."""
    pager: tuple[str, ...] = ()
    program: tuple[str, ...] = ()
    heavy: tuple[str, ...] = ()


NO_PREFETCH = "--without=streams,vote,successors,edges"
SYSTEMS = {
    "tmm": System(),
    "shared": System(pager=("--without=fair,demand-first,drop-late,reissue",)),
    "no-prefetch": System(program=(NO_PREFETCH,)),
    "heavy-no-prefetch": System(heavy=(NO_PREFETCH,)),
    "no-kept-entries": System(program=("--without=keep",)),
}
# The kernel's, only by request: it needs root, and version 1 of the memory controller.
SWAP = "swap"
SWAP_BYTES = 512 << 20
RELIEF_BYTES = 16 << 10
CGROUPS = pathlib.Path("/sys/fs/cgroup/memory")
HEAVY = "heavy"
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

Row = dict[str, str]


class Link(NamedTuple):
    size: str  # that it carries a second
    latency_us: int


def in_bytes(size: str) -> int:
    return int(size[:-1]) * {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[size[-1]]


class Program(NamedTuple):
    command: list[str]
    memory: str
    # About what its cgroup has beside with tmm-far, in all but a tenth of the time: stacks, page tables, small mappings, pages on their way.
    other: str = "8M"


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


class Pager:
    interval_s = 0.1

    def __init__(self, build: pathlib.Path, folder: pathlib.Path, link: Link, system: System) -> None:
        self.build = build
        self.system = system
        self.socket = folder / "pager"
        self.far = [build / "farmem/tmm-far"]
        self.pager = subprocess.Popen([build / "farmem/tmm-fard", f"--socket={self.socket}", f"--link={link.size}", f"--latency={link.latency_us}",
                                       *system.pager])
        while not self.socket.exists():
            time.sleep(0.01)

    def close(self) -> None:
        self.pager.terminate()
        self.pager.wait()

    def start(self, name: str, program: Program) -> subprocess.Popen:
        without = self.system.program + (self.system.heavy if name == HEAVY else ())
        return subprocess.Popen([*self.far, "run", f"--memory={program.memory}", f"--name={name}", f"--socket={self.socket}",
                                 f"--library={self.build / 'farmem/libtmm-far.so'}", *without, "--", *program.command],
                                stdout=subprocess.DEVNULL, env=os.environ | {"LC_ALL": "C"})

    def status(self, name: str) -> Row:
        text = subprocess.run([*self.far, "status", f"--socket={self.socket}"], capture_output=True, text=True, check=False).stdout
        for line in text.splitlines():
            program, *words = line.split()
            if program == name:
                return dict(word.split("=", 1) for word in words)
        return {}

    def stop(self, name: str, program: subprocess.Popen) -> None:
        subprocess.run([*self.far, "stop", f"--socket={self.socket}", name], check=False)
        program.wait()


class Swap:
    """The kernel's swap instead: one area on a disk behind such a link, and a cgroup for each program. Waiting is that of all threads, as
    tmm-fard counts it, but in samples."""
    interval_s = 0.01

    def __init__(self, build: pathlib.Path, folder: pathlib.Path, link: Link) -> None:
        mounted = folder / "link"
        mounted.mkdir(exist_ok=True)
        self.cgroups: dict[str, pathlib.Path] = {}
        self.limits: dict[str, int] = {}
        self.nr_ooms = 0
        self.waited_s: dict[str, float] = collections.defaultdict(float)
        self.looked_at: dict[str, float] = {}
        self.pager = subprocess.Popen([build / "experiments/09-far-programs/link-disk", mounted, str(SWAP_BYTES), str(in_bytes(link.size)),
                                       str(link.latency_us)])
        while not (mounted / "disk").exists():
            time.sleep(0.01)
        self.disk = subprocess.run(["losetup", "--direct-io=on", "--sector-size=4096", "--find", "--show", mounted / "disk"], check=True,
                                   capture_output=True, text=True).stdout.strip()
        for command in ("mkswap", "swapon"):
            subprocess.run([command, self.disk], check=True, capture_output=True)
        self.bytes_before = self.bytes_read()
        self.ends = threading.Event()
        self.relief = threading.Thread(target=self.relieve)
        self.relief.start()

    def relieve(self) -> None:
        """A fault fails if no page leaves soon enough. The kernel would kill the program. Instead it waits, until it may have some pages more."""
        while not self.ends.wait(0.005):
            for name, cgroup in list(self.cgroups.items()):
                with contextlib.suppress(OSError):
                    if "under_oom 1" in (cgroup / "memory.oom_control").read_text(encoding="ascii"):
                        self.nr_ooms += 1
                        self.limits[name] += RELIEF_BYTES
                        (cgroup / "memory.limit_in_bytes").write_text(str(self.limits[name]), encoding="ascii")

    def close(self) -> None:
        self.ends.set()
        self.relief.join()
        subprocess.run(["swapoff", self.disk], check=True)
        subprocess.run(["losetup", "--detach", self.disk], check=True)
        self.pager.terminate()
        self.pager.wait()
        for cgroup in self.cgroups.values():
            cgroup.rmdir()

    def start(self, name: str, program: Program) -> subprocess.Popen:
        cgroup = self.cgroups[name] = CGROUPS / f"far-{name}"
        cgroup.mkdir()
        self.limits[name] = in_bytes(program.memory) + in_bytes(program.other)
        (cgroup / "memory.limit_in_bytes").write_text(str(self.limits[name]), encoding="ascii")
        (cgroup / "memory.oom_control").write_text("1", encoding="ascii")
        return subprocess.Popen(["sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', cgroup, *program.command],
                                stdout=subprocess.DEVNULL, env=os.environ | {"LC_ALL": "C"})

    def status(self, name: str) -> Row:
        now = time.monotonic()
        self.waited_s[name] += nr_blocked(self.processes(name)) * (now - self.looked_at.get(name, now))
        self.looked_at[name] = now
        found = {"waited-ms": f"{self.waited_s[name] * 1000:.0f}", "far": str(swapped_bytes(self.disk)), "ooms": str(self.nr_ooms)}
        # The disk does not tell programs apart.
        return found | ({"link-bytes": str(self.bytes_read() - self.bytes_before)} if len(self.cgroups) == 1 else {})

    def stop(self, name: str, program: subprocess.Popen) -> None:
        for process in self.processes(name):
            os.kill(int(process), signal.SIGKILL)
        program.wait()

    def processes(self, name: str) -> list[str]:
        return (self.cgroups[name] / "cgroup.procs").read_text(encoding="ascii").split()

    def bytes_read(self) -> int:
        return int((pathlib.Path("/sys/block") / pathlib.Path(self.disk).name / "stat").read_text(encoding="ascii").split()[2]) * 512


def swapped_bytes(disk: str) -> int:
    for line in pathlib.Path("/proc/swaps").read_text(encoding="utf-8").splitlines():
        if line.split()[0] == disk:
            return int(line.split()[3]) << 10
    return 0


def nr_blocked(processes: list[str]) -> int:
    """How many of their threads wait for a page, or for one to leave. The kernel's own sums (delayacct_blkio_ticks of proc(5)) are wrong at times
    since tasks are dequeued late (6.12): one wait counted from the machine's start."""
    number = 0
    for process in processes:
        # It may have ended meanwhile.
        with contextlib.suppress(OSError):
            for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
                number += state((thread / "stat").read_text(encoding="utf-8", errors="replace")) == "D"
    return number


def state(stat: str) -> str:
    """From /proc/TID/stat."""
    return stat.rpartition(")")[2].split()[0]


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
            if nr_failed == ATTEMPTS:
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
