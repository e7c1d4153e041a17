#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that check each page come and go, their limits move, and all parts of far memory are killed now and then: soak.py [--seconds N]
[--seed N] [--build DIR]. Prints TAP: nothing wrong, and nobody hung. A lost page may end a program of stores that both may lose it."""
import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MAX_PROGRAMS = 3
MIN_LIMIT_MIB = 4
COMPACT = Path("/proc/sys/vm/compact_memory")
# Beyond its time, and since its last fault: a slow store or a busy machine is no hang.
HUNG_AFTER_S = 120


@dataclass
class Program:
    process: subprocess.Popen
    errors: Path
    mebibytes: int
    ends: float
    store: str
    was_killed: bool = False
    saw_kill: bool = False  # of a part that it may need to start
    faults: int = 0
    moved: float = 0  # when it had another fault


class Soak:
    def __init__(self, build: Path, folder: Path, seed: int) -> None:
        self.far, self.folder, self.random = build.resolve() / "farmem", folder, random.Random(seed)
        self.servers: dict[str, subprocess.Popen] = {}
        self.programs: dict[str, Program] = {}
        self.nr_started = self.faults = self.checked = self.kills = 0
        self.problems: list[str] = []
        self.start_pager()
        for name in ("liar", "small", "big"):
            self.start_server(name)

    def start_pager(self) -> None:
        (self.folder / "pager").unlink(missing_ok=True)
        self.pager = subprocess.Popen([self.far / "tmm-fard", f"--socket={self.folder / 'pager'}"], stderr=subprocess.DEVNULL)
        while not self.far_says("status") and self.pager.poll() is None:
            time.sleep(0.02)
        if self.pager.poll() is not None:
            self.problems.append("the pager does not start")

    def start_server(self, name: str) -> None:
        path = self.folder / name
        path.unlink(missing_ok=True)
        command = {"liar": [sys.executable, HERE / "liar.py", path, str(self.random.randrange(1000))],
                   "small": ["memcached", "-u", "root", "-m", "16", "-s", path],
                   "big": ["memcached", "-u", "root", "-M", "-m", "512", "-s", path]}[name]
        self.servers[name] = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        with socket.socket(socket.AF_UNIX) as client:
            while client.connect_ex(str(path)) != 0:
                time.sleep(0.01)

    def far_says(self, *words: str) -> subprocess.CompletedProcess | None:
        run = subprocess.run([self.far / "tmm-far", words[0], f"--socket={self.folder / 'pager'}", *words[1:]], capture_output=True, text=True)
        return run if run.returncode == 0 and (self.folder / "pager").exists() else None

    def limit(self, mebibytes: int) -> str:
        """Mostly less than half of the program, so that it faults all the time."""
        return f"{self.random.randrange(MIN_LIMIT_MIB, mebibytes * 2 if self.random.random() < 0.1 else mebibytes // 2)}M"

    def start_program(self) -> None:
        self.nr_started += 1
        name = f"p{self.nr_started}"
        liar, small, big = (f"memcached={self.folder / server}" for server in ("liar", "small", "big"))
        file = f"file={self.folder}"
        store = self.random.choice(["memory", "memory,quota=16M", file, f"{liar},{file}", f"{small},{file}", f"{big},{liar},{file}",
                                    f"{liar},copy={self.folder / 'big'}"])
        seconds = self.random.randrange(5, 20)
        modes = self.random.choice([[], ["fork"], ["map"], ["fork", "map"], ["fill"], ["hot"], ["fork", "hot"]])
        mebibytes = self.random.randrange(4, 24) * 4
        errors = self.folder / f"{name}.err"
        with open(errors, "wb") as file_of_errors:
            process = subprocess.Popen([self.far / "tmm-far", "run", f"--memory={self.limit(mebibytes)}", f"--name={name}",
                                        f"--store={store}", f"--window={self.random.choice([0, 8, 32, 256])}",
                                        f"--socket={self.folder / 'pager'}", f"--library={self.far / 'libtmm-far.so'}", "--",
                                        self.far / "check-pages", str(mebibytes), str(self.random.randrange(1, 4)),
                                        str(seconds), *modes], stdout=subprocess.PIPE, stderr=file_of_errors, text=True, cwd=self.folder)
        self.programs[name] = Program(process, errors, mebibytes, time.monotonic() + seconds + HUNG_AFTER_S, f"{store} {modes}")

    def look(self) -> None:
        if status := self.far_says("status"):
            for line in status.stdout.splitlines():
                name, *values = line.split()
                faults = int(dict(value.split("=", 1) for value in values)["faults"])
                if name in self.programs and self.programs[name].faults != faults:
                    self.programs[name].faults, self.programs[name].moved = faults, time.monotonic()
        for name, program in list(self.programs.items()):
            if program.process.poll() is None:
                if time.monotonic() > max(program.ends, program.moved + HUNG_AFTER_S):
                    self.problems.append(f"{name} on {program.store} hung: {status.stdout if status else ''}")
                    program.process.kill()
                continue
            out, errors = program.process.communicate()[0], program.errors.read_text()
            self.faults += program.faults
            self.checked += int(out.split()[0]) if out else 0
            code = program.process.returncode
            may_lose = "copy=" in program.store and "no copy of a page" in errors
            # check-pages or a child of it is killed, or tmm-far meets a part that is just being killed.
            is_end = code in (-signal.SIGKILL, -signal.SIGBUS) or "a child ended with 0x9" in errors
            if "instead of" in errors or not (code == 0 or (is_end and (program.was_killed or may_lose)) or
                                              (code == 125 and program.saw_kill)):
                self.problems.append(f"{name} on {program.store} ended with {code}: {errors[:500]}")
            program.errors.unlink()
            del self.programs[name]

    def act(self) -> None:
        choice = self.random.random()
        if self.pager.poll() is not None:
            self.problems.append(f"the pager ended with {self.pager.returncode}")
            self.start_pager()
        elif choice < 0.6 and self.programs:
            name = self.random.choice(list(self.programs))
            self.far_says("limit", name, self.limit(self.programs[name].mebibytes))
        elif choice < 0.61:
            # The kernel migrates pages.
            if os.access(COMPACT, os.W_OK):
                COMPACT.write_text("1")
        elif choice < 0.63 and self.programs:
            program = self.random.choice(list(self.programs.values()))
            program.was_killed = True
            program.process.kill()
            self.kills += 1
        elif choice < 0.66:
            name = self.random.choice(list(self.servers))
            self.kill(self.servers[name])
            self.start_server(name)
        elif choice < 0.665:
            for program in self.programs.values():
                program.was_killed = True
            self.kill(self.pager)
            # What it had in there nobody drops any more.
            self.kill(self.servers["big"])
            self.start_server("big")
            self.start_pager()

    def kill(self, part: subprocess.Popen) -> None:
        for program in self.programs.values():
            program.saw_kill = True
        part.kill()
        part.wait()
        self.kills += 1

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end or self.programs:
            while time.monotonic() < end and len(self.programs) < MAX_PROGRAMS:
                self.start_program()
            if time.monotonic() < end:
                self.act()
            self.look()
            time.sleep(self.random.uniform(0, 0.4))

    def processes(self) -> list[int]:
        """Programs and their children: they alone work in the folder."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd") == str(self.folder):
                    found.append(int(process.name))
            except OSError:
                pass
        return found

    def stop(self) -> None:
        # A child that nobody waits for any more ends, too.
        self.pager.kill()
        end = time.monotonic() + HUNG_AFTER_S
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.1)
        for pid in left:
            self.problems.append(f"process {pid} hung")
            os.kill(pid, signal.SIGKILL)
        for process in (self.pager, *self.servers.values(), *(program.process for program in self.programs.values())):
            process.kill()
            process.wait()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    print(f"# --seed={options.seed}", flush=True)
    if not os.access("/dev/userfaultfd", os.R_OK | os.W_OK):
        print("ok 1 - soak # SKIP no access to /dev/userfaultfd\n1..1")
        return 0
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        soak = Soak(options.build, Path(folder), options.seed)
        try:
            soak.run(options.seconds)
        finally:
            soak.stop()
    for problem in soak.problems:
        print("# " + problem.replace("\n", "\n# "))
    print(f"# {soak.nr_started} programs, {soak.kills} kills, {soak.faults} faults, {soak.checked} pages checked by programs that ended")
    print(f"{'not ' if soak.problems else ''}ok 1 - soak\n1..1")
    return 1 if soak.problems else 0


if __name__ == "__main__":
    sys.exit(main())
