#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs four programs over softlib at the same time against ways to divide soft memory among them, and prints how each does."""

import argparse
import csv
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from measures import Samples, best_static, fall, halfway, parse_fio, parse_grant, parse_progress, score

APPLICATIONS = ("image-search", "rocksdb", "block-server", "timeline")
# Of each heap: the name in progress lines is the driver's, that of grants is the process's.
PROCESSES = ("soft-image-search", "soft-rocksdb", "nbdkit", "soft-timeline", "posts")
OTHER_WAYS = ("equal", "hill-climbing", "cliffhanger", "marginal-hits", "each-for-itself")
SCENARIOS = ("together", "peers", "liar", "owner", "phase", "late")
# With a budget of 512 MiB; with another one in proportion. Pictures stay as many: two minutes suffice for no more.
USUAL_BUDGET_MIB = 512
ITEMS = {"rocksdb": 400_000, "timeline": 20_000}
DISK_MIB = 600
BLOCK_KIB = 64
WATCHED_S = 3  # after the owner takes memory


class Run:
    """One run of all programs with one way. Everything that it starts ends with it."""

    def __init__(self, options, way, parts, scenario):
        self.options, self.scenario = options, scenario
        self.samples, self.grants, self.served = Samples(), [], 0
        self.resident = {}  # after the owner took memory: (second, MiB) by process
        self.processes, self.threads = [], []
        self.work = tempfile.TemporaryDirectory()
        self.arbiter = self.start([options.build / "soft-arbiter", self.work.name, options.budget_mib, way,
                                   *(f"{name}={mib}" for name, mib in parts.items())], self.take_grant, stdin=subprocess.PIPE)
        self.begin = time.monotonic()

    def start(self, command, take, **more):
        # nbdkit's cache filter keeps its file in TMPDIR: in memory, like all others' caches.
        environment = os.environ | {"SOFTLIB_COORDINATOR": f"{self.work.name}/run/soft", "TMPDIR": "/dev/shm"}
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
        if one.name == "block-server":
            # Before a cache filter, the plugin sees misses alone.
            one = dataclasses.replace(one, requests=self.served)
        self.samples.add(one, time.monotonic() - self.begin)
        self.tell(f"rebuilt {one.process} {one.rebuild_s}")

    def take_fio(self, line):
        read_kib = parse_fio(line)
        if read_kib is not None:
            self.served = read_kib // BLOCK_KIB

    def tell(self, command):
        try:
            self.arbiter.stdin.write(command + "\n")
            self.arbiter.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # It has ended; wait() sees that.

    def start_program(self, name):
        options, has_peers = self.options, self.scenario == "peers"
        common = [f"--dir={options.dir}"] + ([f"--phase-at={options.phase_at}"] if self.scenario == "phase" else [])
        if name in ITEMS:
            common.append(f"--items={scaled(options, ITEMS[name])}")
        if name != "block-server":
            peer = [f"--peer={equal_mib(options) << 20}"] if has_peers and name == "rocksdb" else []
            self.start([options.build / f"soft-{name}", *peer, *common], self.take_progress)
            return
        fifo, socket = f"{self.work.name}/progress", f"{self.work.name}/nbd"
        os.mkfifo(fifo)
        peer = ["--filter=cache"] if has_peers else []
        peer_options = ["cache-on-read=true", f"cache-max-size={equal_mib(options)}M"] if has_peers else []
        self.start(["nbdkit", "-f", "-r", "-U", socket, *peer, options.build / "libsoft-blocks.so", f"file={options.dir}/disk",
                    f"progress={fifo}", *peer_options], lambda line: None)
        self.follow((line for path in [fifo] for line in open(path, encoding="ascii")), self.take_progress)
        while not os.path.exists(socket):
            time.sleep(0.05)
        self.start(["fio", "--name=reads", "--ioengine=nbd", f"--uri=nbd+unix:///?socket={socket}", "--rw=randread",
                    f"--bs={BLOCK_KIB}k", f"--size={scaled(options, DISK_MIB)}m", "--random_distribution=zipf:0.8", "--randseed=4",
                    "--time_based", f"--runtime={options.seconds + 60}", "--output-format=terse", "--terse-version=3",
                    "--status-interval=1"], self.take_fio)

    def owner_returns(self):
        """The owner takes half of the memory."""
        processes = {name: self.samples.process_of(name) for name in (*APPLICATIONS, "posts")}
        self.resident = {name: [] for name in processes}
        self.tell(f"total {self.options.budget_mib // 2}")
        begin = time.monotonic()
        while (second := time.monotonic() - begin) < WATCHED_S:
            for name, process in processes.items():
                self.resident[name].append((second, resident_mib(process)))
            time.sleep(0.002)

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
            events[options.seconds // 2] = self.owner_returns
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


def scaled(options, usual):
    return usual * options.budget_mib // USUAL_BUDGET_MIB


def equal_mib(options):
    return options.budget_mib // len(PROCESSES)


def resident_mib(process):
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def make_data(options):
    """The disk of the block server, and the database of RocksDB, which makes it by itself."""
    options.dir.mkdir(parents=True, exist_ok=True)
    with open(options.dir / "disk", "ab") as file:
        while file.tell() < scaled(options, DISK_MIB) << 20:
            file.write(os.urandom(1 << 20))
    subprocess.run([options.build / "soft-rocksdb", "--seconds=1", f"--dir={options.dir}", f"--items={scaled(options, ITEMS['rocksdb'])}"],
                   check=True, stdout=subprocess.DEVNULL)


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
    granted = {name: sum(grant.granted_mib for grant in grants if grant.name == name and grant.second > options.since) /
                     max(1, options.seconds - options.since) for name in PROCESSES}
    table.add(scenario, shown or way, f"{score(results.values()):.3f}",
              *(f"{value:.3f}" if what == 0 else f"{value:.0f}" for result in results.values()
                for what, value in enumerate((result.progress, result.requests_per_s))),
              *(f"{granted[name]:.0f}" for name in PROCESSES))
    for name, series in one.resident.items():
        fallen_mib, begin_s, took_s = fall(series)
        print(f"# {name}: {fallen_mib:.0f} MiB back within {1000 * took_s:.0f} ms, from {begin_s:.2f} s on")
    return granted, grants


def together(options, table):
    plenty = {name: 4 * options.budget_mib for name in PROCESSES}
    equal = {name: equal_mib(options) for name in PROCESSES}
    measure(options, table, "parts", plenty, shown="plenty for each")
    granted, grants = measure(options, table, "coordinator")
    mean = {name: int(mib) for name, mib in granted.items()}
    candidates = {"coordinator's mean": mean, "coordinator's curves": best_static(grants, PROCESSES), "halfway to equal": halfway(mean, equal)}
    for name, parts in candidates.items():
        measure(options, table, "parts", parts, shown=f"static: {name}")
    for way in OTHER_WAYS:
        measure(options, table, way)


def peers(options, table):
    """Equal parts for all; RocksDB and the block server keep theirs in caches of their own, outside of soft memory."""
    measure(options, table, "equal", scenario="together")
    parts = {name: equal_mib(options) for name in PROCESSES} | {"soft-rocksdb": 0, "nbdkit": 0}
    measure(options, table, "parts", parts, scenario="peers")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    top = pathlib.Path(__file__).resolve().parents[3]
    parser.add_argument("--build", type=pathlib.Path, default=top / "build/experiments/06-soft-memory/applications",
                        help="folder with the programs")
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("/var/tmp/tmm-soft-applications"),
                        help="folder for data, 2 x the budget, made the first time; not on tmpfs")
    parser.add_argument("--budget-mib", type=int, default=USUAL_BUDGET_MIB, help="soft memory for all")
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
        elif scenario == "peers":
            peers(options, table)
        elif scenario == "liar":
            measure(options, table, "coordinator", scenario="liar")
        else:
            for way in ("equal", "coordinator"):
                measure(options, table, way, scenario=scenario)


if __name__ == "__main__":
    sys.exit(main())
