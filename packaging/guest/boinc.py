#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""boinc.py SQUEEZES SEED: runs as root in a virtual machine with systemd and Debian's BOINC client. Its tasks become contributions by the
packages in /opt/tmm/debs, and are squeezed while everything around them is killed. In the end nothing may be left behind. Prints TAP; the
journal is in /results."""

import json
import pathlib
import random
import re
import subprocess
import sys
import time
import typing
import xml.etree.ElementTree as ET

from computer import KERNEL, RESULTS, install, journal_is_clean, let_systemd_write_slices, packages, run
from offline_client import OWN_PREFERENCES, OfflineClient, Task
from stock import CGROUPS, DEADLINE_S, Computer, Program, eventually, nr_oom_kills, settings, text
from tap import Tap

DATA = pathlib.Path("/var/lib/boinc-client")
STATE = pathlib.Path("/var/lib/tmm-boinc")
DROPIN = pathlib.Path("/etc/systemd/system/boinc-client.service.d/50-tmm-boinc.conf")
# A link leads to it, as on every Debian.
PREFERENCES = pathlib.Path("/etc/boinc-client/global_prefs_override.xml")
# Of polkit.
RULE = pathlib.Path("/etc/polkit-1/rules.d/10-test.rules")
ALLOWED = """polkit.addRule(function(action, subject) {
    if (action.id == "org.freedesktop.systemd1.manage-units" && action.lookup("unit") == "tmm-boinc-enable.service" && subject.user == "owner")
        return polkit.Result.YES;
});
"""
IN_SLICE, OUTSIDE = "/transparent.slice/boinc-client.service", "/system.slice/boinc-client.service"
EXECUTING, SUSPENDED, NONE = "1", "9", "0"
COMPUTABLE = "2"  # the state of a task that neither has ended nor was aborted
SMALL, MEDIUM, LARGE = "small_0", "medium_0", "large_0"
SECONDS = 1_000_000  # longer than any run
TASKS = [Task("small", 40, SECONDS), Task("medium", 120, SECONDS), Task("large", 280, SECONDS)]
# The small one fits, the large one does not: by a cap and, where tmmd gives free memory only, beside an owner's program.
LITTLE_MB, OWNER_MB = 150, 550


def service(unit: str, name: str) -> str:
    return run("systemctl", "show", f"--property={name}", "--value", unit).strip()


class Client(OfflineClient):
    """The service of Debian's package."""

    def __init__(self) -> None:
        run("systemctl", "stop", "boinc-client", timeout=DEADLINE_S)
        for path in DATA.glob("client_state*"):
            path.unlink()
        super().__init__(DATA, pathlib.Path(__file__).with_name("memory_task"), TASKS, port=31416)
        run("chown", "--no-dereference", "--recursive", "boinc:boinc", str(DATA))
        self.log_ = ""

    @property
    def log(self) -> str:
        self.log_ += run("journalctl", "--boot", "--unit=boinc-client", "--output=cat", "--quiet", "--cursor-file=/run/boinc-cursor")
        return self.log_

    def start(self) -> None:
        run("systemctl", "start", "boinc-client")
        eventually(self.answers, "the client answers")

    def restart(self) -> None:
        run("systemctl", "restart", "boinc-client", timeout=DEADLINE_S)
        eventually(self.answers, "the client answers")

    def kill(self) -> None:
        run("systemctl", "kill", "--signal=SIGKILL", "--kill-who=main", "boinc-client")
        eventually(lambda: service("boinc-client", "ActiveState") == "failed", "systemd has ended all of the client")
        run("systemctl", "reset-failed", "boinc-client")
        self.start()

    def ask(self, *requests: str) -> str:
        """Waits for the end of a freeze."""
        end = time.monotonic() + DEADLINE_S
        while True:
            try:
                return super().ask(*requests)
            except OSError as error:
                assert time.monotonic() < end, f"the client does not answer: {error}"
                time.sleep(1)

    def answers(self) -> bool:
        try:
            super().ask("<exchange_versions/>")
        except OSError:
            return False
        return True

    @property
    def pid(self) -> int:
        return int(service("boinc-client", "MainPID"))

    def state(self, name: str) -> str:
        return self.tasks()[name].findtext("active_task/active_task_state", NONE)

    def is_held(self, name: str) -> bool:
        return self.tasks()[name].find("suspended_via_gui") is not None

    def all_run(self) -> bool:
        return all(task.findtext("active_task/active_task_state") == EXECUTING for task in self.tasks().values())

    def pids(self) -> dict[str, str]:
        return {name: task.findtext("active_task/pid", "") for name, task in self.tasks().items()}


def kernel_limits() -> dict[str, str]:
    """Of a kernel with TMM."""
    return {path.name: text(path) for path in KERNEL.glob("*_limit")}


def history() -> dict[str, list[tuple[str, int]]]:
    """Of each task, by its size: the checkpoints that it wrote, and from where it went on."""
    lines = [line for file in DATA.glob("slots/*/stderr.txt") for line in file.read_text(errors="replace").splitlines()]
    found: dict[str, list[tuple[str, int]]] = {}
    for line in lines:
        if match := re.fullmatch(r"(\d+) MB (saves|begins at) (\d+)", line):
            found.setdefault(match[1], []).append((match[2], int(match[3])))
    return found


class Guest:
    """The owner's machine, with a client."""

    def __init__(self, squeezes: int, seed: int) -> None:
        self.owner = Computer()
        self.client: Client
        self.squeezes, self.random = squeezes, random.Random(seed)
        self.limits: dict[str, str] = {}  # of the kernel, before the packages were there
        self.own = ""  # the user's preferences and the file that holds them
        self.of_user: set[str] = set()  # tasks that the user suspended
        self.saved: dict[str, int] = {}  # checkpoints that tasks wrote
        self.program: Program | None = None
        self.nr_events: dict[str, int] = {}

    # Before

    def begin(self) -> str:
        note = self.owner.log_in()
        self.limits = kernel_limits()
        self.client = Client()
        self.client.start()
        eventually(self.client.all_run, "all tasks run")
        self.own = self.preferences()
        assert OWN_PREFERENCES in self.own
        assert self.places() == {OUTSIDE}, self.places()
        return note

    def preferences(self) -> str:
        stat = PREFERENCES.stat()
        link = DATA / PREFERENCES.name
        return f"{link.readlink()} {stat.st_uid}:{stat.st_gid} {stat.st_mode:o}\n{PREFERENCES.read_bytes().decode()}"

    def places(self) -> set[str]:
        """The cgroups of the client and of its tasks. The client keeps the process id of a task that it has not started again."""
        pids = [str(self.client.pid), *(pid for name, pid in self.client.pids().items() if self.client.state(name) != NONE)]
        return {text(f"/proc/{pid}/cgroup").partition("0::")[2] for pid in pids if pid}

    def installation_changes_nothing(self) -> str:
        pid = self.client.pid
        names = install()
        assert not DROPIN.exists() and self.preferences() == self.own
        assert service("tmm-boinc", "ActiveState") == "inactive" and service("tmm-boinc", "UnitFileState") == "disabled"
        assert self.client.pid == pid and self.places() == {OUTSIDE}
        return names

    # On

    def owner_starts(self, unit: str) -> subprocess.CompletedProcess[str]:
        """As TMM's window does."""
        return subprocess.run(self.owner.as_owner("busctl", "--system", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                                  "org.freedesktop.systemd1.Manager", "StartUnit", "ss", unit, "replace"),
                              capture_output=True, text=True, check=False)

    def owner_may_not_enable(self) -> str:
        done = self.owner_starts("tmm-boinc-enable.service")
        assert done.returncode != 0 and re.search("authentication required|access denied", done.stderr, re.IGNORECASE), done
        assert not DROPIN.exists() and service("tmm-boinc", "ActiveState") == "inactive"
        return done.stderr

    def owner_enables(self) -> None:
        """The rule stands for an administrator's password."""
        RULE.write_text(ALLOWED, encoding="ascii")
        done = self.owner_starts("tmm-boinc-enable.service")
        assert done.returncode == 0, done
        eventually(lambda: service("tmm-boinc", "ActiveState") == "active" and service("tmm-boinc-enable", "ActiveState") == "inactive",
                   "tmm-boinc is enabled")
        other = self.owner_starts("tmm-boinc-disable.service")
        assert other.returncode != 0, other
        RULE.unlink()

    def enable(self, start: typing.Callable[[], object] = lambda: run("systemctl", "start", "tmm-boinc-enable")) -> str:
        pid = self.client.pid
        start()
        assert str(DROPIN) in service("boinc-client", "DropInPaths").split()
        assert service("tmm-boinc", "ActiveState") == "active" and service("tmm-boinc", "UnitFileState") == "enabled"
        assert self.client.pid == pid, "it restarted the client"
        # One that must wait may have ended meanwhile.
        eventually(lambda: any(task["outside"] for task in self.shown()), "tasks of before are outside")
        self.client.restart()
        eventually(lambda: self.client.state(SMALL) == EXECUTING, "the small task runs")
        assert self.places() == {IN_SLICE}, self.places()
        return DROPIN.read_text(encoding="ascii")

    def enable_on_a_fresh_machine(self) -> str:
        """Later, files that dpkg has used may fill the memory, and the large task waits until tmmd knows that nobody needs them."""
        dropin = self.enable(self.owner_enables)
        eventually(self.client.all_run, "all tasks run")
        assert self.places() == {IN_SLICE}, self.places()
        return dropin

    def shown(self) -> list[dict]:
        return json.loads(run("tmmctl", "boinc", "--json"))["tasks"] if self.is_shown() else []

    def is_shown(self) -> bool:
        return subprocess.run(["tmmctl", "boinc", "--json"], capture_output=True, check=False).returncode == 0

    def shown_state(self, name: str) -> str:
        return next((task["state"] for task in self.shown() if task["name"] == name), "")

    def tasks_are_contributions(self) -> str:
        wanted = {("offline", "Memory & time", name, "running", False) for name in (SMALL, MEDIUM, LARGE)}
        eventually(lambda: {(task["project"], task["application"], task["name"], task["state"], task["outside"]) for task in self.shown()} == wanted,
                   "all are shown as running contributions")
        eventually(lambda: "boinc-client.service" in [one["name"] for one in json.loads(run("tmmctl", "status", "--json"))["contributions"]],
                   "tmmd lists the client")
        return run("tmmctl", "boinc") + run("tmmctl", "status")

    # The donation

    def limit(self, megabytes: int | None) -> None:
        run("tmmctl", "limit", f"--max={f'{megabytes}M' if megabytes else 'none'}")

    def owner_program(self, megabytes: int) -> None:
        if self.program:
            self.program.end()
            self.program = None
        if megabytes:
            self.program = self.owner.start("owner", megabytes, 0, 0)

    def give_all(self) -> None:
        self.owner_program(0)
        self.limit(None)

    def hold_large(self) -> None:
        self.limit(LITTLE_MB)
        self.owner_program(OWNER_MB)
        eventually(lambda: self.client.is_held(LARGE), "the large task is held")

    def large_waits_and_goes_on(self) -> str:
        pids = self.client.pids()
        self.hold_large()
        # tmm-boinc lets it end if it saved its work a moment ago.
        eventually(lambda: self.client.state(LARGE) in (SUSPENDED, NONE), "it stays in memory, or has ended at its checkpoint")
        others = [name for name in pids if name != LARGE or self.client.state(LARGE) == SUSPENDED]
        eventually(lambda: self.shown_state(LARGE) == "waiting", "it is shown as waiting")
        eventually(lambda: self.client.state(SMALL) == EXECUTING, "the small one runs")
        eventually(lambda: self.preferences() != self.own, "the client's limit has fallen")
        shown = run("tmmctl", "boinc")
        self.give_all()
        eventually(self.client.all_run, "all go on")
        now = self.client.pids()
        assert all(now[name] == pids[name] for name in others), "a task began anew"
        self.assert_unharmed()
        return shown

    def freezes(self) -> list[str]:
        return [str(path) for path in CGROUPS.glob("**/cgroup.freeze") if text(path) != "0"]

    def is_silent(self) -> bool:
        return "frozen 1" in text(CGROUPS / IN_SLICE[1:] / "cgroup.events")

    def cpu_us(self) -> int:
        return int(re.search(r"usage_usec (\d+)", text(CGROUPS / IN_SLICE[1:] / "cpu.stat"))[1])

    def pause_silences_all(self) -> str:
        self.user("suspend", MEDIUM)
        # A frozen client tells nothing: what tmm-boinc shows during a pause is what it knew before.
        eventually(lambda: self.shown_state(MEDIUM) == "suspended" and self.shown_state(SMALL) == self.shown_state(LARGE) == "running",
                   "the user's choice is in force")
        pids, start = self.client.pids(), time.monotonic()
        run("tmmctl", "pause")
        asked = time.monotonic()
        eventually(self.is_silent, "the client and its tasks are frozen", pause_s=0.01)
        silent, used = time.monotonic(), self.cpu_us()
        time.sleep(10)
        assert self.cpu_us() - used < 10_000, "tasks use the processor during a pause"
        eventually(lambda: self.shown_state(SMALL) == self.shown_state(LARGE) == "paused", "both are shown as paused")
        run("tmmctl", "resume")
        eventually(lambda: self.client.state(SMALL) == self.client.state(LARGE) == EXECUTING, "the others go on")
        assert self.client.is_held(MEDIUM) and self.client.state(MEDIUM) == SUSPENDED, "the user had suspended it"
        assert self.client.pids() == pids, "a task began anew"
        assert "<task_mode>2<" in self.client.ask("<get_cc_status/>"), "the mode is not the user's"
        self.user("resume", MEDIUM)
        eventually(self.client.all_run, "all go on")
        self.assert_unharmed()
        return f"frozen {silent - start:.2f} s after the call of tmmctl, {silent - asked:.2f} s after its end"

    # Harm

    def assert_unharmed(self) -> None:
        harm = re.search(r".*(Aborting task|exceeded memory limit|Computation for task .* finished).*", self.client.log)
        assert not harm, harm[0]
        states = {name: task.findtext("state") for name, task in self.client.tasks().items()}
        assert states == dict.fromkeys((SMALL, MEDIUM, LARGE), COMPUTABLE), states
        for name in self.of_user:
            assert self.client.is_held(name), f"the user had suspended {name}"
        for size, events in history().items():
            last = 0
            for kind, value in events:
                assert kind == "saves" or value >= last, f"the task of {size} MB went back from its checkpoint {last} to {value}"
                last = value
            assert last >= self.saved.get(size, 0), f"the task of {size} MB lost its checkpoint {self.saved[size]}"
            self.saved[size] = last
        assert len(self.saved) == len(TASKS), f"not each task has begun: {self.saved}"

    # What happens at random

    def user(self, operation: str, name: str) -> None:
        self.client.task_op(operation, name)
        (self.of_user.add if operation == "suspend" else self.of_user.discard)(name)

    def user_changes_small(self) -> None:
        """A task that TMM holds is suspended already: BOINC's manager offers no more than to resume it, and a second suspension leaves no trace."""
        if SMALL in self.of_user:
            self.user("resume", SMALL)
        elif not self.client.is_held(SMALL):
            self.user("suspend", SMALL)

    def user_insists(self) -> None:
        """Resumes a task, which TMM may hold."""
        self.user("resume", self.random.choice((MEDIUM, LARGE)))

    def restart_client(self) -> None:
        self.client.restart()

    def kill_client(self) -> None:
        self.client.kill()

    def kill(self, unit: str) -> None:
        run("systemctl", "reset-failed", unit)  # units bound the starts in two minutes
        eventually(lambda: service(unit, "MainPID") != "0", f"{unit} runs")
        pid = service(unit, "MainPID")
        run("systemctl", "kill", "--signal=SIGKILL", "--kill-who=main", unit)
        eventually(lambda: service(unit, "MainPID") not in ("0", pid), f"systemd starts {unit} again")

    def kill_adapter(self) -> None:
        self.kill("tmm-boinc")

    def kill_tmmd(self) -> None:
        self.kill("tmmd")

    def set_clock(self) -> None:
        """Far ahead, or a little back: BOINC's library sleeps by the wall clock, so its tasks could hang on one that is set far back."""
        jump = self.random.choice((-90, -45, 45, 90, 3600, 2 * 86400))
        run("date", "--utc", f"--set=@{time.time() + jump:.0f}")

    def pause_and_resume(self) -> None:
        run("tmmctl", "pause")
        time.sleep(self.random.uniform(1, 20))
        run("tmmctl", "resume")

    def nothing(self) -> None:
        pass

    def squeeze(self) -> None:
        self.limit(self.random.choice((100, LITTLE_MB, 200, 350, None, None)))
        self.owner_program(self.random.choice((0, 0, 100, 300, 450, OWNER_MB)))

    def squeeze_at_random(self) -> str:
        events = (self.user_changes_small, self.user_insists, self.restart_client, self.kill_client, self.kill_adapter, self.kill_tmmd,
                  self.set_clock, self.pause_and_resume, self.nothing)
        nr_waits = 0
        for number in range(self.squeezes):
            event = self.random.choice(events)
            print(f"# squeeze {number + 1}: {event.__name__}", flush=True)
            self.nr_events[event.__name__] = self.nr_events.get(event.__name__, 0) + 1
            self.squeeze()
            time.sleep(self.random.uniform(1, 15))
            event()
            time.sleep(self.random.uniform(1, 6))
            self.assert_unharmed()
            nr_waits += any(self.client.is_held(name) for name in (MEDIUM, LARGE))
        assert nr_waits or self.squeezes < 5, "no task ever had to wait"
        begins = sum(kind == "begins at" for events in history().values() for kind, _ in events)
        saves = sum(kind == "saves" for events in history().values() for kind, _ in events)
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.nr_events.items()))
        return f"{self.squeezes} squeezes, tasks waited after {nr_waits}; {counts}; {begins} beginnings of tasks, {saves} checkpoints"

    def all_go_on(self) -> str:
        """After all that."""
        self.give_all()
        if SMALL in self.of_user:
            self.user("resume", SMALL)
        eventually(lambda: not any(self.client.is_held(name) for name in (SMALL, MEDIUM, LARGE)), "no task is suspended")
        eventually(self.client.all_run, "all tasks run")
        # TMM never holds a task that its user resumed while it waited. As soon as the user has suspended it, TMM may hold it again.
        for name in (MEDIUM, LARGE):
            self.user("suspend", name)
            eventually(lambda name=name: self.shown_state(name) == "suspended", f"{name} is shown as suspended")
            self.user("resume", name)
        eventually(self.client.all_run, "all tasks run again")
        self.assert_unharmed()
        assert "<task_mode>2<" in self.client.ask("<get_cc_status/>"), "the mode is not the user's"
        return run("tmmctl", "boinc")

    # The end

    def reinstall(self) -> None:
        self.hold_large()
        client, adapter, dropin = self.client.pid, service("tmm-boinc", "MainPID"), DROPIN.read_text(encoding="ascii")
        run("systemctl", "reset-failed", "tmm-boinc", "tmmd")
        install()
        eventually(lambda: service("tmm-boinc", "MainPID") not in ("0", adapter), "the new tmm-boinc runs")
        assert self.client.pid == client, "the installation restarted the client"
        assert service("tmm-boinc", "UnitFileState") == "enabled" and DROPIN.read_text(encoding="ascii") == dropin
        self.hold_large()
        self.give_all()
        eventually(self.client.all_run, "all go on")
        self.assert_unharmed()

    def is_the_users_again(self) -> None:
        assert not DROPIN.parent.exists(), f"{DROPIN.parent} is left"
        assert self.preferences() == self.own, self.preferences()
        assert not pathlib.Path("/etc/systemd/system/multi-user.target.wants/tmm-boinc.service").exists()
        # tmmd may freeze contributions for a moment, which the client's tasks are until it starts anew.
        eventually(lambda: not self.freezes(), "nothing is frozen")
        eventually(self.client.all_run, "all tasks run")
        assert not any(self.client.is_held(name) for name in (SMALL, MEDIUM, LARGE)), "a task is suspended"
        assert re.search("<task_mode>2<.*<task_mode_perm>2<", self.client.ask("<get_cc_status/>"), re.DOTALL), "the mode is not the user's"
        # The limit, too: the client has read it.
        limits = ET.fromstring(self.client.ask("<get_global_prefs_working/>")).find(".//ram_max_used_busy_pct")
        assert limits is not None and float(limits.text or 0) == 80, limits
        self.assert_unharmed()

    def disable(self) -> None:
        self.hold_large()
        client = self.client.pid
        run("systemctl", "start", "tmm-boinc-disable")
        self.is_the_users_again()
        assert service("tmm-boinc", "ActiveState") == "inactive" and service("tmm-boinc", "UnitFileState") == "disabled"
        assert self.client.pid == client, "it restarted the client"
        left = [path.name for path in STATE.iterdir() if path.name in ("override", "state") and "held" in path.read_text(encoding="ascii")]
        assert not left and not (STATE / "override").exists(), left
        self.give_all()
        self.client.restart()
        eventually(self.client.all_run, "all tasks run")
        assert self.places() == {OUTSIDE}, self.places()
        self.assert_unharmed()

    def purge(self) -> None:
        client = self.client.pid
        run("dpkg", "--purge", *packages(), timeout=DEADLINE_S)
        self.is_the_users_again()
        assert self.client.pid == client, "it restarted the client"
        left = [path for path in (STATE, pathlib.Path("/var/lib/tmm"), pathlib.Path("/run/tmm"), pathlib.Path("/usr/lib/tmm-boinc")) if path.exists()]
        assert not left, left
        let_systemd_write_slices()
        assert settings() == self.owner.untouched, f"{settings()}, expected {self.owner.untouched}"
        assert kernel_limits() == self.limits, f"{kernel_limits()}, expected {self.limits}"
        assert service("tmm-boinc", "LoadState") == service("tmm-boinc-enable", "LoadState") == "not-found"
        self.client.restart()
        eventually(self.client.all_run, "all tasks run")
        assert self.places() == {OUTSIDE}, self.places()
        self.assert_unharmed()

    def purge_while_it_holds(self) -> None:
        self.enable()
        self.hold_large()
        self.purge()

    def purge_while_paused(self) -> None:
        install()
        self.enable()
        self.hold_large()
        run("tmmctl", "pause")
        eventually(self.is_silent, "the client is frozen")
        self.purge()

    def purge_while_the_client_is_stopped(self) -> None:
        install()
        self.enable()
        self.hold_large()
        run("systemctl", "stop", "boinc-client", timeout=DEADLINE_S)
        assert "<suspended_via_gui/>" in text(DATA / "client_state.xml"), "nothing was held"
        run("dpkg", "--purge", *packages(), timeout=DEADLINE_S)
        assert "<suspended_via_gui/>" not in text(DATA / "client_state.xml"), "the client would start with a task that is held"
        self.client.restart()
        self.is_the_users_again()

    def nobody_was_killed(self) -> None:
        assert nr_oom_kills() == 0, f"the kernel killed {nr_oom_kills()} processes for their memory"


def main() -> int:
    tap = Tap()
    # At once on the host: a machine that hangs has told why.
    subprocess.Popen(["sh", "-c", f"exec journalctl --boot --follow --lines=all --output=short-monotonic >{RESULTS}/journal-of-all"])
    guest = Guest(int(sys.argv[1]), int(sys.argv[2]))
    tap.test("Debian's client runs its tasks", guest.begin)
    tap.test("the installation changes nothing of BOINC", guest.installation_changes_nothing)
    tap.test("no owner enables it without an administrator", guest.owner_may_not_enable)
    tap.test("tmm-boinc-enable puts the client's next start into transparent.slice", guest.enable_on_a_fresh_machine)
    tap.test("its tasks are contributions, by project and name", guest.tasks_are_contributions)
    tap.test("a task larger than the donation waits in memory and goes on", guest.large_waits_and_goes_on)
    tap.test("a pause silences all, and leaves the user's choice", guest.pause_silences_all)
    tap.test("no squeeze aborts a task or loses a checkpoint, whatever is killed", guest.squeeze_at_random)
    tap.test("after all squeezes all tasks run", guest.all_go_on)
    tap.test("an upgrade takes over while the client runs", guest.reinstall)
    tap.test("tmm-boinc-disable gives all back while a task waits", guest.disable)
    tap.test("the journal has no error that TMM can cause", journal_is_clean)
    tap.test("a purge while a task waits leaves nothing", guest.purge_while_it_holds)
    tap.test("a purge while contributions are paused leaves nothing", guest.purge_while_paused)
    tap.test("a purge while the client is stopped leaves no task suspended", guest.purge_while_the_client_is_stopped)
    tap.test("nobody was killed", guest.nobody_was_killed)
    return tap.finish()


if __name__ == "__main__":
    raise SystemExit(main())
