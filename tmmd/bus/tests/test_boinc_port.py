# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Another user listens at BOINC's port, and has so many sockets that /proc/net/tcp is 19 MB long. tmm-boinc does not connect."""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from bus_fixture import BUILD, OTHER, OWNER, WORK, BusFixture, await_true

PORT, SOCKETS = 31416, 125_000
# USER PORT SOCKETS: prints a line once all sockets listen, and one for each connection to the port.
LISTENER = """
import fcntl, os, resource, signal, socket, struct, sys
user, port, left = map(int, sys.argv[1:])
with socket.socket() as loopback:
    fcntl.ioctl(loopback, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
os.setgroups([])
os.setresgid(user, user, user)
os.setresuid(user, user, user)
max_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (max_files, max_files))
address = 1
while left > 0:
    part = min(left, max_files - 64, 50_000)
    reader, writer = os.pipe()
    if os.fork() == 0:
        kept = [socket.create_server((f"127.0.1.{address}", 2000 + i)) for i in range(part)]
        os.write(writer, b"x")
        signal.pause()
    os.close(writer)
    if not os.read(reader, 1):
        sys.exit("too few sockets")
    left -= part
    address += 1
with socket.create_server(("127.0.0.1", port)) as here:
    print("ready", flush=True)
    while True:
        here.accept()
        print("a connection", flush=True)
"""


class BoincPort(unittest.TestCase):
    """In a network namespace of its own."""

    def setUp(self) -> None:
        self.fixture = BusFixture()
        self.addCleanup(self.fixture.close)
        self.data, self.state = WORK / "port-data", WORK / "port-state"
        for folder, user in ((self.data, OWNER), (self.state, 0)):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            os.chown(folder, user, user)
        (self.data / "gui_rpc_auth.cfg").write_text("secret\n")

    def listen(self, user: int, sockets: int = 0) -> None:
        self.seen = WORK / "connections"
        with self.seen.open("w") as seen:
            self.listener = subprocess.Popen(["unshare", "--net", sys.executable, "-I", "-c", LISTENER, *map(str, (user, PORT, sockets))],
                                             stdout=seen, start_new_session=True)
        self.addCleanup(self.listener.wait)
        self.addCleanup(os.killpg, self.listener.pid, signal.SIGKILL)
        await_true("a listener", lambda: "ready" in self.seen.read_text() or self.listener.poll() is not None, 300)
        self.assertIsNone(self.listener.poll())

    def start(self) -> None:
        self.fixture.start("tmm-boinc", "nsenter", f"--net=/proc/{self.listener.pid}/ns/net", BUILD / "boinc-adapter/app/tmm-boinc",
                           f"--data={self.data}", f"--state={self.state}", f"--port={PORT}", "--bus=unix:path=/run/dbus/system_bus_socket")

    def connections(self) -> int:
        return self.seen.read_text().count("a connection")

    def test_the_own_users_listener_gets_a_connection(self) -> None:
        self.listen(OWNER)
        self.start()
        await_true("a connection", self.connections)

    def test_another_users_gets_none_beside_a_very_long_table_of_sockets(self) -> None:
        self.listen(OTHER, SOCKETS)
        table = Path(f"/proc/{self.listener.pid}/net/tcp").read_bytes()
        self.assertGreater(len(table), 16 << 20)
        began = time.monotonic()
        self.start()
        await_true("tmm-boinc says why", lambda: f"at port {PORT} listens user {OTHER}" in self.fixture.log("tmm-boinc") or self.connections())
        print(f"# /proc/net/tcp has {len(table) / 1e6:.1f} MB; tmm-boinc knew the listener after {time.monotonic() - began:.1f} s")
        self.assertEqual(self.connections(), 0)

