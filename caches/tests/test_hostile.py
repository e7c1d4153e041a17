# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients that are slow, greedy or broken: they cost bounded memory, and others are served."""
import random
import re
import socket
import unittest
from pathlib import Path

from server import TIMEOUT_S, Connection, ServerTest, start_tcp


ROUNDS = 100


def resident_bytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status)[1])


def send_half(slow: list[Connection]) -> None:
    """Sends of a large value for each as much as the server takes."""
    left = {one: 15000000 for one in slow}
    for one in slow:
        one.send(b"set key 0 0 16000000\r\n")
        one.socket.setblocking(False)
    for _ in range(ROUNDS):
        for one in slow:
            try:
                left[one] -= one.socket.send(b"v" * left[one])
            except BlockingIOError:
                pass


class Hostile(ServerTest):
    options = ["-m", "64", "-I", "16m", "-t", "2"]

    def test_clients_that_do_not_read_cost_bounded_memory(self) -> None:
        self.connection.set("key", b"v" * 1000000)
        before = resident_bytes(self.server.pid)
        for _ in range(100):
            greedy = self.connect()
            greedy.send(b"get" + b" key" * 500 + b"\r\n")
        for _ in range(100):
            self.assertEqual(len(self.connection.get("key")), 1000000)
        self.assertLess(resident_bytes(self.server.pid) - before, 400 << 20)

    def test_half_sent_values_cost_bounded_memory(self) -> None:
        before = resident_bytes(self.server.pid)
        slow = [self.connect() for _ in range(50)]
        send_half(slow)
        for _ in range(100):
            self.assertEqual(self.connection.set("small", b"v"), b"STORED")
        self.assertLess(resident_bytes(self.server.pid) - before, 200 << 20)

    def test_a_request_may_come_byte_by_byte(self) -> None:
        for byte in b"set key 0 0 5\r\nvalue\r\nget key\r\n":
            self.connection.send(bytes([byte]))
        self.assertEqual(self.connection.line(), b"STORED")
        self.assertEqual(self.connection.line(), b"VALUE key 0 5")

    def test_endless_lines_are_cut(self) -> None:
        endless = self.connect()
        try:
            for _ in range(100):
                endless.send(b"x" * 10000)
            self.assertEqual(endless.line(), b"")
        except OSError:
            pass
        self.assertEqual(self.connection.ask("mn"), b"MN")

    def test_noise_harms_nobody(self) -> None:
        noise = random.Random(1)
        words = [b"set k 0 0 5\r\n", b"get ", b"mg k v\r\n", b"ms k 3 ", b"\x80\x01\x00", b"*3\r\n$3\r\n", b"\r\n", b" ", b"-1",
                 b"99999999999", b"value", b"\x00" * 24, b"stats\r\n", b"incr k 1\r\n"]
        for _ in range(300):
            one = self.connect()
            try:
                one.send(b"".join(noise.choice(words) for _ in range(noise.randrange(1, 30))))
            except OSError:
                pass
            one.close()
            self.connections.remove(one)
        self.assertEqual(self.connection.set("key", b"v"), b"STORED")
        self.assertEqual(self.connection.get("key"), b"v")


class TooMany(ServerTest):
    options = ["-m", "64", "-c", "10"]

    def test_connections_beyond_the_limit_are_refused(self) -> None:
        others = [self.connect() for _ in range(11)]
        self.assertEqual(self.connection.ask("mn"), b"MN")
        self.assertEqual(others[-1].line(), b"ERROR Too many open connections")
        self.assertGreater(int(self.connection.stats()["rejected_connections"]), 0)


class ManyAddresses(unittest.TestCase):
    """A user of this machine has 16 million addresses that begin with 127."""

    def connect(self, port: int, number: int) -> Connection:
        made = socket.create_connection(("127.0.0.1", port), TIMEOUT_S, (f"127.0.{number // 250}.{number % 250 + 1}", 0))
        connection = Connection(made)
        self.addCleanup(connection.close)
        return connection

    def test_their_half_sent_values_cost_bounded_memory(self) -> None:
        server, port = start_tcp(self, "-I", "16m", "-t", "2")
        before = resident_bytes(server.pid)
        slow = [self.connect(port, number) for number in range(50)]
        send_half(slow)
        self.assertTrue(self.connect(port, 50).ask("version").startswith(b"VERSION"))
        self.assertLess(resident_bytes(server.pid) - before, 200 << 20)
