#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as root in a virtual machine with systemd and a kernel without TMM, with the packages in /opt/tmm/debs: programs of an owner and
contributions come, work and go at random for hours, and the owner pauses, switches off, and takes the swap away. systemd-oomd watches the
owner's session. Prints TAP; /results has the journal and soak.csv. soak.py MINUTES SEED."""

import csv
import pathlib
import pwd
import random
import signal
import statistics
import sys
import time
from collections.abc import Callable

import helpers
import stock
from computer import RESULTS, install, journal_is_clean, run
from tap import Tap

MAX_OWNERS, MAX_CONTRIBUTIONS = 3, 3
OWNER_MB, CONTRIBUTION_MB = (10, 40), (20, 200)
PAUSE_S = (1, 30)
# Steps between two times of rest, in which all contributions must thaw.
STEPS_TO_REST = 20
REST_S = 30
MAX_MB = 16  # of tmmd, in all its processes
MAX_GROWTH = 1.1
ALARM_FILES = 16


def is_frozen(program: stock.Program) -> bool:
    return "frozen 1" in stock.text(program.cgroup / "cgroup.events")


def field_kb(file: str, name: str) -> int:
    """Of a file of /proc with a line for each field."""
    return next(int(line.split()[1]) for line in stock.text(file).splitlines() if line.startswith(f"{name}:"))


def memory_kb(pid: int) -> int:
    """With its share of what processes share."""
    return field_kb(f"/proc/{pid}/smaps_rollup", "Pss")


def nr_files(pid: int) -> int:
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


class Soak:
    """What happens on the machine, and what tmmd needs meanwhile."""

    def __init__(self, computer: stock.Computer, minutes: float, seed: int) -> None:
        self.computer = computer
        self.minutes = minutes
        self.random = random.Random(seed)
        self.owners: list[stock.Program] = []
        self.contributions: list[stock.Program] = []
        self.pid = 0
        self.memory: list[int] = []
        self.files: list[int] = []

    # Each returns whether it did something.

    def open(self) -> bool:
        if len(self.owners) >= MAX_OWNERS:
            return False
        self.owners.append(self.computer.start("owner", self.random.randint(*OWNER_MB), self.random.randint(*OWNER_MB), 0))
        return True

    def give(self) -> bool:
        if len(self.contributions) >= MAX_CONTRIBUTIONS:
            return False
        self.contributions.append(self.computer.start_contribution(anon_mb=self.random.randint(*CONTRIBUTION_MB)))
        return True

    def end_one_of(self, programs: list[stock.Program]) -> bool:
        if not programs:
            return False
        programs.pop(self.random.randrange(len(programs))).end()
        return True

    def is_watched(self) -> str:
        run("systemctl", "is-active", "systemd-oomd")
        watched = run("oomctl")
        assert f"user@{pwd.getpwnam('owner').pw_uid}.service" in watched, watched
        return ""

    def use(self) -> bool:
        loaded = [owner for owner in self.owners if owner.is_filled()]
        for owner in loaded:
            owner.touch()
        return bool(loaded)

    def pause(self) -> bool:
        run("tmmctl", "pause", "1min")
        return True

    def switch(self) -> bool:
        run("tmmctl", "off")
        time.sleep(self.random.uniform(*PAUSE_S))
        run("tmmctl", "on")
        return True

    def take_the_swap_away(self) -> bool:
        devices = stock.swap_devices()
        swapped_kb = field_kb("/proc/meminfo", "SwapTotal") - field_kb("/proc/meminfo", "SwapFree")
        # Without room for what was swapped out the kernel would kill swapoff.
        if not devices or 2 * swapped_kb > field_kb("/proc/meminfo", "MemAvailable"):
            return False
        run("swapoff", *devices)
        time.sleep(self.random.uniform(*PAUSE_S))
        run("swapon", *devices)
        return True

    def set_the_clock(self) -> bool:
        now, monotonic = time.time(), time.monotonic()
        run("date", "--utc", f"--set=@{now + self.random.randint(-86400, 86400)}")
        time.sleep(3)
        run("date", "--utc", f"--set=@{now + time.monotonic() - monotonic:.0f}")
        return True

    def reload(self) -> bool:
        run("systemctl", "daemon-reload")
        run("systemctl", "reload", "tmmd")
        return True

    def actions(self) -> dict[str, tuple[int, Callable[[], bool]]]:
        """Each with its weight."""
        return {"open": (4, self.open), "give": (4, self.give), "close": (3, lambda: self.end_one_of(self.owners)),
                "take back": (3, lambda: self.end_one_of(self.contributions)), "use": (10, self.use), "pause": (1, self.pause),
                "switch": (1, self.switch), "swap": (1, self.take_the_swap_away), "clock": (1, self.set_the_clock), "reload": (1, self.reload)}

    def rest(self) -> None:
        run("tmmctl", "resume")
        time.sleep(REST_S)
        stock.eventually(lambda: not any(map(is_frozen, self.contributions)), "all contributions run while nobody wants memory")

    def check(self) -> None:
        ended = [program.folder_.name for program in self.owners + self.contributions if not program.is_alive()]
        assert not ended, f"ended: {', '.join(ended)}"
        assert stock.nr_oom_kills() == 0, "a program was killed for lack of memory"
        assert stock.main_pid() == self.pid, "tmmd has ended"

    def go_on(self) -> str:
        self.pid = stock.main_pid()
        actions = self.actions()
        done = dict.fromkeys(actions, 0)
        # Drawn as from a deck: all of them before the first comes again.
        cards = [name for name, (weight, _) in actions.items() for _ in range(weight)]
        deck: list[str] = []
        drawn = 0
        end = time.monotonic() + 60 * self.minutes
        with (RESULTS / "soak.csv").open("w", newline="", encoding="ascii") as file:
            table = csv.writer(file)
            table.writerow(["uptime_s", "action", "memory_kb", "files", "settings", "opaque_limit_bytes", "state"])
            step = 0
            # A busy host may not get through them in time.
            while time.monotonic() < end or drawn < len(cards):
                step += 1
                if step % STEPS_TO_REST == 0:
                    name = "rest"
                    self.rest()
                else:
                    deck = deck or self.random.sample(cards, len(cards))
                    name = deck.pop()
                    drawn += 1
                    done[name] += actions[name][1]()
                time.sleep(self.random.uniform(*PAUSE_S))
                self.check()
                self.memory.append(sum(memory_kb(pid) for pid in helpers.processes().values()))
                self.files.append(nr_files(self.pid))
                status = stock.tmm_status()
                table.writerow([f"{time.monotonic():.0f}", name, self.memory[-1], self.files[-1], len(stock.text(stock.SAVED).splitlines()),
                                status.get("opaque_limit_bytes", ""), status.get("state", "")])
                file.flush()
        unused = [name for name, times in done.items() if not times]
        assert not unused, f"never done: {', '.join(unused)}"
        return f"{step} steps in {self.minutes:g} min: " + ", ".join(f"{name} {times}" for name, times in done.items())

    def does_not_grow(self) -> str:
        quarter = max(1, len(self.memory) // 4)
        early, late = (statistics.median(part) for part in (self.memory[quarter:2 * quarter], self.memory[-quarter:]))
        # The first alarm opens the counters of waiting of the owner's cgroups (StallAlarm::max_cgroups), and tmmd keeps them open.
        before, files = (statistics.median(part) for part in (self.files[:quarter], self.files[-quarter:]))
        note = f"{early:.0f} kB in the second quarter, {late:.0f} kB in the last; {before:.0f} open files in the first, {files:.0f} in the last"
        grew = late > MAX_GROWTH * early or files > before + ALARM_FILES + 2
        assert not grew and max(self.memory) <= MAX_MB * 1024, f"{note}; at most {max(self.memory)} kB"
        return note

    def ends(self) -> None:
        for program in self.owners + self.contributions:
            program.end()
        run("systemctl", "stop", "tmmd")
        left = {path: value for path, value in stock.settings().items() if path not in self.computer.without_tmmd}
        assert not left, f"left behind: {left}"


def main() -> int:
    computer = stock.Computer()
    soak = Soak(computer, float(sys.argv[1]), int(sys.argv[2]))
    # The steps have their own bounds.
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    tap = Tap()
    tap.test("the owner is logged in", computer.log_in)
    tap.test("the packages are installed", install)
    tap.test("tmmd runs, is enabled, and protects the owner", computer.starts)
    tap.test("a stop restores all settings", computer.stop_restores)
    tap.test("systemd-oomd watches the owner's session", soak.is_watched)
    tap.test("nobody is killed, and nothing stays frozen", soak.go_on)
    tap.test("tmmd does not grow", soak.does_not_grow)
    tap.test("a stop leaves no setting behind", soak.ends)
    tap.test("the journal has no error that TMM can cause", journal_is_clean)
    return tap.finish()


if __name__ == "__main__":
    raise SystemExit(main())
