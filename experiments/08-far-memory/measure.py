#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures far memory beside the kernel's swap: experiments/08-far-memory/measure.py [--build DIR] [--rounds N] [--megabytes N]

Runs touch-pages with a quarter of its memory local, on each store and on swap in a cgroup (version 1) with that limit, and prints a table: the
median of all rounds. Needs root, /dev/userfaultfd and Linux 6.8. Rows that this machine cannot have say why.
"""
import argparse
import contextlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOUCHES = 20_000
CGROUPS = Path("/sys/fs/cgroup/memory")


class Impossible(Exception):
    pass


def module_missing(name: str) -> str:
    """Says that the kernel has no such driver, or nothing."""
    return "" if subprocess.run(["modprobe", name], capture_output=True).returncode == 0 else f"this kernel has no {name}"


def parse(line: str) -> dict[str, float]:
    words = line.split()[:-2]
    return {key: float(value) for key, value in zip(words[::2], words[1::2])}


class Rig:
    def __init__(self, build: Path, megabytes: int, folder: Path) -> None:
        self.build, self.megabytes, self.folder = build.resolve(), megabytes, folder
        self.program = [str(self.build / "experiments/08-far-memory/touch-pages"), str(megabytes), str(TOUCHES)]
        self.local = megabytes // 4

    def run(self, command: list[str]) -> dict[str, float]:
        return parse(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def far(self, store: str, window: int) -> dict[str, float]:
        return self.run([str(self.build / "farmem/tmm-far"), "run", f"--memory={self.local}M", f"--store={store}", f"--window={window}",
                         f"--pager={self.build / 'farmem/tmm-fard'}", f"--library={self.build / 'farmem/libtmm-far.so'}",
                         f"--socket={self.folder / f'pager-{time.monotonic_ns()}'}", "--", *self.program])

    def memory(self, window: int) -> dict[str, float]:
        return self.far("memory", window)

    def file(self, window: int) -> dict[str, float]:
        return self.far(f"file={self.folder}", window)

    def memcached(self, window: int) -> dict[str, float]:
        if not shutil.which("memcached"):
            raise Impossible("memcached is not installed")
        socket = self.folder / "memcached"
        server = subprocess.Popen(["memcached", "-u", "root", "-m", str(4 * self.megabytes), "-s", socket])
        try:
            while not socket.exists():
                time.sleep(0.01)
            return self.far(f"memcached={socket},file={self.folder}", window)
        finally:
            server.kill()
            server.wait()
            socket.unlink(missing_ok=True)

    def swap(self, device: str) -> dict[str, float]:
        if not (CGROUPS / "memory.limit_in_bytes").exists():
            raise Impossible("no cgroups of version 1")
        subprocess.run(["mkswap", device], check=True, capture_output=True)
        subprocess.run(["swapon", device], check=True)
        cgroup = CGROUPS / "tmm-far-measure"
        cgroup.mkdir(exist_ok=True)
        try:
            (cgroup / "memory.limit_in_bytes").write_text(str(self.local << 20))
            return self.run(["sh", "-c", f'echo $$ >{cgroup}/cgroup.procs && exec "$@"', "sh", *self.program])
        finally:
            subprocess.run(["swapoff", device], check=True)
            cgroup.rmdir()

    def file_swap(self) -> dict[str, float]:
        file = self.folder / "swap"
        subprocess.run(["dd", "if=/dev/zero", f"of={file}", "bs=1M", f"count={2 * self.megabytes}"], check=True, capture_output=True)
        file.chmod(0o600)
        try:
            return self.swap(str(file))
        finally:
            file.unlink()

    def zram_swap(self) -> dict[str, float]:
        control = Path("/sys/class/zram-control/hot_add")
        if not control.exists():
            subprocess.run(["modprobe", "zram", "num_devices=0"], capture_output=True)
        if not control.exists():
            raise Impossible("the kernel has no zram")
        number = control.read_text().strip()
        try:
            Path(f"/sys/block/zram{number}/disksize").write_text(f"{2 * self.megabytes}M")
            return self.swap(f"/dev/zram{number}")
        finally:
            Path("/sys/class/zram-control/hot_remove").write_text(number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=int, default=256)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        rig = Rig(options.build, options.megabytes, folder)
        rows = {"all local": lambda: rig.run(rig.program),
                "memory": lambda: rig.memory(32), "memory, no window": lambda: rig.memory(0),
                "memcached on a Unix socket": lambda: rig.memcached(32), "memcached, no window": lambda: rig.memcached(0),
                "file": lambda: rig.file(32),
                "kernel's swap on a file": rig.file_swap, "kernel's swap on zram": rig.zram_swap}
        print(f"{options.megabytes} MiB, {rig.local} MiB local, {options.rounds} rounds\n")
        print("| far memory in | fault, p50 us | p99 us | sequential MB/s |\n| --- | --- | --- | --- |")
        # The rows take turns, so that a busy minute does not make one of them slow.
        results: dict[str, list] = {name: [] for name in rows}
        impossible = {"kernel's swap on nbd": module_missing("nbd"), "kernel's swap on ublk": module_missing("ublk_drv")}
        for _ in range(options.rounds):
            for name, measure in rows.items():
                try:
                    results[name].append(measure())
                except (Impossible, OSError, subprocess.CalledProcessError) as error:
                    impossible[name] = str(error)
        for name in (*rows, *impossible):
            if impossible.get(name):
                print(f"| {name} | {impossible[name]} | | |")
            if not results.get(name):
                continue
            middle = {key: statistics.median(result[key] for result in results[name]) for key in results[name][0]}
            print(f"| {name} | {middle['p50_us']:.1f} | {middle['p99_us']:.1f} | {middle['sequential_mb_s']:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
