# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The server tells tmmd what it would gain from memory. A socket stands in for tmmd."""
import os
import socket
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from server import TIMEOUT_S, Connection, connect_to

from pymemcache.client.base import Client

HELLO, REPORT, GRANT = 1, 2, 3
# softlib/coordinate/records.hpp: header, number, budget, used, footprint, rebuild time, weight, first uses, 256 buckets.
REPORT_FORMAT = "<II QQQQQ ff 256f"
GRANT_FORMAT = "<II QQ II"


class Coordinator(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="tmm-cached-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.tmmd = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(self.tmmd.close)
        self.tmmd.bind(str(self.folder / "soft"))
        self.tmmd.listen()
        self.tmmd.settimeout(TIMEOUT_S)

    def start(self, *options: str) -> socket.socket:
        """Starts the server, and returns the connection of its heap."""
        as_root = ["-u", "root"] if os.geteuid() == 0 else []
        self.server = server = subprocess.Popen([os.environ["TMM_CACHED"], "-s", self.folder / "socket", *options, *as_root],
                                  env={**os.environ, "SOFTLIB_COORDINATOR": str(self.folder / "soft")})
        self.addCleanup(lambda: (server.terminate(), server.wait(TIMEOUT_S)))
        connect_to(self.folder / "socket", server).close()
        heap, _ = self.tmmd.accept()
        self.addCleanup(heap.close)
        heap.settimeout(TIMEOUT_S)
        self.assertEqual(struct.unpack_from("<II", heap.recv(4096)), (1, HELLO))
        return heap

    def test_a_limit_bounds_what_tmmd_grants(self) -> None:
        heap = self.start("-m", "64")
        control = Connection(connect_to(self.folder / "socket", self.server))
        self.addCleanup(control.close)
        limits = []
        for megabytes in (1000, 1000, 8, 8):
            number = struct.unpack_from("<IIQ", heap.recv(4096))[2]
            heap.send(struct.pack(GRANT_FORMAT, 1, GRANT, number, megabytes << 20, 60_000, 0))
            # The next report tells the budget that followed.
            budget = struct.unpack_from("<IIQQ", heap.recv(4096))[3]
            limits.append((megabytes, budget, int(control.stats()["limit_maxbytes"])))
        for megabytes, budget, limit in limits:
            # Less, if the machine cannot spare as much.
            self.assertLessEqual(budget, 64 << 20, limits)
            self.assertLessEqual(limit, 64 << 20, limits)
        self.assertLessEqual(limits[-1][2], 8 << 20, limits)

    def test_reports_uses_sizes_and_the_cost_of_misses(self) -> None:
        heap = self.start()
        client = Client(str(self.folder / "socket"), default_noreply=False)
        self.addCleanup(client.close)
        client.set("first", b"v")
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            for _ in range(2):
                for number in range(200):
                    if client.get(f"key{number}") is None:
                        client.set(f"key{number}", b"v" * 10000)
            _, kind, _, _, _, footprint, rebuild_ns, _, _, *reuses = struct.unpack(REPORT_FORMAT, heap.recv(4096))
            self.assertEqual(kind, REPORT)
            if sum(reuses) > 0 and rebuild_ns > 0 and footprint > 190 * 10000:
                break
            self.assertLess(time.monotonic(), deadline)
            # The next report tells a miss again.
            client.delete_many([f"key{number}" for number in range(200)])


if __name__ == "__main__":
    unittest.main()
