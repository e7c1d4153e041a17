#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs four programs over softlib at the same time against ways to divide soft memory among them, and prints how each does."""

import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from measures import Samples, best_static, parse_grant, parse_progress, score

APPLICATIONS = ("image-search", "rocksdb", "block-server", "timeline")
# Of each heap: the name in progress lines is the driver's, that of grants is the process's.
PROCESSES = ("soft-image-search", "soft-rocksdb", "nbdkit", "soft-timeline", "posts")
OTHER_WAYS = ("equal", "hill-climbing", "cliffhanger", "marginal-hits", "each-for-itself")
SCENARIOS = ("together", "liar", "owner", "phase", "late")
DISK_MIB = 600


class Run:
    """One run of all programs with one way. Everything that it starts ends with it."""

    def __init__(self, options, way, parts, scenario):
        self.options, self.scenario = options, scenario
        self.samples, self.grants = Samples(), []
        self.processes, self.threads = [], []
        self.work = tempfile.TemporaryDirectory()
        self.arbiter = self.start([options.build / "soft-arbiter", self.work.name, options.budget_mib, way,
                                   *(f"{name}={mib}" for name, mib in parts.items())], self.take_grant, stdin=subprocess.PIPE)
        self.begin = time.monotonic()

    def start(self, command, take, **more):
        environment = os.environ | {"SOFTLIB_COORDINATOR": f"{self.work.name}/run/soft"}
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True, env=environment, **more)
        self.processes.append(process)
        self.follow(process.stdout, take)
        return process

    def follow(self, lines, take):
        thread = threading.Thread(target=lambda: [take(line) for line in lines], daemon=True)
        thread.start()
        self.threads.append(thread)

    def take_grant(self, line):
        self.grants.append(parse_grant(line))

    def take_progress(self, line):
        one = parse_progress(line)
        if one is None:
            return
        self.samples.add(one, time.monotonic() - self.begin)
        self.tell(f"rebuilt {one.process} {one.rebuild_s}")

    def tell(self, command):
        try:
            self.arbiter.stdin.write(command + "\n")
            self.arbiter.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # It has ended; wait() sees that.

    def start_program(self, name):
        options = self.options
        common = [f"--dir={options.dir}"] + ([f"--phase-at={options.phase_at}"] if self.scenario == "phase" else [])
        if name != "block-server":
            self.start([options.build / f"soft-{name}", *common], self.take_progress)
            return
        fifo, socket = f"{self.work.name}/progress", f"{self.work.name}/nbd"
        os.mkfifo(fifo)
        self.start(["nbdkit", "-f", "-r", "-U", socket, options.build / "libsoft-blocks.so", f"file={options.dir}/disk",
                    f"progress={fifo}"], lambda line: None)
        self.follow((line for path in [fifo] for line in open(path, encoding="ascii")), self.take_progress)
        while not os.path.exists(socket):
            time.sleep(0.05)
        self.start(["fio", "--name=reads", "--ioengine=nbd", f"--uri=nbd+unix:///?socket={socket}", "--rw=randread", "--bs=64k",
                    f"--size={DISK_MIB}m", "--random_distribution=zipf:0.8", "--randseed=4", "--time_based",
                    f"--runtime={options.seconds + 60}", "--output-format=terse"], lambda line: None)

    def wait(self):
        """Until the end of the run. Raises RuntimeError if a program ends before."""
        options, late = self.options, self.scenario == "late"
        for name in APPLICATIONS[1:] if late else APPLICATIONS:
            self.start_program(name)
        self.begin = time.monotonic()
        events = {}
        if late:
            events[options.seconds // 3] = lambda: self.start_program(APPLICATIONS[0])
        if self.scenario == "owner":
            events[options.seconds // 2] = lambda: self.tell(f"total {options.budget_mib // 2}")
        if self.scenario == "liar":
            events[3] = lambda: self.tell(f"lie {self.samples.process_of('rocksdb')} 1000")
        for second in range(1, options.seconds + 1):
            time.sleep(max(0, self.begin + second - time.monotonic()))
            events.get(second, lambda: None)()
            ended = [process.args[0] for process in self.processes if process.poll() is not None]
            if ended:
                raise RuntimeError(f"ended: {' '.join(ended)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()
        for thread in self.threads:
            thread.join(timeout=5)
        self.work.cleanup()


def make_data(options):
    """The disk of the block server, and the database of RocksDB, which makes it by itself."""
    options.dir.mkdir(parents=True, exist_ok=True)
    disk = options.dir / "disk"
    if not disk.exists():
        with open(disk, "wb") as file:
            for _ in range(DISK_MIB):
                file.write(os.urandom(1 << 20))
    subprocess.run([options.build / "soft-rocksdb", "--seconds=1", f"--dir={options.dir}"], check=True, stdout=subprocess.DEVNULL)


class Table:
    """Rows as they come, in a file and on stdout."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="ascii", newline="")
        self.rows = csv.writer(self.file, lineterminator="\n")
        self.add("scenario", "way", "score", *(f"{name} {what}" for name in APPLICATIONS for what in ("progress", "requests/s")),
                 *(f"{name} MiB" for name in PROCESSES))

    def add(self, *row):
        self.rows.writerow(row)
        self.file.flush()
        print(*row, sep=",", flush=True)


def measure(options, table, way, parts=None, scenario="together", shown=None):
    with Run(options, way, parts or {}, scenario) as one:
        one.wait()
    samples, grants = one.samples, one.grants
    seconds = (options.since, options.seconds)
    results = {name: samples.between(name, *seconds) for name in APPLICATIONS}
    mean = score(results.values())
    granted = {name: sum(grant.granted_mib for grant in grants if grant.name == name and grant.second > options.since) /
                     max(1, options.seconds - options.since) for name in PROCESSES}
    table.add(scenario, shown or way, f"{mean:.3f}",
              *(f"{value:.3f}" if what == 0 else f"{value:.0f}" for result in results.values()
                for what, value in enumerate((result.progress, result.requests_per_s))),
              *(f"{granted[name]:.0f}" for name in PROCESSES))
    return mean, granted, grants


def together(options, table):
    plenty = {name: 4 * options.budget_mib for name in PROCESSES}
    _, _, grants = measure(options, table, "parts", plenty, shown="plenty for each")
    _, granted, _ = measure(options, table, "coordinator")
    candidates = (best_static(grants, PROCESSES), {name: int(mib) for name, mib in granted.items()})
    for number, parts in enumerate(candidates, 1):
        measure(options, table, "parts", parts, shown=f"static {number}")
    for way in OTHER_WAYS:
        measure(options, table, way)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    top = pathlib.Path(__file__).resolve().parents[3]
    parser.add_argument("--build", type=pathlib.Path, default=top / "build/experiments/06-soft-memory/applications",
                        help="folder with the programs")
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("/var/tmp/tmm-soft-applications"),
                        help="folder for 1 GB of data, made the first time; not on tmpfs")
    parser.add_argument("--budget-mib", type=int, default=512, help="soft memory for all")
    parser.add_argument("--seconds", type=int, default=120, help="of a run")
    parser.add_argument("--since", type=int, default=60, help="the score counts from this second on")
    parser.add_argument("--phase-at", type=int, default=40, help="second of the change of phase")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("/dev/null"), help="CSV file")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=" ".join(SCENARIOS))
    options = parser.parse_args()
    unknown = set(options.scenarios) - set(SCENARIOS)
    if unknown:
        parser.error(f"no scenario {' '.join(unknown)}")
    make_data(options)
    table = Table(options.out)
    for scenario in options.scenarios or SCENARIOS:
        if scenario == "together":
            together(options, table)
        elif scenario == "liar":
            measure(options, table, "coordinator", scenario="liar")
        else:
            for way in ("equal", "coordinator"):
                measure(options, table, way, scenario=scenario)


if __name__ == "__main__":
    sys.exit(main())
