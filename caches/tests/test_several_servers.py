# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients with consistent hashing over several servers, one of which leaves: it costs its share of hits and nothing else."""
import os
import signal
import socket
import subprocess
import unittest

from server import TIMEOUT_S, ServerTest, connect_to

from pymemcache.client.base import Client
from pymemcache.client.hash import HashClient

KEYS = [f"key{number}" for number in range(300)]


class SeveralServers(ServerTest):
    def setUp(self) -> None:
        super().setUp()
        self.paths = [str(self.path)]
        self.servers = [self.server]
        for number in (1, 2):
            path = self.folder / f"server{number}"
            as_root = ["-u", "root"] if os.geteuid() == 0 else []
            server = subprocess.Popen([os.environ["TMM_CACHED"], "-s", path, "-m", "64", "-o", "fixed_memory", *as_root])
            self.addCleanup(lambda server=server: (server.terminate(), server.wait(TIMEOUT_S)))
            self.servers.append(server)
            self.paths.append(str(path))
            connect_to(path, server).close()

    def end_the_last(self) -> None:
        self.servers[-1].send_signal(signal.SIGKILL)
        self.servers[-1].wait(TIMEOUT_S)

    def check_that_the_rest_serves(self, client, kept: set[str]) -> None:
        found = {key for key in KEYS if client.get(key) is not None}
        self.assertLessEqual(found, kept)
        # Two of three servers have about two thirds.
        self.assertGreater(len(found), len(KEYS) // 3)
        for key in KEYS:
            client.set(key, b"again")
        self.assertGreater(sum(client.get(key) == b"again" for key in KEYS), len(KEYS) // 3)

    def test_pymemcache(self) -> None:
        client = HashClient(self.paths, default_noreply=False, ignore_exc=True, retry_attempts=0, dead_timeout=TIMEOUT_S)
        self.addCleanup(client.close)
        for key in KEYS:
            self.assertTrue(client.set(key, b"v"))
        for path in self.paths:
            server = Client(path)
            self.addCleanup(server.close)
            self.assertGreater(server.stats()[b"curr_items"], 0)
        self.end_the_last()
        self.check_that_the_rest_serves(client, set(KEYS))

    def test_twemproxy(self) -> None:
        listens = self.folder / "proxy"
        configuration = self.folder / "nutcracker.yml"
        servers = "".join(f"    - {path}:1 server{number}\n" for number, path in enumerate(self.paths))
        configuration.write_text(f"cache:\n  listen: {listens} 0600\n  hash: fnv1a_64\n  distribution: ketama\n"
                                 "  auto_eject_hosts: true\n  server_failure_limit: 1\n  server_retry_timeout: 60000\n"
                                 f"  timeout: 5000\n  servers:\n{servers}")
        # It always serves its counts at a port.
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        proxy = subprocess.Popen(["nutcracker", "-c", configuration, "-s", str(port), "-a", "127.0.0.1"],
                                 env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"}, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (proxy.terminate(), proxy.wait(TIMEOUT_S)))
        connect_to(listens, proxy).close()
        client = Client(str(listens), default_noreply=False, ignore_exc=True)
        self.addCleanup(client.close)
        for key in KEYS:
            client.set(key, b"v")
        self.assertEqual(sum(client.get(key) == b"v" for key in KEYS), len(KEYS))
        self.end_the_last()
        # The first request to it fails; then the proxy leaves it out.
        for key in KEYS:
            client.get(key)
        self.check_that_the_rest_serves(client, set(KEYS))


if __name__ == "__main__":
    unittest.main()
