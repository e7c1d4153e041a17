#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures far memory beside the kernel's swap: experiments/08-far-memory/measure.py [--rounds N] [--rows GLOB...] [--out FILE]

Runs touch-pages on each store, and on swap in a cgroup with the same local memory, and appends a row to FILE for each run. Needs root,
/dev/userfaultfd, Linux 6.8 and memcached. Rows that this machine cannot have say why.
"""
import argparse
import contextlib
import csv
import fnmatch
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TOUCHES = 20_000
# Of which few are faults.
HIT_TOUCHES = 200_000
# In FluidMem's Table II almost nothing is local: 4 MiB is the least.
PAPER_MEBIBYTES, PAPER_LOCAL = 64, 4
# FluidMem's names of its optimisations, and the parts that are off without them.
SETTINGS = {"default": "async-read,async-write", "async read": "async-write", "async write": "async-read", "async read and write": "none"}
CGROUPS = Path("/sys/fs/cgroup")
COLUMNS = ("kernel", "row", "sequential_mb_s", "sequential_us", "random_us", "p50_us", "p99_us", "slow_touches")
TIMEOUT_S = 200


class Impossible(Exception):
    pass


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            raise Impossible(f"{program} is not installed")


def need_driver(name: str) -> None:
    if not Path("/sys/module", name).exists() and subprocess.run(["modprobe", name], capture_output=True, check=False).returncode != 0:
        raise Impossible(f"this kernel has no {name}")


def parse(line: str) -> dict[str, str]:
    words = line.split()
    return dict(zip(words[::2], words[1::2]))


def wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.01)


class Rig:
    def __init__(self, build: Path, mebibytes: int, folder: Path) -> None:
        self.build, self.mebibytes, self.folder = build.resolve(), mebibytes, folder
        self.local = mebibytes // 4

    def touch(self, *words: str) -> list[str]:
        return [str(self.build / "experiments/08-far-memory/touch-pages"), *words]

    def run(self, command: list[str]) -> dict[str, str]:
        return parse(subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIMEOUT_S).stdout)

    def reads(self) -> list[str]:
        return self.touch(str(self.mebibytes), str(TOUCHES))

    @contextlib.contextmanager
    def server(self) -> Iterator[Path]:
        """memcached on a Unix socket, which refuses what it has no room for."""
        need("memcached")
        path = self.folder / "memcached"
        server = subprocess.Popen(["memcached", "-u", "root", "-M", "-m", str(4 * self.mebibytes), "-s", path])
        try:
            with socket.socket(socket.AF_UNIX) as client:
                while client.connect_ex(str(path)) != 0:
                    time.sleep(0.01)
            yield path
        finally:
            server.kill()
            server.wait()
            path.unlink(missing_ok=True)

    def far(self, store: str, local: int, command: list[str], *options: str) -> dict[str, str]:
        return self.run([str(self.build / "farmem/tmm-far"), "run", f"--memory={local}M", f"--store={store}", *options,
                         f"--pager={self.build / 'farmem/tmm-fard'}", f"--library={self.build / 'farmem/libtmm-far.so'}",
                         f"--socket={self.folder / f'pager-{time.monotonic_ns()}'}", "--", *command])

    def far_on_memcached(self, local: int, command: list[str], *options: str) -> dict[str, str]:
        with self.server() as path:
            return self.far(f"memcached={path},file={self.folder}", local, command, *options)

    def swap(self, device: str) -> dict[str, str]:
        subprocess.run(["mkswap", device], check=True, capture_output=True)
        subprocess.run(["swapon", device], check=True)
        is_first_version = (CGROUPS / "memory").exists()
        cgroup = (CGROUPS / "memory" if is_first_version else CGROUPS) / "tmm-far-measure"
        cgroup.mkdir(exist_ok=True)
        try:
            (cgroup / ("memory.limit_in_bytes" if is_first_version else "memory.max")).write_text(str(self.local << 20))
            return self.run(["sh", "-c", f'echo $$ >{cgroup}/cgroup.procs && exec "$@"', "sh", *self.reads()])
        finally:
            subprocess.run(["swapoff", device], check=True)
            cgroup.rmdir()

    def file_swap(self) -> dict[str, str]:
        file = self.folder / "swap"
        subprocess.run(["dd", "if=/dev/zero", f"of={file}", "bs=1M", f"count={2 * self.mebibytes}"], check=True, capture_output=True)
        file.chmod(0o600)
        try:
            return self.swap(str(file))
        finally:
            file.unlink()

    def zram_swap(self) -> dict[str, str]:
        control = Path("/sys/class/zram-control/hot_add")
        if not control.exists():
            need_driver("zram")
        number = control.read_text().strip()
        try:
            Path(f"/sys/block/zram{number}/disksize").write_text(f"{2 * self.mebibytes}M")
            return self.swap(f"/dev/zram{number}")
        finally:
            Path("/sys/class/zram-control/hot_remove").write_text(number)

    def nbd_swap(self) -> dict[str, str]:
        need("nbdkit", "nbd-client")
        need_driver("nbd")
        plugin = self.build / "experiments/08-far-memory/libmemcached-disk.so"
        path = self.folder / "nbd"
        with self.server() as server:
            disk = subprocess.Popen(["nbdkit", "-f", "-U", path, plugin, f"server={server}", f"size={2 * self.mebibytes}M"])
            try:
                wait_for(path)
                # A connection a processor, so that reads need not wait for writes.
                subprocess.run(["nbd-client", "-unix", path, "/dev/nbd0", "-b", "4096", "-C", str(os.cpu_count()), "-swap"], check=True,
                               capture_output=True)
                try:
                    return self.swap("/dev/nbd0")
                finally:
                    subprocess.run(["nbd-client", "-d", "/dev/nbd0"], check=True, capture_output=True)
            finally:
                disk.terminate()
                disk.wait()
                path.unlink(missing_ok=True)

    def ublk_swap(self) -> dict[str, str]:
        program = self.build / "experiments/08-far-memory/ublk-server"
        if not program.exists():
            raise Impossible("liburing was not there to build ublk-server")
        need_driver("ublk_drv")
        with self.server() as server, subprocess.Popen([program, server, str(2 * self.mebibytes << 20)], stdout=subprocess.PIPE) as disk:
            try:
                if disk.stdout.readline() != b"ready\n":
                    raise Impossible("ublk-server failed")
                return self.swap("/dev/ublkb0")
            finally:
                disk.terminate()

    def rows(self) -> dict[str, Callable[[], dict[str, str]]]:
        # The program fits into local memory with the slots: a page that is not local is in a slot.
        hits = self.touch(str(self.local - 2), str(HIT_TOUCHES))
        rows = {
            "all local": lambda: self.run(self.reads()),
            "slot": lambda: self.far("memory", self.local, hits, "--window=0"),
            "memory": lambda: self.far("memory", self.local, self.reads(), "--window=32"),
            "memory, no window": lambda: self.far("memory", self.local, self.reads(), "--window=0"),
            "memcached": lambda: self.far_on_memcached(self.local, self.reads(), "--window=32"),
            "memcached, no window": lambda: self.far_on_memcached(self.local, self.reads(), "--window=0"),
            "file": lambda: self.far(f"file={self.folder}", self.local, self.reads(), "--window=32"),
            "swap, file": self.file_swap, "swap, zram": self.zram_swap, "swap, nbd": self.nbd_swap, "swap, ublk": self.ublk_swap}
        rows |= {
            "memcached, no window, without spin": lambda: self.far_on_memcached(self.local, self.reads(), "--window=0", "--without=spin"),
            "memcached, without spin": lambda: self.far_on_memcached(self.local, self.reads(), "--window=32", "--without=spin")}
        writes = self.touch(str(PAPER_MEBIBYTES), str(TOUCHES), "write")
        for setting, off in SETTINGS.items():
            options = ("--window=0", f"--without={off}")
            rows[f"paper, memory, {setting}"] = lambda options=options: self.far("memory", PAPER_LOCAL, writes, *options)
            rows[f"paper, memcached, {setting}"] = lambda options=options: self.far_on_memcached(PAPER_LOCAL, writes, *options)
        return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", nargs="+", default=["*"], metavar="GLOB", help="names of rows, for example 'paper, *'")
    parser.add_argument("--mebibytes", type=int, default=256, help="of the program; a quarter is local")
    parser.add_argument("--out", type=Path, default=Path("touches.csv"))
    options = parser.parse_args()
    # No swap may stay behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, options.out.open("a", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        if out.tell() == 0:
            table.writeheader()
        rows = {name: row for name, row in Rig(options.build, options.mebibytes, Path(folder)).rows().items()
                if any(fnmatch.fnmatchcase(name, glob) for glob in options.rows)}
        # The rows take turns, so that a busy minute does not make one of them slow.
        for _ in range(options.rounds):
            for name, measure in list(rows.items()):
                try:
                    found = {"kernel": os.uname().release, "row": name} | measure()
                except Impossible as reason:
                    print(f"{name}: {reason}", flush=True)
                    del rows[name]
                    continue
                table.writerow(found)
                out.flush()
                print(*(f"{key} {value}" for key, value in found.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
