# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine with two people for attack.py: the victim works, and mallory attacks tmmd or the victim as an unprivileged user. Files of attacks/
import it in both roles: root looks, mallory attacks."""

import contextlib
import os
import pathlib
import pwd
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

import stock
from computer import CGROUPS, run

FOLDER = pathlib.Path(__file__).resolve().parent
MB = 1 << 20
# Hours of learning in minutes.
TIME_LAPSE = 60
DROPIN = pathlib.Path("/run/systemd/system/tmmd.service.d/attack.conf")
TMMD_CGROUP = CGROUPS / "system.slice/tmmd.service"
# Only something that never happens takes so long.
DEADLINE_S = 120
# Of the victim's programs: one reads a file that it holds open, by read(2), and one touches its memory.
READ_MB, TOUCHED_MB = 50, 20
# Memory that mallory has and never uses.
IDLE_MB = 60
# Share of the memory that the victim uses.
MIN_KEPT = 0.9
# Memory that mallory's programs gave back since the last decision.
SLACK = 16 * MB
# Mallory's processes have numbers below the victim's, as text and as numbers: a bound that the first in order win is theirs.
MALLORYS_PIDS, VICTIMS_PIDS = 2000, 9000


def eventually(condition: Callable[[], object], what: str, state: Callable[[], str] = lambda: "", deadline_s: float = DEADLINE_S) -> None:
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, f"never: {what}\n{state()}"
        time.sleep(0.3)


def notify() -> None:
    """Tells the service manager that the program is under way. A contribution has nobody to tell."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.sendto(b"READY=1", address)


def attack_until_stopped(begin: Callable[[], None], end: Callable[[], None] = lambda: None) -> None:
    """As mallory: begins the attack, and waits to be stopped."""
    begin()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    notify()
    signal.sigwait({signal.SIGTERM})
    end()


def own_cgroup() -> pathlib.Path:
    return CGROUPS / stock.text("/proc/self/cgroup").partition("0::/")[2]


def next_pid(number: int) -> None:
    pathlib.Path("/proc/sys/kernel/ns_last_pid").write_text(str(number), encoding="ascii")


class Person:
    """A user with a service manager, as on a desktop."""

    def __init__(self, name: str) -> None:
        self.name = name

    def log_in(self) -> None:
        run("useradd", "--create-home", "--shell", "/bin/bash", self.name)
        run("loginctl", "enable-linger", self.name)
        eventually(lambda: subprocess.run(self.command("systemctl", "--user", "is-system-running"), capture_output=True, check=False,
                                          text=True).stdout.strip() in ("running", "degraded"), f"the services of {self.name} run")

    @property
    def uid(self) -> int:
        return pwd.getpwnam(self.name).pw_uid

    @property
    def slice(self) -> pathlib.Path:
        return CGROUPS / f"user.slice/user-{self.uid}.slice"

    def command(self, *command: str) -> list[str]:
        runtime = f"/run/user/{self.uid}"
        return ["runuser", "-u", self.name, "--", "env", f"XDG_RUNTIME_DIR={runtime}", f"DBUS_SESSION_BUS_ADDRESS=unix:path={runtime}/bus",
                *command]

    def start(self, name: str, *command: str, kind: str = "notify") -> pathlib.Path:
        """Returns the program's cgroup; with the kind notify, once it has called notify()."""
        started = subprocess.run(self.command(
            "systemd-run", "--user", "--quiet", "--collect", f"--unit={name}", f"--service-type={kind}", "-p", "Delegate=yes", "-p",
            "TimeoutStartSec=240", "-p", "LimitNOFILE=524288", "-p", "TasksMax=infinity", "-E", f"PYTHONPATH={FOLDER}", *command), check=False)
        assert started.returncode == 0, run("journalctl", "--lines=20", "--output=cat", f"_UID={self.uid}")
        return self.slice / f"user@{self.uid}.service/app.slice/{name}.service"

    def stop(self, name: str) -> None:
        run(*self.command("systemctl", "--user", "stop", name))

    @contextlib.contextmanager
    def attacks(self, program: str, *arguments: str) -> Iterator[pathlib.Path]:
        """Runs a program that attacks, and stops it in the end. Yields its cgroup."""
        next_pid(MALLORYS_PIDS)
        began = time.monotonic()
        cgroup = self.start("attack", "python3", "-B", program, *arguments)
        print(f"# {time.monotonic() - began:.0f} s to begin", flush=True)
        try:
            yield cgroup
        finally:
            began = time.monotonic()
            self.stop("attack")
            print(f"# {time.monotonic() - began:.0f} s to end", flush=True)


class Desk:
    """The machine, with tmmd as a service and all limits of its unit."""

    def __init__(self) -> None:
        # The first user is the first in each order.
        self.mallory = Person("mallory")
        self.victim = Person("victim")
        self.knob = "memory.min" if stock.has_multi_gen_lru() else "memory.low"
        self.reader = self.toucher = CGROUPS
        self.before = ""  # a note
        self.nr_problems = 0

    # Before the attacks

    def let_users_start_many(self) -> None:
        """A machine with 16 GiB lets a user have 10,800 processes; this one would have 2,700."""
        pathlib.Path("/proc/sys/kernel/threads-max").write_text("32768", encoding="ascii")
        resource.prlimit(1, resource.RLIMIT_NPROC, (16384, 16384))  # sessions get that of the first process
        limits = pathlib.Path("/run/systemd/system/user-.slice.d/attack.conf")
        limits.parent.mkdir(parents=True, exist_ok=True)
        limits.write_text("[Slice]\nTasksMax=10800\n", encoding="ascii")
        manager = pathlib.Path("/run/systemd/system/user@.service.d/attack.conf")
        manager.parent.mkdir(parents=True, exist_ok=True)
        manager.write_text("[Service]\nLimitNPROC=16384\nTasksMax=infinity\n", encoding="ascii")
        run("systemctl", "daemon-reload")

    def log_in(self) -> str:
        self.let_users_start_many()
        self.mallory.log_in()
        self.victim.log_in()
        return f"Linux {os.uname().release}, protection by {self.knob}, mallory is user {self.mallory.uid}, the victim user {self.victim.uid}"

    def speed_up(self) -> None:
        """tmmd's unit is as installed, but its clocks run faster."""
        DROPIN.parent.mkdir(parents=True, exist_ok=True)
        DROPIN.write_text(f"[Service]\nExecStart=\nExecStart=/usr/sbin/tmmd --time-lapse={TIME_LAPSE}\n", encoding="ascii")
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", "tmmd")

    def work(self) -> str:
        """The victim's programs run, and tmmd knows what they need."""
        self.mallory.start("idle", "python3", "-B", f"{FOLDER}/work.py", "idle", str(IDLE_MB))
        next_pid(VICTIMS_PIDS)
        self.reader = self.victim.start("reader", "python3", "-B", f"{FOLDER}/work.py", "read", str(READ_MB))
        self.toucher = self.victim.start("toucher", "python3", "-B", f"{FOLDER}/work.py", "touch", str(TOUCHED_MB))
        self.victim.start("contribution", "maketransparent", "-n", "science", "--", "python3", "-B", f"{FOLDER}/work.py", "idle", "1",
                          kind="exec")
        eventually(self.is_protected, "the victim's programs are protected")
        self.before = f"{self.note()}; a new program is protected after {self.learn():.0f} s"
        return self.before

    # Observables

    def protected(self, cgroup: pathlib.Path) -> int:
        """Bytes that the kernel is not to take from it."""
        return int(stock.text(cgroup / self.knob))

    def usage(self, cgroup: pathlib.Path) -> int:
        return int(stock.text(cgroup / "memory.current"))

    def is_protected(self) -> bool:
        """Whether all is that the victim's programs use."""
        return (self.protected(self.reader) >= MIN_KEPT * READ_MB * MB and self.protected(self.toucher) >= MIN_KEPT * TOUCHED_MB * MB)

    def source(self) -> str:
        return stock.tmm_status().get("source", "")

    def keeps_its_source(self) -> None:
        assert self.source() == stock.best_source(), f"{stock.tmm_status()}"

    def state(self) -> str:
        """Why something does not happen."""
        services = self.victim.slice / f"user@{self.victim.uid}.service"
        cgroups = (self.mallory.slice, self.victim.slice, services, *sorted(services.glob("*/")), *sorted(services.glob("app.slice/*/")))
        rows = [f"{cgroup.relative_to(CGROUPS)}: {self.protected(cgroup) / MB:.0f} of {self.usage(cgroup) / MB:.0f} MiB are protected"
                for cgroup in cgroups if (cgroup / self.knob).exists()]
        return "\n".join([*rows, str(stock.tmm_status())])

    def note(self) -> str:
        rows = {"reader": self.reader, "toucher": self.toucher, "victim": self.victim.slice, "mallory": self.mallory.slice}
        return f"{self.knob}: " + ", ".join(f"{name} {self.protected(cgroup) / MB:.0f} MiB" for name, cgroup in rows.items())

    def learn(self) -> float:
        """Returns the seconds until a new program of the victim's is protected."""
        began = time.monotonic()
        next_pid(VICTIMS_PIDS)
        cgroup = self.victim.start("new", "python3", "-B", f"{FOLDER}/work.py", "read", str(READ_MB))
        try:
            eventually(lambda: self.protected(cgroup) >= MIN_KEPT * READ_MB * MB, "a new program is protected", self.state)
            return time.monotonic() - began
        finally:
            self.victim.stop("new")

    def problems(self) -> str:
        """What tmmd warned of since the last call."""
        lines = run("journalctl", "--unit=tmmd", "--priority=warning", "--output=cat", "--quiet").splitlines()
        new, self.nr_problems = lines[self.nr_problems:], len(lines)
        return "\n".join(new)

    def keeps_sampling(self, problems: str) -> None:
        assert "takes its place" not in problems, problems
        self.keeps_its_source()

    def protection_stays(self, may_lose_source: bool = False) -> str:
        """Call it under attack: tmmd protects a new program of the victim's, which takes replies of its helper, the others keep their
        protection, and mallory's gets none beyond her memory. tmmd loses its source of samples for a while at most if it may. Returns a
        note."""
        # The first may be due to a look that began before the attack.
        learned = max(self.learn() for _ in range(2))
        problems = self.problems()
        note = (f"before the attacks: {self.before}\nunder attack: {self.note()}; a new program is protected after {learned:.0f} s\n"
                f"{problems}")
        assert self.is_protected(), note
        assert self.protected(self.mallory.slice) <= self.usage(self.mallory.slice) + SLACK, note
        self.keeps_sampling("" if may_lose_source else problems)
        return note
