# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs on the kernel's swap. Needs root, loop devices, and version 1 of the memory controller."""

import collections
import contextlib
import os
import pathlib
import signal
import subprocess
import threading
import time

from real.program import Link, Program, Row, in_bytes

SWAP_BYTES = 512 << 20
RELIEF_BYTES = 16 << 10
CGROUPS = pathlib.Path("/sys/fs/cgroup/memory")


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
