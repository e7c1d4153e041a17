# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts tmm-cached for tests, and speaks to it. The environment variable TMM_CACHED names the program."""
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

TIMEOUT_S = 60


class Connection:
    """A connection with the text protocol of memcached in mind: send() and line()."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.socket.settimeout(TIMEOUT_S)
        self.reader = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> bytes:
        return self.reader.readline().rstrip(b"\r\n")

    def read(self, size: int) -> bytes:
        return self.reader.read(size)

    def ask(self, command: str | bytes) -> bytes:
        """Sends a line and returns the line that answers it."""
        self.send((command.encode() if isinstance(command, str) else command) + b"\r\n")
        return self.line()

    def set(self, key: str, value: bytes, flags: int = 0, expiry: int = 0) -> bytes:
        return self.ask(f"set {key} {flags} {expiry} {len(value)}\r\n".encode() + value)

    def get(self, key: str) -> bytes | None:
        words = self.ask(f"get {key}").split()
        if words == [b"END"]:
            return None
        value = self.read(int(words[3]))
        assert self.read(7) == b"\r\nEND\r\n"
        return value

    def stats(self, what: str = "") -> dict[str, str]:
        self.send(f"stats {what}\r\n".encode())
        found = {}
        while (line := self.line()) != b"END":
            _, name, value = line.decode().split(" ", 2)
            found[name] = value
        return found

    def close(self) -> None:
        self.reader.close()
        self.socket.close()


def connect_to(path: Path, server: subprocess.Popen) -> socket.socket:
    """Waits until the server listens at its Unix socket."""
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        connected = socket.socket(socket.AF_UNIX)
        try:
            connected.connect(str(path))
            return connected
        except OSError:
            connected.close()
            if time.monotonic() > deadline or server.poll() is not None:
                raise
            time.sleep(0.01)


class ServerTest(unittest.TestCase):
    """Each test has a server of its own, with the options of the class."""

    options: list[str] = ["-m", "64"]

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tmm-cached-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder / "socket"
        self.connections: list[Connection] = []
        as_root = ["-u", "root"] if os.geteuid() == 0 else []
        extended = f"debugtime,fixed_memory,crsh={self.folder}/crsh"
        self.server = subprocess.Popen([os.environ["TMM_CACHED"], "-s", str(self.path), "-o", extended, *as_root, *self.options])
        self.addCleanup(self.stop)
        self.connection = self.connect()

    def connect(self, name: str = "socket") -> Connection:
        self.connections.append(Connection(connect_to(self.folder / name, self.server)))
        return self.connections[-1]

    def stop(self) -> None:
        for connection in self.connections:
            connection.close()
        if self.server.poll() is None:
            self.server.terminate()
        self.assertEqual(self.server.wait(TIMEOUT_S), 0)


def start_tcp(test: unittest.TestCase, *options: str) -> tuple[subprocess.Popen, int]:
    """A server at a free port of 127.0.0.1, until the end of the test."""
    folder = Path(tempfile.mkdtemp(prefix="tmm-cached-"))
    test.addCleanup(shutil.rmtree, folder)
    ports = folder / "ports"
    as_root = ["-u", "root"] if os.geteuid() == 0 else []
    server = subprocess.Popen([os.environ["TMM_CACHED"], "-m", "64", "-o", "fixed_memory", "-p", "-1", *options, *as_root],
                              env={**os.environ, "MEMCACHED_PORT_FILENAME": str(ports)})
    test.addCleanup(server.wait, TIMEOUT_S)
    test.addCleanup(server.terminate)
    deadline = time.monotonic() + TIMEOUT_S
    while not ports.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return server, int(re.search(r"^TCP INET: (\d+)", ports.read_text(), re.MULTILINE)[1])
