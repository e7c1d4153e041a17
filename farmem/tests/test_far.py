#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs real programs on far memory: python3 test_far.py, or scripts/unittest-to-tap farmem/tests. TMM_BUILD: folder of the programs."""
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BUILD = Path(os.environ.get("TMM_BUILD", "build")).resolve()
FAR = BUILD / "farmem/tmm-far"
PAGER = BUILD / "farmem/tmm-fard"
LIBRARY = BUILD / "farmem/libtmm-far.so"
CHECK_PAGES = BUILD / "farmem/check-pages"
# Each ends programs that hang; a busy machine is many times slower than an idle one.
TIMEOUT = 300


def why_not() -> str:
    """Says what far memory misses here, or nothing."""
    if not os.access("/dev/userfaultfd", os.R_OK | os.W_OK):
        return "no access to /dev/userfaultfd"
    major, minor = (int(part) for part in os.uname().release.split(".")[:2])
    return "" if (major, minor) >= (6, 8) else "the kernel has no UFFDIO_MOVE"


@unittest.skipIf(why_not(), why_not())
class FarTest(unittest.TestCase):
    store = "memory"

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tmm-far-"))
        self.socket = self.folder / "pager"
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.pager = subprocess.Popen([PAGER, f"--socket={self.socket}"], stderr=self.log)
        self.wait_for(self.socket.exists)

    def tearDown(self) -> None:
        self.pager.terminate()
        self.pager.wait(TIMEOUT)
        self.log.close()
        shutil.rmtree(self.folder)

    def wait_for(self, holds) -> None:
        end = time.monotonic() + TIMEOUT
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def words(self, memory: str, command: list, name: str = "test") -> list:
        return [FAR, "run", f"--memory={memory}", f"--name={name}", f"--store={self.store}", f"--socket={self.socket}",
                f"--library={LIBRARY}", "--", *command]

    def run_far(self, memory: str, command: list, **options) -> subprocess.CompletedProcess:
        return subprocess.run(self.words(memory, command), capture_output=True, text=True, timeout=TIMEOUT, **options)

    def start_far(self, memory: str, command: list, **options) -> subprocess.Popen:
        return subprocess.Popen(self.words(memory, command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def far(self, *words) -> subprocess.CompletedProcess:
        return subprocess.run([FAR, words[0], f"--socket={self.socket}", *words[1:]], capture_output=True, text=True, timeout=TIMEOUT)

    def status(self, name: str = "test") -> dict:
        for line in self.far("status").stdout.splitlines():
            program, *values = line.split()
            if program == name:
                return dict(value.split("=", 1) for value in values)
        return {}

    def assert_succeeds(self, run: subprocess.CompletedProcess) -> None:
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr + (self.folder / "log").read_text())


class Programs(FarTest):
    def test_threads_check_every_page(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5"]))

    def test_mappings_that_change(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5", "map"]))

    def test_forks(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "3", "5", "fork"]))

    def test_forks_and_mappings(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "3", "5", "fork", "map"]))

    def test_sort(self) -> None:
        numbers = random.Random(1)
        text = "".join(f"{numbers.getrandbits(64):x}\n" for _ in range(400_000))
        (self.folder / "in").write_text(text)
        sort = ["sort", "--buffer-size=40M", "--parallel=2", self.folder / "in"]
        run = self.run_far("10M", sort, env={**os.environ, "LC_ALL": "C"})
        self.assert_succeeds(run)
        self.assertEqual(run.stdout, "".join(sorted(text.splitlines(True))))

    def test_python(self) -> None:
        program = ("import hashlib\n"
                   "a = [str(i) * 3 for i in range(600_000)]\n"
                   "b = dict.fromkeys(a, 1)\n"
                   "a.sort()\n"
                   "print(hashlib.sha256(''.join(a).encode()).hexdigest(), len(b))\n")
        run = self.run_far("24M", [sys.executable, "-c", program])
        self.assert_succeeds(run)
        words = sorted(str(i) * 3 for i in range(600_000))
        self.assertEqual(run.stdout, f"{hashlib.sha256(''.join(words).encode()).hexdigest()} 600000\n")

    def test_multiprocessing(self) -> None:
        program = ("import multiprocessing as m\n"
                   "data = [bytes([i % 251]) * 4096 for i in range(12_000)]\n"
                   "def total(k):\n"
                   "    return sum(sum(page[:16]) for page in data[k::4])\n"
                   "with m.get_context('fork').Pool(4) as pool:\n"
                   "    print(sum(pool.map(total, range(4))))\n")
        run = self.run_far("16M", [sys.executable, "-c", program])
        self.assert_succeeds(run)
        self.assertEqual(run.stdout, f"{16 * sum(i % 251 for i in range(12_000))}\n")

    def test_status_of_a_program(self) -> None:
        run = self.run_far("16M", ["sh", "-c", "exit 7"])
        self.assertEqual(run.returncode, 7)


class Limits(FarTest):
    def test_moves_while_the_program_runs(self) -> None:
        program = self.start_far("64M", [CHECK_PAGES, "96", "2", "12"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.assertEqual(self.far("limit", "test", "24M").returncode, 0)
        self.wait_for(lambda: int(self.status()["local"]) <= 24 << 20)
        self.assertEqual(self.far("limit", "test", "200M").returncode, 0)
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors)

    def test_stop(self) -> None:
        program = self.start_far("16M", [CHECK_PAGES, "64", "2", "200"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.assertEqual(self.far("stop", "test").returncode, 0)
        program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, -signal.SIGKILL)
        self.wait_for(lambda: not self.status())


class Refusals(FarTest):
    def test_programs_that_cannot(self) -> None:
        setuid = self.folder / "setuid"
        shutil.copy("/bin/true", setuid)
        setuid.chmod(0o4755)
        run = self.run_far("16M", [setuid])
        self.assertEqual(run.returncode, 125)
        self.assertIn("setuid", run.stderr)
        self.assertEqual(self.run_far("16M", ["no-such-command"]).returncode, 127)
        self.assertEqual(self.run_far("1M", ["true"]).returncode, 125)

    def test_a_name_twice(self) -> None:
        first = self.start_far("16M", ["sleep", "100"])
        self.wait_for(lambda: self.status() != {})
        self.assertEqual(self.run_far("16M", ["true"]).returncode, 125)
        first.kill()
        first.communicate()


class NothingLost(FarTest):
    def test_a_killed_pager_ends_the_program(self) -> None:
        program = self.start_far("16M", [CHECK_PAGES, "64", "4", "200"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.pager.kill()
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, -signal.SIGKILL)
        self.assertEqual(out, "", "it did not see a wrong page")
        self.assertIn("the pager has ended", errors)

    def test_a_killed_program_takes_nothing_along(self) -> None:
        for _ in range(3):
            program = self.start_far("16M", [CHECK_PAGES, "64", "4", "200"])
            self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
            program.kill()
            program.communicate(timeout=TIMEOUT)
            self.wait_for(lambda: not self.status())

    def test_a_full_store(self) -> None:
        self.store = "memory,quota=8M"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "2", "3"]))


class FileStore(FarTest):
    def test_pages(self) -> None:
        self.store = f"file={self.folder}"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5", "map"]))


@unittest.skipUnless(shutil.which("memcached"), "memcached is not installed")
class MemcachedStore(FarTest):
    def setUp(self) -> None:
        super().setUp()
        self.servers = []

    def tearDown(self) -> None:
        for server in self.servers:
            server.kill()
            server.wait()
        super().tearDown()

    def start_server(self, name: str, *options: str) -> str:
        path = self.folder / name
        self.servers.append(subprocess.Popen(["memcached", "-u", "root", "-s", path, *options]))
        self.wait_for(path.exists)
        return f"memcached={path}"

    def test_pages(self) -> None:
        self.store = f"{self.start_server('one', '-m', '256')},file={self.folder}"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5", "fork"]))

    def test_a_server_that_evicts(self) -> None:
        self.store = f"{self.start_server('small', '-m', '8')},file={self.folder}"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "2", "5"]))

    def test_a_server_that_dies(self) -> None:
        self.store = f"{self.start_server('one')},{self.start_server('two')},file={self.folder}"
        program = self.start_far("16M", [CHECK_PAGES, "64", "2", "8"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.servers[0].kill()
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors)


if __name__ == "__main__":
    unittest.main()
