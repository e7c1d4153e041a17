# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients that close before they are served: what they sent is carried out, and what they asked for arrives."""
import socket
import time
import unittest

from server import TIMEOUT_S, ServerTest


class Leaving(ServerTest):
    def served(self) -> int:
        """The number of connections that the server has ended."""
        stats = self.connection.stats()
        return int(stats["total_connections"]) - int(stats["curr_connections"])

    def test_requests_of_a_client_that_has_gone_are_carried_out(self) -> None:
        for _ in range(20):
            self.connection.ask("flush_all")
            before = self.served()
            leaving = self.connect()
            leaving.send(b"".join(b"set key%d 0 0 1 noreply\r\nv\r\n" % number for number in range(2000)))
            leaving.close()
            deadline = time.monotonic() + TIMEOUT_S
            while self.served() == before:
                self.assertLess(time.monotonic(), deadline)
            self.assertEqual([number for number in range(2000) if self.connection.get(f"key{number}") is None], [])

    def test_a_client_that_sends_no_more_gets_all_replies(self) -> None:
        self.connection.set("key", b"v" * 1000000)
        for size in (1, 3):
            asking = self.connect()
            asking.send(b"get key\r\n" * size)
            asking.socket.shutdown(socket.SHUT_WR)
            # The server sees the end before the client has read anything.
            self.connection.ask("version")
            expected = len(b"VALUE key 0 1000000\r\n\r\nEND\r\n") + 1000000
            self.assertEqual(len(asking.reader.read()), size * expected)


if __name__ == "__main__":
    unittest.main()
