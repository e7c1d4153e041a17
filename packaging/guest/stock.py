#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as root in a virtual machine with systemd and a kernel without TMM: an owner leaves memory alone while a contribution takes what it
gets, first without tmmd, then with the packages in /opt/tmm/debs. Then faults of all kinds; in the end nothing may be left behind. Prints TAP;
the journal is in /results. stock.py --tests TEXT: only the tests that have TEXT in their name, and those that they need; --short: those that
tell most in a few minutes."""

import argparse
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import time
import traceback
import types
from collections.abc import Callable

import helpers
from computer import CGROUPS, RESULTS, install, is_purged, journal_is_clean, run, runs
from tap import Tap

# Settings that tmmd may change, with the values of a cgroup that nobody has touched.
KNOBS = {"memory.min": "0", "memory.low": "0", "memory.high": "max", "memory.max": "max", "memory.swap.max": "max",
         "memory.oom.group": "0"}
SAVED = pathlib.Path("/run/tmm/knobs")
OWN_CGROUP = "/system.slice/tmmd.service"
LRU = pathlib.Path("/sys/kernel/mm/lru_gen/enabled")
DROPIN = pathlib.Path("/run/systemd/system/tmmd.service.d/no-restart.conf")
PROGRAM = "/opt/tmm/memory.py"
MB = 1 << 20
# Only something that never happens needs so long: tmmd notices the loss of a source, or a better one, as an epoch of 5 minutes ends.
DEADLINE_S = 900
# All of a test, whatever it waits for. Then it has some time to clean up.
TEST_S, CLEANUP_S = 1800, 300
OWNER_ANON_MB, OWNER_MAPPED_MB = 75, 75
# More than the machine of 512 MB has beside the owner's.
CONTRIBUTION_MB = 450
# A bound that a program of 64 MB exceeds.
BOUND_MB = 32


def text(path: pathlib.Path | str) -> str:
    return pathlib.Path(path).read_text(encoding="ascii", errors="replace").strip()


def eventually(condition: Callable[[], object], what: str, pause_s: float = 0.3) -> None:
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, f"never: {what}\n{state()}"
        time.sleep(pause_s)


def has_multi_gen_lru() -> bool:
    return LRU.exists() and int(text(LRU), 16) & 1 == 1


def has_generations() -> bool:
    return has_multi_gen_lru() and can_read("/sys/kernel/debug/lru_gen")


def best_source() -> str:
    """The best that this kernel offers now."""
    if pathlib.Path("/sys/kernel/mm/page_idle/bitmap").exists():
        return "idle"
    return "mglru" if has_generations() else "footprint"


def tmm_status() -> dict[str, str]:
    done = subprocess.run(["tmmctl", "status", "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def tmmd_said(words: str) -> bool:
    return words in run("journalctl", "--unit=tmmd", "--output=cat")


def swap_devices() -> list[str]:
    return [line.split()[0] for line in text("/proc/swaps").splitlines()[1:]]


def can_read(path: str) -> bool:
    try:
        text(path)
    except OSError:
        return False
    return True


def nr_oom_kills() -> int:
    return next(int(line.split()[1]) for line in text("/proc/vmstat").splitlines() if line.startswith("oom_kill "))


def settings() -> dict[str, str]:
    """All settings in force, but those of tmmd's own cgroup."""
    found = {}
    for folder, _, _ in os.walk(CGROUPS):
        for knob, untouched in KNOBS.items():
            path = pathlib.Path(folder) / knob
            try:
                value = text(path)
            except OSError:  # the cgroup has ended, or has no memory controller
                continue
            if value != untouched and OWN_CGROUP not in folder:
                found[str(path)] = value
    return found


def state() -> str:
    """All that tells why something does not happen."""
    # Without tmmd it has nothing to tell, and fails.
    status = subprocess.run(["systemctl", "status", "--no-pager", "--lines=20", "tmmd"], capture_output=True, text=True, check=False).stdout
    free = "\n".join(text("/proc/meminfo").splitlines()[:5])
    return "\n".join([status, free, *(f"{path}: {value}" for path, value in settings().items())])


def run_out_of_time(_signal: int, frame: types.FrameType | None) -> None:
    """Fails the test that runs, at the place where it waits."""
    place = "".join(traceback.format_stack(frame, limit=8))
    processes = subprocess.run(["ps", "-eo", "pid,ppid,stat,wchan:24,args"], capture_output=True, text=True, timeout=60, check=False).stdout
    raise AssertionError(f"longer than {TEST_S} s, then in\n{place}{processes}")


def in_time(body: Callable[[], str | None]) -> Callable[[], str | None]:
    """Runs body, and fails it in TEST_S."""

    def bounded() -> str | None:
        signal.setitimer(signal.ITIMER_REAL, TEST_S, CLEANUP_S)
        start = time.monotonic()
        try:
            note = body()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return "\n".join([*([note] if note else []), f"{time.monotonic() - start:.0f} s"])

    return bounded


def start_tmmd() -> None:
    run("systemctl", "reset-failed", "tmmd")  # the unit bounds the starts in two minutes
    run("systemctl", "start", "tmmd")


def main_pid() -> int:
    return int(run("systemctl", "show", "--property=MainPID", "--value", "tmmd"))


class Program:
    """A running memory.py."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder_ = folder
        self.touched_ = 0
        eventually((folder / "pid").exists, f"{folder} has a process")
        eventually(lambda: text(folder / "pid"), f"{folder} has a process id")
        self.pid = int(text(folder / "pid"))

    def is_alive(self) -> bool:
        try:
            return PROGRAM in text(f"/proc/{self.pid}/cmdline")
        except OSError:  # it has ended, perhaps between opening and reading
            return False

    @property
    def cgroup(self) -> pathlib.Path:
        return CGROUPS / text(f"/proc/{self.pid}/cgroup").partition("0::/")[2]

    def is_filled(self) -> bool:
        assert self.is_alive(), f"{self.folder_} has ended"
        return (self.folder_ / "filled").exists()

    def resident_bytes(self) -> int:
        stat = dict(line.split() for line in text(self.cgroup / "memory.stat").splitlines())
        return int(stat["anon"]) + int(stat["file"])

    def touch(self) -> int:
        """Returns the major faults that touching all of its memory takes."""
        self.touched_ += 1
        result = self.folder_ / f"touched-{self.touched_}"
        os.kill(self.pid, signal.SIGUSR1)
        eventually(lambda: result.exists() or not self.is_alive(), "all memory is touched")
        assert result.exists(), f"{self.folder_} has ended"
        return int(text(result))

    def end(self) -> None:
        if self.is_alive():
            os.kill(self.pid, signal.SIGKILL)
        eventually(lambda: not self.is_alive(), f"{self.folder_} ends")
        # Its cached files would be the owner's memory, and where tmmd has no samples contributions get only free memory.
        shutil.rmtree(self.folder_)


class Computer:
    """The machine and its one user, the owner. Contributions are below the user's own slice, as on a desktop."""

    def __init__(self) -> None:
        self.knob = "memory.min" if has_multi_gen_lru() else "memory.low"
        self.untouched: dict[str, str] = {}  # settings before the packages were there
        self.without_tmmd: dict[str, str] = {}  # settings with the packages, while tmmd does not run
        self.plain_kept = 1.0
        self.number = 0
        self.nr_own_kills = 0
        self.small: Program | None = None  # a contribution that runs all the time: while tmmd learns, it protects from one only

    # The session

    def log_in(self) -> str:
        run("useradd", "--create-home", "--shell", "/bin/bash", "owner")
        run("loginctl", "enable-linger", "owner")
        eventually(lambda: subprocess.run(self.as_owner("systemctl", "--user", "is-system-running"), capture_output=True, check=False,
                                          text=True).stdout.strip() in ("running", "degraded"), "the owner's services run")
        self.untouched = settings()
        mount = next(line for line in text("/proc/mounts").splitlines() if line.split()[1] == str(CGROUPS))
        return f"Linux {os.uname().release}, protection by {self.knob}, swap: {' '.join(swap_devices()) or 'none'}\n{mount}"

    @property
    def user_slice(self) -> str:
        return f"user-{pwd.getpwnam('owner').pw_uid}.slice"

    def as_owner(self, *command: str) -> list[str]:
        runtime = f"/run/user/{pwd.getpwnam('owner').pw_uid}"
        return ["runuser", "-u", "owner", "--", "env", f"XDG_RUNTIME_DIR={runtime}", f"DBUS_SESSION_BUS_ADDRESS=unix:path={runtime}/bus", *command]

    def start(self, kind: str, anon_mb: int, mapped_mb: int, read_mb: int, options: tuple[str, ...] = (),
              launcher: tuple[str, ...] = ()) -> Program:
        """A program of the owner's service manager."""
        self.number += 1
        name = f"{kind}-{self.number}"
        folder = pathlib.Path("/home/owner") / name
        run(*self.as_owner("systemd-run", "--user", "--quiet", "--collect", f"--unit={name}", *options, *launcher, "python3", "-B", PROGRAM,
                           str(folder), str(anon_mb), str(mapped_mb), str(read_mb)))
        return Program(folder)

    def start_owner(self) -> Program:
        owner = self.start("owner", OWNER_ANON_MB, OWNER_MAPPED_MB, 0)
        eventually(owner.is_filled, "the owner's program is loaded")
        return owner

    def start_contribution(self, *, anon_mb: int, read_mb: int = 0, name: str = "science") -> Program:
        return self.start("contribution", anon_mb, 0, read_mb, launcher=("maketransparent", "-n", name, "--"))

    # A break

    def sizes(self) -> dict[str, int]:
        """Of a contribution that exceeds memory. Without swap its files do."""
        return {"anon_mb": CONTRIBUTION_MB} if swap_devices() else {"anon_mb": 60, "read_mb": CONTRIBUTION_MB}

    def take_a_break(self, start: Callable[[], Program]) -> tuple[float, int, str]:
        """Returns the share of its memory that the owner's program keeps, and its faults at the return."""
        owner = self.start_owner()
        if SAVED.exists():
            eventually(lambda: self.is_protected(owner), "the owner's memory is protected")
        before = owner.resident_bytes()
        contribution = start()
        eventually(contribution.is_filled, "the contribution has used its memory")
        kept = owner.resident_bytes() / before
        faults = owner.touch()
        note = (f"kept {kept:.2f} of {before // MB} MB, {faults} faults at the return, "
                f"contribution: {contribution.resident_bytes() // MB} MB in {contribution.cgroup}")
        contribution.end()
        owner.end()
        return kept, faults, note

    def break_without_tmmd(self) -> str:
        sizes = {"anon_mb": 0, "read_mb": 0, **self.sizes()}
        self.plain_kept, _, note = self.take_a_break(lambda: self.start("ordinary", sizes["anon_mb"], 0, sizes["read_mb"],
                                                                        ("--slice=background.slice",)))
        return note

    def break_with_tmmd(self) -> str:
        kept, faults, note = self.take_a_break(lambda: self.start_contribution(**self.sizes()))
        assert kept >= 0.9, note
        assert faults <= 0.05 * (OWNER_ANON_MB + OWNER_MAPPED_MB) * MB / 4096, note
        if swap_devices():
            assert self.plain_kept < 0.9, f"this contribution takes nothing without tmmd: {self.plain_kept}"
        return note

    def is_protected(self, owner: Program) -> bool:
        """Whether the kernel may take less than a tenth of the owner's program's slice, here or in the slices above."""
        top = CGROUPS / "user.slice"
        return int(text(top / self.knob)) >= 0.9 * owner.resident_bytes()

    # tmmd

    def starts(self) -> None:
        runs()
        if not self.small:
            self.small = self.start_contribution(anon_mb=1, name="small")
        eventually(lambda: int(text(CGROUPS / "user.slice" / self.knob)) > 0, "tmmd protects the owner's slice")

    def chooses_a_source(self) -> str:
        status = tmm_status()
        assert status["source"] == best_source(), status
        assert status["state"] in ("giving", "waiting"), status
        return f"{status['source']}: {status['source_reason']}; {status['state']}: {status['reason']}"

    def doctor_tells_the_truth(self) -> str:
        done = subprocess.run(["tmmctl", "doctor", "--json"], capture_output=True, text=True, check=False)
        checks = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
        truth = {"pressure": can_read("/proc/pressure/memory"), "swap": bool(swap_devices()),
                 **dict.fromkeys(("kernel", "cgroups", "slice", "configuration", "bus", "polkit", "daemon"), True)}
        said = {name: check["result"] for name, check in checks.items()}
        assert said == {name: "ok" if holds else "warning" for name, holds in truth.items()}, f"{truth}\n{done.stdout}"
        assert os.uname().release in checks["kernel"]["finding"], done.stdout
        return "\n".join(f"{name}: {check['finding']}" for name, check in checks.items())

    # Faults

    def stop_restores(self) -> None:
        run("systemctl", "stop", "tmmd")
        self.without_tmmd = settings()
        own = {str(CGROUPS / "system.slice/memory.min"): str(16 * MB), **self.untouched}
        assert self.without_tmmd == own, f"{self.without_tmmd}, expected {own}"
        start_tmmd()
        self.starts()

    def with_contribution(self, body: Callable[[Program, Program], None]) -> None:
        """Runs body(owner, contribution) while both are running and protected or fenced."""
        owner, contribution = self.start_owner(), self.start_contribution(anon_mb=60)
        try:
            eventually(contribution.is_filled, "the contribution is loaded")
            eventually(lambda: self.protects_neighbours(owner), "the owner's program is protected against its neighbour")
            body(owner, contribution)
            assert contribution.is_alive() and owner.is_alive(), "a program has ended"
        finally:
            contribution.end()
            owner.end()

    def protects_neighbours(self, owner: Program) -> bool:
        """Whether the slice beside the contribution's is protected."""
        below = CGROUPS / "user.slice" / self.user_slice / f"user@{pwd.getpwnam('owner').pw_uid}.service"
        return int(text(below / "app.slice" / self.knob)) >= 0.9 * owner.resident_bytes()

    def kill_restores(self) -> None:
        DROPIN.parent.mkdir(parents=True, exist_ok=True)
        DROPIN.write_text("[Service]\nRestart=no\n", encoding="ascii")
        run("systemctl", "daemon-reload")

        def kill(_owner: Program, _contribution: Program) -> None:
            assert settings() != self.without_tmmd, "tmmd sets nothing"
            run("systemctl", "kill", "--signal=SIGKILL", "tmmd")
            eventually(lambda: subprocess.run(["systemctl", "is-failed", "--quiet", "tmmd"], check=False).returncode == 0, "the unit has ended")
            assert settings() == self.without_tmmd, f"{settings()}, expected {self.without_tmmd}"
            assert not SAVED.exists() or not text(SAVED), text(SAVED)

        self.with_contribution(kill)
        DROPIN.unlink()
        run("systemctl", "daemon-reload")
        start_tmmd()
        self.starts()

    def returns_after_a_kill(self) -> None:
        def kill(owner: Program, _contribution: Program) -> None:
            pid = main_pid()
            run("systemctl", "kill", "--signal=SIGKILL", "tmmd")
            eventually(lambda: main_pid() not in (0, pid), "systemd starts tmmd again")
            eventually(lambda: self.protects_neighbours(owner), "the next tmmd protects the owner")

        self.with_contribution(kill)

    def outlasts_a_reload_of_systemd(self) -> None:
        def reload(owner: Program, _contribution: Program) -> None:
            run("systemctl", "daemon-reload")
            run(*self.as_owner("systemctl", "--user", "daemon-reload"))
            eventually(lambda: self.is_protected(owner) and self.protects_neighbours(owner), "tmmd protects the owner again")

        self.with_contribution(reload)

    def forgets_ended_cgroups(self) -> str:
        def come_and_go(_owner: Program, _contribution: Program) -> None:
            names = [f"short-{number}.scope" for number in range(5)]
            sleepers = [subprocess.Popen(["systemd-run", "--quiet", "--scope", f"--unit={name}", f"--slice={self.user_slice}", "sleep", "infinity"])
                        for name in names]
            try:
                eventually(lambda: all(name in text(SAVED) for name in names), "tmmd protects what starts beside the contribution")
            finally:
                subprocess.run(["systemctl", "stop", *names], check=False)
                for sleeper in sleepers:
                    sleeper.wait()
            eventually(lambda: not any(name in text(SAVED) for name in names), "tmmd forgets the settings of cgroups that ended")

        self.with_contribution(come_and_go)
        return f"{len(text(SAVED).splitlines())} settings"

    def survives_a_reinstallation(self) -> None:
        def reinstall(owner: Program, _contribution: Program) -> None:
            pid = main_pid()
            run("systemctl", "reset-failed", "tmmd")
            install()
            assert main_pid() not in (0, pid), "the installation did not restart tmmd"
            eventually(lambda: self.protects_neighbours(owner), "the new tmmd protects the owner")
            run("systemctl", "stop", "tmmd")
            assert settings() == self.without_tmmd, f"{settings()}, expected {self.without_tmmd}"
            start_tmmd()

        self.with_contribution(reinstall)
        self.starts()

    def follows_swap(self) -> str:
        devices = swap_devices()
        if not devices:
            return "there is no swap"
        fence = "memory.swap.max" if "zram" in devices[0] else "memory.high"

        def off_and_on(_owner: Program, contribution: Program) -> None:
            place = contribution.cgroup.parent  # transparent.slice
            eventually(lambda: text(place / fence) != "max", f"{fence} is set")
            run("swapoff", *devices)
            eventually(lambda: text(place / fence) == "max" and text(place / "memory.max") != "max", "without swap there is memory.max")
            group = contribution.cgroup / "memory.oom.group"
            eventually(lambda: text(group) == "1", "the contribution would die as a whole")
            assert text(place / "memory.oom.group") == "0", "others would die with it"
            run("swapon", *devices)
            eventually(lambda: text(place / fence) != "max" and text(place / "memory.max") == "max", f"with swap there is {fence} again")
            eventually(lambda: text(group) == "0", "memory.oom.group is given back")

        self.with_contribution(off_and_on)
        return fence

    def stands_an_oom_beside(self) -> None:
        def exceed(_owner: Program, _contribution: Program) -> None:
            pid, kills = main_pid(), nr_oom_kills()
            greedy = ["systemd-run", "--quiet", "--wait", "--collect", "-p", f"MemoryMax={BOUND_MB}M", "-p", "MemorySwapMax=0",
                      "python3", "-B", PROGRAM, f"/run/greedy-{self.number}", str(2 * BOUND_MB), "0", "0"]
            assert subprocess.run(greedy, capture_output=True, check=False).returncode != 0, "a program exceeded its bound"
            self.nr_own_kills += nr_oom_kills() - kills
            assert main_pid() == pid, "tmmd has ended"

        self.with_contribution(exceed)

    def stands_a_jump_of_the_clock(self) -> None:
        pid, now = main_pid(), time.time()
        for jump in (now + 2 * 86400, now - 86400, now):
            run("date", "--utc", f"--set=@{jump:.0f}")
            time.sleep(3)  # some ticks
        assert main_pid() == pid, "tmmd has ended"
        self.starts()

    def leaves_others_settings(self) -> None:
        knob = CGROUPS / "user.slice" / self.knob
        self.starts()  # a value from before its own would be the administrator's
        knob.write_text(str(7 * MB), encoding="ascii")
        eventually(lambda: tmmd_said("somebody else changed"), "tmmd notices")
        run("systemctl", "stop", "tmmd")
        assert settings() == {**self.without_tmmd, str(knob): str(7 * MB)}, str(settings())
        knob.write_text("0", encoding="ascii")
        start_tmmd()
        self.starts()

    def takes(self, source: str) -> Callable[[], bool]:
        return lambda: tmm_status().get("source") == source

    def follows_the_lru(self) -> str:
        """Another page replacement has another knob that protects, and another source."""
        if not LRU.exists():
            return "this kernel has one only"
        before = text(LRU)
        pid = main_pid()
        top = CGROUPS / "user.slice"
        knobs = ("memory.min", "memory.low")
        notes = []
        for switched in ("n" if has_multi_gen_lru() else "y", before):
            LRU.write_text(switched, encoding="ascii")
            used, unused = knobs if has_multi_gen_lru() else knobs[::-1]
            source = best_source()
            eventually(lambda used=used, unused=unused: int(text(top / used)) > 0 and int(text(top / unused)) == 0,
                       f"tmmd protects by {used}")
            eventually(self.takes(source), f"the source is {source}")
            notes.append(f"lru_gen/enabled {switched}: {used}, {source}")
        assert main_pid() == pid, "tmmd has ended"
        return "; ".join(notes)

    def with_footprints(self, body: Callable[[], str]) -> str:
        """Runs body while there is no better source than footprints."""
        before = text(LRU) if has_generations() else ""
        if before:
            LRU.write_text("n", encoding="ascii")
        try:
            eventually(self.takes("footprint"), "the source is footprint")
            return body()
        finally:
            if before:
                LRU.write_text(before, encoding="ascii")

    def outlasts_its_helper(self) -> str:
        """tmmd goes on without a helper that was killed, and a restart brings another."""
        pid = main_pid()
        os.kill(helpers.processes()["tmmd-footprints"], signal.SIGKILL)
        eventually(self.takes("none"), "there is no source any more")
        eventually(lambda: tmmd_said("tmmd-footprints has ended; a restart of tmmd starts another"), "tmmd tells what to do")
        assert set(helpers.processes()) == {"tmmd"}, f"{helpers.processes()}"
        said = tmm_status()
        top = CGROUPS / "user.slice"
        assert main_pid() == pid and int(text(top / "memory.min")) + int(text(top / "memory.low")) > 0, "nothing protects the owner any more"
        run("systemctl", "reset-failed", "tmmd")
        run("systemctl", "restart", "tmmd")
        runs()
        helpers.rights_are_the_least(helpers.RIGHTS.keys())
        return f"{said['source_reason']}; {said['reason']}"

    # The end

    def log_is_clean(self) -> str:
        """Warnings only of what the tests did."""
        expected = re.compile("somebody else changed|pressure|The system clock|has ended|a source with less to tell takes its place")
        lines = run("journalctl", "--unit=tmmd", "--priority=warning", "--output=cat", "_COMM=tmmd").splitlines()
        unexpected = [line for line in lines if not expected.search(line)]
        assert not unexpected, "\n".join(unexpected)
        return "\n".join(sorted(set(run("journalctl", "--unit=tmmd", "--output=cat", "_COMM=tmmd").splitlines())))

    def apparmor_misses_nothing(self) -> None:
        """The profile only complains: of all that it would refuse if the owner made it."""
        assert re.search("^tmmd .complain.$", text("/sys/kernel/security/apparmor/profiles"), re.MULTILINE), "the profile is not loaded"
        lines = re.findall(r'apparmor="ALLOWED" operation="(\w+)".* profile="tmmd" name="([^"]+)"', run("journalctl", "--boot", "--output=cat"))
        assert not lines, "\n".join(sorted({f"{operation} {name}" for operation, name in lines}))

    def purge_restores(self) -> None:
        is_purged()
        assert settings() == self.untouched, f"{settings()}, expected {self.untouched}"

    def nobody_was_killed(self) -> str:
        assert nr_oom_kills() == self.nr_own_kills, f"{nr_oom_kills()} processes, {self.nr_own_kills} of them by a test"
        return f"{self.nr_own_kills} by a test"


# Others need it; it tells much in a short time; it waits for minutes, or tells of rare events.
NEEDED, SHORT, LONG = "needed", "short", "long"


def tests(computer: Computer) -> list[tuple[str, Callable[[], str | None], str]]:
    """The name and the kind of each."""
    return [
        ("the owner is logged in", computer.log_in, NEEDED),
        ("a break without tmmd", computer.break_without_tmmd, SHORT),
        ("the packages are installed", install, NEEDED),
        ("tmmd runs, is enabled, and protects the owner from a contribution", computer.starts, NEEDED),
        ("it takes the best source of this kernel", computer.chooses_a_source, SHORT),
        ("tmmctl doctor tells the truth", computer.doctor_tells_the_truth, SHORT),
        ("systemd restricts it", helpers.unit_is_restricted, SHORT),
        ("it and its helper have the rights that they need, and no others",
         lambda: helpers.rights_are_the_least(helpers.RIGHTS.keys()), SHORT),
        ("in a break with tmmd the owner keeps all memory", computer.break_with_tmmd, SHORT),
        ("a stop restores all settings", computer.stop_restores, NEEDED),
        ("a killed tmmd leaves no setting behind", computer.kill_restores, SHORT),
        ("systemd starts a killed tmmd again", computer.returns_after_a_kill, LONG),
        ("the protection outlasts a reload of systemd", computer.outlasts_a_reload_of_systemd, LONG),
        ("tmmd forgets cgroups that end", computer.forgets_ended_cgroups, LONG),
        ("a new installation takes over and restores", computer.survives_a_reinstallation, LONG),
        ("the fence follows swap off and on", computer.follows_swap, LONG),
        ("tmmd and the programs stand an OOM beside them", computer.stands_an_oom_beside, LONG),
        ("tmmd stands jumps of the clock", computer.stands_a_jump_of_the_clock, LONG),
        ("protection and source follow the page replacement", computer.follows_the_lru, LONG),
        ("tmmd goes on without a helper that was killed", lambda: computer.with_footprints(computer.outlasts_its_helper), LONG),
        ("tmmd leaves others' settings alone", computer.leaves_others_settings, LONG),
        ("tmmd's log is clean", computer.log_is_clean, SHORT),
        ("AppArmor's profile misses nothing that tmmd does", computer.apparmor_misses_nothing, SHORT),
        ("the journal has no error that TMM can cause", journal_is_clean, SHORT),
        ("a purge restores all settings and leaves nothing", computer.purge_restores, SHORT),
        ("nobody was killed", computer.nobody_was_killed, SHORT),
    ]


def is_wanted(name: str, kind: str, arguments: argparse.Namespace) -> bool:
    return kind == NEEDED or (arguments.tests in name and (kind == SHORT or not arguments.short))


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="stock.py")
    top.add_argument("--tests", default="", metavar="TEXT")
    top.add_argument("--short", action="store_true")
    return top


def main() -> int:
    arguments = parser().parse_args()
    signal.signal(signal.SIGALRM, run_out_of_time)
    tap = Tap()
    for name, test, kind in tests(Computer()):
        if is_wanted(name, kind, arguments):
            tap.test(name, in_time(test))
    run("sh", "-c", f"journalctl --boot --output=short-monotonic >{RESULTS}/journal")
    return tap.finish()


if __name__ == "__main__":
    raise SystemExit(main())
