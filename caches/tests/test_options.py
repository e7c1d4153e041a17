# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line, which is memcached's."""
import os
import subprocess
import unittest

from server import ServerTest

PROGRAM = os.environ["TMM_CACHED"]


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)


class CommandLine(unittest.TestCase):
    def test_help_names_a_version_that_clients_take(self) -> None:
        first = run("-h").stdout.splitlines()[0]
        self.assertRegex(first, r"^memcached 1\.6\.\d+")
        self.assertRegex(run("-V").stdout, r"^memcached 1\.6\.\d+")

    def test_mistakes_are_named(self) -> None:
        for arguments in (["-c", "0"], ["-c", "-1"], ["-t", "0"], ["-B", "http"], ["-I", "1000"], ["-I", "2g"], ["-p", "x"],
                          ["-o", "nonsense"], ["-o", "fixed_memory"], ["-a", "9"], ["nonsense"]):
            failed = run(*arguments)
            self.assertEqual(failed.returncode, 64, arguments)
            self.assertIn("tmm-cached: ", failed.stderr)


class Accepted(ServerTest):
    options = ["-m", "64", "-U", "0", "-v", "-n", "48", "-f", "1.25", "-L", "-b", "100", "-R", "5", "-A",
               "-o", "modern,relaxed_privileges,slab_chunk_max=1,no_lru_crawler,hash_algorithm=murmur3,idle_timeout=100"]

    def test_settings_are_told(self) -> None:
        settings = self.connection.stats("settings")
        self.assertEqual((settings["tcp_backlog"], settings["reqs_per_event"], settings["idle_timeout"]), ("100", "5", "100"))

    def test_shutdown(self) -> None:
        self.connection.send(b"shutdown\r\n")
        self.assertEqual(self.connection.line(), b"")
        self.assertEqual(self.server.wait(60), 0)
