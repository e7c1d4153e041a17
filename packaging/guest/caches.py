#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as root in a virtual machine with systemd: installs the packages in /opt/tmm/debs, and uses tmm-cached as its README says, by the units
of the package. Then stops, kills, restarts, upgrades and removes it while clients use it. Prints TAP; the journal is in /results."""

import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import threading
import time

import helpers
from computer import RESULTS, install, is_purged, journal_is_clean, run
from pymemcache.client.base import Client
from pymemcache.exceptions import MemcacheUnexpectedCloseError
from server import TIMEOUT_S, Connection
from stock import DEADLINE_S, Computer, Program, eventually, nr_oom_kills, text
from tap import Tap

README = pathlib.Path(__file__).with_name("README.md").read_text(encoding="utf-8")
# tmm-cached with a later version.
LATER = pathlib.Path(__file__).with_name("later.deb")
PORT = ("127.0.0.1", 11211)
SOCKET, SERVICE = "tmm-cached.socket", "tmm-cached.service"
TENANT = "tmm-cached@alice"
# Of systemd-analyze; the lower, the less the unit may do.
MAX_EXPOSURE = 1.5
MB = 1 << 20
CACHED_MB = 150
# Beside that, more than the machine of 768 MB has.
PROGRAM_MB = 380


def examples(language: str) -> list[str]:
    """The README's examples in this language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def connected(address: tuple[str, int] | str) -> Connection:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    return Connection(connected_socket(family, address))


def connected_socket(family: int, address: tuple[str, int] | str) -> socket.socket:
    made = socket.socket(family)
    try:
        made.settimeout(TIMEOUT_S)
        made.connect(address)
    except OSError:
        made.close()
        raise
    return made


def ask(address: tuple[str, int] | str, command: str = "version") -> str:
    """The first line of the answer."""
    connection = connected(address)
    try:
        return connection.ask(command).decode()
    finally:
        connection.close()


def stats(address: tuple[str, int] | str) -> dict[str, str]:
    connection = connected(address)
    try:
        return connection.stats()
    finally:
        connection.close()


def is_refused(address: tuple[str, int] | str) -> bool:
    try:
        ask(address)
    except (ConnectionRefusedError, FileNotFoundError):
        return True
    return False


def state_of(unit: str, name: str = "ActiveState") -> str:
    return run("systemctl", "show", f"--property={name}", "--value", unit).strip()


def pid_of(unit: str = SERVICE) -> int:
    return int(state_of(unit, "MainPID"))


def value_of(key: str, size: int) -> bytes:
    """Tells its key."""
    word = hashlib.sha256(key.encode()).digest()
    return (word * (size // len(word) + 1))[:size]


class User(threading.Thread):
    """A client that sets and gets all the time, and comes back when it loses its connection. A value that it gets is right."""

    def __init__(self, address: tuple[str, int] | str) -> None:
        super().__init__(daemon=True)
        self.address = address
        self.nr_answers = 0
        self.nr_lost = 0
        self.wrong: list[str] = []
        self.ends = False

    def run(self) -> None:
        while not self.ends:
            client = Client(self.address, no_delay=False, timeout=TIMEOUT_S)
            try:
                self.use(client)
            except (OSError, MemcacheUnexpectedCloseError):
                self.nr_lost += 1
                time.sleep(0.01)
            except Exception as error:  # pylint: disable=broad-except
                self.wrong.append(repr(error))
                raise
            finally:
                client.close()

    def use(self, client: Client) -> None:
        while not self.ends:
            key = f"user{self.nr_answers % 500}"
            client.set(key, value_of(key, 3000), noreply=False)
            value = client.get(key)
            if value is not None and value != value_of(key, 3000):
                self.wrong.append(f"{key}: {value[:50]!r}")
            self.nr_answers += 1

    def is_answered_again(self) -> None:
        before = self.nr_answers
        eventually(lambda: self.nr_answers > before + 20 or self.wrong, f"a client at {self.address} is answered again")
        assert not self.wrong, self.wrong

    def leave(self) -> str:
        self.ends = True
        self.join(TIMEOUT_S)
        assert not self.wrong, "\n".join(self.wrong[:10])
        return f"{self.address}: {self.nr_answers} answers, {self.nr_lost} lost connections"


class Caches:
    def __init__(self) -> None:
        self.owner = Computer()
        self.runtime = ""  # the owner's folder of sockets

    def as_owner(self, *command: str, timeout: float = DEADLINE_S) -> str:
        return run(*self.owner.as_owner(*command), timeout=timeout)

    @property
    def of_owner(self) -> str:
        return f"{self.runtime}/tmm-cached"

    @property
    def everywhere(self) -> list[tuple[str, int] | str]:
        """The system's server, the owner's and a tenant's."""
        return [PORT, self.of_owner, "/run/tmm-cached/alice"]

    def programs(self) -> dict[int, str]:
        """The program of each running server of the system."""
        pids = [pid_of(unit) for unit in (SERVICE, TENANT)]
        return {pid: os.readlink(f"/proc/{pid}/exe") for pid in pids}

    def log_in(self) -> str:
        note = self.owner.log_in()
        self.runtime = self.owner.as_owner()[5].partition("=")[2]
        run("useradd", "--system", "alice")
        return note

    # The system's server

    def serves_nobody(self) -> None:
        """Until an administrator or a user starts the socket."""
        for command in (["systemctl"], self.owner.as_owner("systemctl", "--user")):
            for unit in (SOCKET, SERVICE):
                said = subprocess.run([*command, "is-enabled", unit], capture_output=True, text=True, check=False).stdout.strip()
                assert said in ("disabled", "static"), f"{command} is-enabled {unit}: {said}"
        assert is_refused(PORT) and is_refused(self.of_owner)

    def starts_by_its_socket(self) -> str:
        run("systemctl", "enable", "--now", SOCKET)
        assert state_of(SERVICE) == "inactive", "it waits for nobody"
        version = ask(PORT)
        assert version.startswith("VERSION 1."), version
        assert ask(("::1", PORT[1])) == version
        assert state_of(SERVICE) == "active"
        return version

    def is_restricted(self) -> str:
        line = helpers.unit_is_restricted("tmm-cached", MAX_EXPOSURE)
        pid = pid_of()
        said = helpers.status(pid)
        assert all(int(said[name], 16) == 0 for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")), said
        assert (said["NoNewPrivs"], said["Seccomp"]) == ("1", helpers.SECCOMP_FILTER), said
        user = int(said["Uid"].split()[0])
        assert 61184 <= user <= 65519, f"user {user} is not one that systemd made for it"
        assert os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/1/ns/net"), "it reaches the network"
        root = pathlib.Path(f"/proc/{pid}/root")
        assert not list((root / "home").iterdir()), "it sees homes"
        assert not (root / "dev/nvme0n1").exists() and not (root / "dev/kmsg").exists(), "it sees devices"
        assert text(f"/proc/{pid}/oom_score_adj") == "900"
        return line

    def serves_python(self) -> None:
        client = Client(PORT)
        assert client.set("key", b"value", noreply=False) and client.get("key") == b"value"
        value, cas = client.gets("key")
        assert client.cas("key", value + b"!", cas, noreply=False) and client.get("key") == b"value!"
        client.close()

    def serves_django(self) -> None:
        settings = next(example for example in examples("python") if "django" in example)
        program = settings + """
import django.conf
django.conf.settings.configure(CACHES=CACHES)
from django.core.cache import cache
cache.set("page", {"html": "<p>" * 10000}, 60)
assert cache.get("page") == {"html": "<p>" * 10000}
assert cache.add("page", 1) is False
assert cache.get_or_set("made", lambda: 42) == 42 and cache.incr("made") == 43
cache.set_many({"a": 1, "b": 2})
assert cache.get_many(["a", "b", "c"]) == {"a": 1, "b": 2}
cache.clear()
assert cache.get("page") is None
"""
        before = int(stats(PORT)["get_hits"])
        self.as_owner("python3", "-c", program)
        assert int(stats(PORT)["get_hits"]) > before, "Django did not ask this server"

    def is_soft_memory(self) -> str:
        def heap() -> dict:
            heaps = json.loads(run("tmmctl", "soft", "--json"))["heaps"]
            return next((one for one in heaps if one["pid"] == pid_of() and one["granted_bytes"] > 0), {})

        ask(PORT)
        eventually(heap, "tmmctl shows the server's memory")
        assert str(pid_of()) in run("tmmctl", "soft")
        return json.dumps(heap())

    def returns_memory(self) -> str:
        """To a program that needs it; what remains is right."""
        client = Client(PORT, timeout=TIMEOUT_S)
        for number in range(CACHED_MB):
            client.set(f"big{number}", value_of(f"big{number}", MB - 1000), noreply=False)
        had = int(client.stats()[b"bytes"]) // MB
        kills = nr_oom_kills()
        program: Program = self.owner.start("program", PROGRAM_MB, 0, 0)
        eventually(program.is_filled, "the program has its memory")
        eventually(lambda: int(client.stats()[b"bytes"]) // MB < had - 20, "the server gives memory back")
        has = int(client.stats()[b"bytes"]) // MB
        left = {key: value for key in (f"big{number}" for number in range(CACHED_MB)) if (value := client.get(key)) is not None}
        wrong = [key for key, value in left.items() if value != value_of(key, MB - 1000)]
        assert not wrong, f"wrong: {wrong}"
        assert nr_oom_kills() == kills and state_of(SERVICE) == "active" and program.is_alive()
        program.end()
        client.close()
        return f"{had} MB, with a program of {PROGRAM_MB} MB {has} MB; {len(left)} of {CACHED_MB} values"

    # A user's server

    def serves_ccache(self) -> str:
        """Two compilations with local caches of their own: the second takes the first one's result from the server."""
        start = next(example for example in examples("sh") if "CCACHE_REMOTE_STORAGE" in example)
        program = start + """
mkdir -p ~/program && cd ~/program
echo 'int main(void) { return 42; }' >program.c
for cache in one two; do
  CCACHE_DIR=~/$cache ccache gcc -c program.c -o $cache.o || exit
done
cmp one.o two.o
"""
        self.as_owner("sh", "-ec", program)
        said = stats(self.of_owner)
        assert int(said["get_hits"]) >= 2, f"ccache got nothing from the server: {said}"
        mode = os.stat(self.of_owner).st_mode & 0o777
        assert mode == 0o600, f"{mode:o}"
        return f"{said['cmd_set']} sets, {said['get_hits']} hits"

    def serves_newer_ccache(self) -> None:
        """The greeting of its protocol, and an entry."""
        helper = connected(f"{self.runtime}/tmm-cached-crsh")
        assert helper.read(4) == b"\x01\x02\x00\x01"
        key = bytes(range(20))
        helper.send(b"\x01\x14" + key + b"\x01" + (5).to_bytes(8, "little") + b"value")
        assert helper.read(1) == b"\x00"
        helper.send(b"\x00\x14" + key)
        assert helper.read(14) == b"\x00" + (5).to_bytes(8, "little") + b"value"
        helper.close()

    def listens_for_newer_ccache_at_once(self) -> None:
        """Before anybody used the other socket."""
        self.as_owner("systemctl", "--user", "stop", SOCKET, "tmm-cached-crsh.socket", SERVICE)
        self.as_owner("systemctl", "--user", "start", SOCKET)
        self.serves_newer_ccache()

    def serves_the_owners_python(self) -> None:
        example = next(example for example in examples("python") if "pymemcache.client" in example)
        self.as_owner("python3", "-c", example + 'assert client.get("key") == b"value"\n')
        assert ask(self.of_owner, "get key").startswith("VALUE key"), "it was another server"

    # Tenants

    def serves_tenants(self) -> str:
        run("sh", "-ec", next(example for example in examples("sh") if "tmm-cached@" in example))
        path = "/run/tmm-cached/alice"
        say = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect('{path}'); s.sendall(b'version\\r\\n'); print(s.recv(100))"
        assert "VERSION" in run("runuser", "-u", "alice", "--", "python3", "-c", say)
        denied = subprocess.run(self.owner.as_owner("python3", "-c", say), capture_output=True, text=True, check=False)
        assert denied.returncode != 0 and "PermissionError" in denied.stderr, denied.stdout
        helpers.unit_is_restricted(TENANT, MAX_EXPOSURE)
        user = int(helpers.status(pid_of(TENANT))["Uid"].split()[0])
        said = json.loads(run("tmmctl", "soft", "--json"))
        assert said["weights"] == [{"user": user, "weight": 600}], f"{said}, but the server's user is {user}"
        return json.dumps(said["weights"])

    # Its end

    def stops(self) -> str:
        """With clients: one idle, one in the midst of a request."""
        clients = [connected(PORT), connected(PORT)]
        clients[0].set("key", b"value")
        clients[1].send(b"set key 0 0 1000\r\nhalf")
        began = time.monotonic()
        run("systemctl", "stop", SERVICE)
        took = time.monotonic() - began
        for client in clients:
            client.close()
        assert (state_of(SERVICE), state_of(SERVICE, "Result"), state_of(SERVICE, "ExecMainStatus")) == ("inactive", "success", "0")
        assert state_of(SOCKET) == "active"
        assert ask(PORT).startswith("VERSION") and ask(PORT, "get key") == "END"
        return f"after {took:.1f} s"

    def returns_after_a_kill(self) -> None:
        pid = pid_of()
        os.kill(pid, 9)
        eventually(lambda: pid_of() not in (0, pid), "systemd starts it again")
        assert ask(PORT).startswith("VERSION")

    def in_use(self, what: str, *command: str) -> str:
        """Clients of all servers are answered again after the command."""
        users = [User(address) for address in self.everywhere]
        for user in users:
            user.start()
        for user in users:
            user.is_answered_again()
        before = self.programs()
        run(*command)
        for user in users:
            user.is_answered_again()
        notes = [user.leave() for user in users]
        now = self.programs()
        assert what != "upgrade" or not set(now) & set(before), f"the old program goes on: {now}"
        assert not [path for path in now.values() if "deleted" in path], f"a program that is no longer installed goes on: {now}"
        return "\n".join(notes)

    def restarts(self) -> str:
        return self.in_use("restart", "systemctl", "restart", SERVICE)

    def restarts_with_its_socket(self) -> str:
        return self.in_use("restart", "systemctl", "restart", SOCKET)

    def starts_without_ipv6(self) -> None:
        """Of which owners often switch all addresses off."""
        switch = pathlib.Path("/proc/sys/net/ipv6/conf/lo/disable_ipv6")
        switch.write_text("1", encoding="ascii")
        try:
            run("systemctl", "restart", SOCKET)
            assert ask(PORT).startswith("VERSION")
        finally:
            switch.write_text("0", encoding="ascii")

    def upgrades(self) -> str:
        note = self.in_use("upgrade", "dpkg", "--install", str(LATER))
        assert state_of(SOCKET) == "active" and state_of(f"{TENANT}.socket") == "active"
        return note

    def removal_stops(self) -> None:
        pids = [*self.programs(), int(self.as_owner("systemctl", "--user", "show", "--property=MainPID", "--value", SERVICE))]
        assert all(pids), f"not all servers run: {pids}"
        run("dpkg", "--remove", "tmm-cached")
        alive = [pid for pid in pids if pathlib.Path(f"/proc/{pid}").exists()]
        assert not alive, f"still run: {alive}"
        assert all(is_refused(address) for address in self.everywhere), "somebody listens"

    def purge(self) -> None:
        is_purged()
        left = run("find", "/etc", "/usr", "/var/lib/systemd", "-name", "*tmm-cached*")
        assert not left, left


def timed(body):
    def run_it():
        begin = time.monotonic()
        note = body()
        return "\n".join([*([note] if note else []), f"{time.monotonic() - begin:.1f} s"])

    return run_it


def main() -> int:
    tap = Tap()
    caches = Caches()
    for name, test in (
            ("the owner is logged in", caches.log_in),
            ("the packages are installed", install),
            ("an installation serves nobody", caches.serves_nobody),
            ("the system's server starts by its socket", caches.starts_by_its_socket),
            ("systemd restricts it", caches.is_restricted),
            ("it serves a Python program", caches.serves_python),
            ("it serves Django as the README says", caches.serves_django),
            ("tmmctl shows it as soft memory", caches.is_soft_memory),
            ("it returns memory to a program", caches.returns_memory),
            ("a user's server serves ccache as the README says", caches.serves_ccache),
            ("it serves ccache's newer protocol", caches.serves_newer_ccache),
            ("it does so before the other socket is used", caches.listens_for_newer_ccache_at_once),
            ("it serves the user's Python program as the README says", caches.serves_the_owners_python),
            ("tenants have servers of their own as the README says", caches.serves_tenants),
            ("it stops cleanly while clients use it, and its socket stays", caches.stops),
            ("it returns after a kill", caches.returns_after_a_kill),
            ("it answers after a restart in use", caches.restarts),
            ("it answers after a restart of its socket in use", caches.restarts_with_its_socket),
            ("it starts where IPv6 is switched off", caches.starts_without_ipv6),
            ("all servers answer after an upgrade in use", caches.upgrades),
            ("the journal has no error that TMM can cause", journal_is_clean),
            ("a removal stops all servers", caches.removal_stops),
            ("a purge leaves nothing", caches.purge)):
        tap.test(name, timed(test))
    run("sh", "-c", f"journalctl --boot --output=short-monotonic >{RESULTS}/journal")
    return tap.finish()


if __name__ == "__main__":
    raise SystemExit(main())
