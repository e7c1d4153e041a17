# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine for tests: a system bus, polkitd, tmmd on a fake TMM kernel, and users. Runs as root in the namespaces that ./suite
makes; each BusFixture has its own bus, polkitd and tmmd."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

TREE = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("BUILD", TREE / "build"))
WORK = Path(os.environ.get("WORK", "/nonexistent"))
CGROUPS = Path("/sys/fs/cgroup")
ROOT = WORK / "root"
OWNER, OTHER = 20001, 20002  # the active local user, and one who is logged in from elsewhere
TMM = "org.transparentmemory.Tmm1"
PATH = "/org/transparentmemory/Tmm1"
LOGIND = "org.freedesktop.login1"
ERROR = TMM + ".Error."
MAX_WAIT_S = 60  # for what must happen soon; it only ends a broken test
SESSION = "UID={uid}\nUSER=user{uid}\nACTIVE=1\nSTATE=active\nREMOTE={remote}\nTYPE=x11\nCLASS=user\n"


def await_true(what: str, condition, max_s: float = MAX_WAIT_S):
    end = time.monotonic() + max_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"never happened: {what}")


def mount(*words) -> None:
    subprocess.run(["mount", *map(str, words)], check=True)


def listens(path: str) -> bool:
    """Returns whether somebody listens there: a socket is a file before that."""
    with socket.socket(socket.AF_UNIX) as end:
        return end.connect_ex(path) == 0


class Answer:
    def __init__(self, fields: dict) -> None:
        self.value = fields.get("value")
        self.error = fields.get("error", "").removeprefix(ERROR)
        self.message = fields.get("message", "")
        self.ms = fields.get("ms", 0)

    def __repr__(self) -> str:
        return f"{self.error}: {self.message}" if self.error else repr(self.value)


class Client:
    """A process of a user, in a cgroup, on the bus."""

    def __init__(self, user: int, cgroup: str) -> None:
        directory = CGROUPS / cgroup
        directory.mkdir(parents=True, exist_ok=True)
        join = f'echo $$ > "{directory}/cgroup.procs" && exec "$@"'
        # The user may not be allowed to read where this tree is.
        program = Path(__file__).with_name("client.py").read_text(encoding="utf-8")
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        command = ["sh", "-c", join, "sh", *as_user, sys.executable, "-I", "-c", program]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.send(**request)
        return self.answer()

    def send(self, **request) -> None:
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        assert line, f"the client ended with {self.process.wait()}"
        fields = json.loads(line)
        return [Answer(one) for one in fields] if isinstance(fields, list) else Answer(fields)

    def call(self, member: str, *arguments, signature: str = "", path: str = PATH, **more) -> Answer:
        """member: of Tmm1, or with another interface before it."""
        return self.ask(op="call", member=full_name(member), arguments=arguments, signature=signature, path=path, **more)

    def get(self, name: str, path: str = PATH, interface: str = TMM, **more) -> Answer:
        return self.call("org.freedesktop.DBus.Properties.Get", interface, name, signature="ss", path=path, **more)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def full_name(member: str) -> str:
    return member if "." in member else f"{TMM}.{member}"


class BusFixture:
    def __init__(self, with_polkit: bool = True, with_kernel: bool = True, with_bus: bool = True) -> None:
        self.processes: dict[str, subprocess.Popen] = {}
        self.clients: list[Client] = []
        self.make_files(with_kernel)
        if with_bus:
            self.start_bus()
        if with_polkit:
            self.start_polkit()
        self.start_tmmd()
        if with_bus:
            self.await_name(TMM)

    def make_files(self, with_kernel: bool) -> None:
        if not os.path.ismount(ROOT / "proc"):
            self.make_machine()
        shutil.rmtree(WORK / "state", ignore_errors=True)
        (WORK / "state").mkdir()
        (WORK / "tmmd.conf").write_text("[Sampling]\nEpoch = 1s\n")
        tmm = ROOT / "sys/kernel/mm/tmm"
        shutil.rmtree(tmm, ignore_errors=True)
        (ROOT / "dev/tmm").unlink(missing_ok=True)
        if with_kernel:
            tmm.mkdir(parents=True)
            numbers = {"version": 1, "total": 1 << 30, "opaque_usage": 1 << 28, "transparent_usage": 1 << 26,
                       "opaque_limit": "max", "transparent_limit": 0}
            for name, number in numbers.items():
                (tmm / name).write_text(f"{number}\n")
            (ROOT / "dev/tmm").touch()

    @staticmethod
    def make_machine() -> None:
        if "WORK" not in os.environ:
            raise RuntimeError("outside of its namespaces this would mount over the machine's /etc/passwd: run tmmd/bus/tests/suite BUILD_DIR")
        for directory in ("proc", "sys/fs/cgroup", "dev", "etc", "run"):
            (ROOT / directory).mkdir(parents=True, exist_ok=True)
        mount("--rbind", "/proc", ROOT / "proc")
        mount("--bind", CGROUPS, ROOT / "sys/fs/cgroup")
        # The pressure of this machine must not become news of that one.
        (WORK / "pressure").write_text("".join(f"{kind} avg10=0.00 avg60=0.00 avg300=0.00 total=0\n" for kind in ("some", "full")))
        mount("--bind", WORK / "pressure", ROOT / "proc/pressure/memory")
        passwd = Path("/etc/passwd").read_text()
        passwd += "".join(f"user{uid}:x:{uid}:{uid}::/nonexistent:/bin/false\n" for uid in (OWNER, OTHER))
        (WORK / "passwd").write_text(passwd)
        mount("--bind", WORK / "passwd", "/etc/passwd")
        actions, rules = WORK / "actions", WORK / "rules"
        actions.mkdir()
        rules.mkdir()
        shutil.copy(TREE / "dbus/org.transparentmemory.tmm1.policy", actions)
        mount("--bind", actions, "/usr/share/polkit-1/actions")
        mount("--bind", rules, "/etc/polkit-1/rules.d")
        for directory in ("seats", "sessions", "users", "machines"):
            Path("/run/systemd", directory).mkdir(parents=True)
        # As logind writes them; a session without a seat is not local.
        Path("/run/systemd/sessions/1").write_text(SESSION.format(uid=OWNER, remote=0) + "SEAT=seat0\n")
        Path("/run/systemd/sessions/2").write_text(SESSION.format(uid=OTHER, remote=1))
        for user in OWNER, OTHER:
            Path("/run/systemd/users", str(user)).write_text(f"NAME=user{user}\nSTATE=active\n")

    def start(self, name: str, *command, **environment) -> None:
        log = open(WORK / f"{name}.log", "ab")
        words = [str(word) for word in command]
        self.processes[name] = subprocess.Popen(words, stdout=log, stderr=log, env={**os.environ, **environment})
        log.close()

    def start_bus(self) -> None:
        config = WORK / "system.conf"
        config.write_text(Path(__file__).with_name("system.conf").read_text().replace("@TREE@", str(TREE)))
        Path("/run/dbus").mkdir(exist_ok=True)
        Path("/run/dbus/system_bus_socket").unlink(missing_ok=True)
        self.start("bus", "dbus-daemon", "--nofork", "--nopidfile", f"--config-file={config}")
        await_true("a bus", lambda: listens("/run/dbus/system_bus_socket"))

    def start_polkit(self) -> None:
        self.start("polkitd", "/usr/lib/polkit-1/polkitd")
        self.await_name("org.freedesktop.PolicyKit1")

    def start_logind(self, user: int = 0) -> None:
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        self.start("logind", *as_user, sys.executable, "-m", "dbusmock", "--system", "--template", "logind")
        self.await_name(LOGIND)

    def start_tmmd(self) -> None:
        (WORK / "tmmd.log").unlink(missing_ok=True)
        options = (f"--root={ROOT}", f"--config={WORK}/tmmd.conf", f"--state={WORK}/state/histogram", "--bus=system")
        self.start("tmmd", BUILD / "tmmd/tmmd", *options,
                   LD_PRELOAD=str(BUILD / "tmmd/bus/libtmm-stand-in.so"), ASAN_OPTIONS="verify_asan_link_order=0")

    def client(self, user: int = 0, cgroup: str = "") -> Client:
        """Of users, who are in their sessions unless a cgroup is named; of root, who is in none."""
        session = {OWNER: f"user.slice/user-{OWNER}.slice/session-1.scope", OTHER: f"user.slice/user-{OTHER}.slice/session-2.scope"}
        self.clients.append(Client(user, cgroup or session.get(user, "system.slice")))
        return self.clients[-1]

    def await_name(self, name: str) -> None:
        asker = self.client()
        await_true(f"{name} on the bus", lambda: asker.call("org.freedesktop.DBus.NameHasOwner", name, signature="s",
                                                           path="/org/freedesktop/DBus", destination="org.freedesktop.DBus").value)

    def await_state(self, asker: Client, state: str) -> None:
        await_true(f"state {state}", lambda: asker.get("State").value == state)

    def stop(self, name: str) -> int:
        process = self.processes.pop(name)
        process.send_signal(signal.SIGCONT)
        process.terminate()
        return process.wait()

    def kill(self, name: str) -> None:
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def memory_kib(self) -> tuple[int, int]:
        """Returns the resident memory of tmmd, now and at its maximum."""
        status = Path(f"/proc/{self.processes['tmmd'].pid}/status").read_text()
        return tuple(int(re.search(name + r":\s+(\d+)", status)[1]) for name in ("VmRSS", "VmHWM"))

    def processor_seconds(self) -> float:
        """Returns the processor time that tmmd has used."""
        fields = Path(f"/proc/{self.processes['tmmd'].pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def forget_max_memory(self) -> None:
        """Lets the maximum of memory_kib() begin anew."""
        Path(f"/proc/{self.processes['tmmd'].pid}/clear_refs").write_text("5")

    def is_alive(self) -> bool:
        return self.processes["tmmd"].poll() is None

    def log(self, name: str = "tmmd") -> str:
        return (WORK / f"{name}.log").read_text(errors="replace")

    def close(self) -> None:
        for client in self.clients:
            client.close()
        for name in list(self.processes):
            self.stop(name)
