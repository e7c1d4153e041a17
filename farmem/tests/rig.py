# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A pager of its own for each test. TMM_BUILD: folder of the programs."""
import atexit
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path


def that_all_users_reach(programs: Path) -> Path:
    """The folder, or a copy of it if it lies in a home of root's: some tests are other users."""
    if all(folder.stat().st_mode & 0o001 for folder in (programs, *programs.parents)):
        return programs
    copy = Path(tempfile.mkdtemp(prefix="tmm-far-programs-"))
    atexit.register(shutil.rmtree, copy)
    copy.chmod(0o755)
    for program in programs.iterdir():
        if program.is_file() and os.access(program, os.X_OK):
            shutil.copy(program, copy)
    return copy


BUILD = Path(os.environ.get("TMM_BUILD", "build")).resolve()
PROGRAMS = that_all_users_reach(BUILD / "farmem")
FAR = PROGRAMS / "tmm-far"
PAGER = PROGRAMS / "tmm-fard"
LIBRARY = PROGRAMS / "libtmm-far.so"
HELPER = PROGRAMS / "tmm-far-helper"
CHECK_PAGES = PROGRAMS / "check-pages"
LENDER = BUILD / "caches/cached/tmm-cached"
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
    pager_options: list = []
    pager_starter: list = []  # a command that runs it
    # Of each process.
    as_user: dict = {}

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tmm-far-"))
        self.prepare()
        self.socket = self.folder / "pager"
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.pager = subprocess.Popen([*self.pager_starter, PAGER, f"--socket={self.socket}", *self.pager_options], stderr=self.log, **self.as_user)
        self.wait_for(self.socket.exists)

    def prepare(self) -> None:
        """For a test that needs more in its folder."""

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
        return subprocess.run(self.words(memory, command), capture_output=True, text=True, timeout=TIMEOUT, **self.as_user, **options)

    def start_far(self, memory: str, command: list, **options) -> subprocess.Popen:
        return subprocess.Popen(self.words(memory, command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **self.as_user,
                                **options)

    def far(self, *words) -> subprocess.CompletedProcess:
        return subprocess.run([FAR, words[0], f"--socket={self.socket}", *words[1:]], capture_output=True, text=True, timeout=TIMEOUT,
                              **self.as_user)

    def status(self, name: str = "test") -> dict:
        for line in self.far("status").stdout.splitlines():
            program, *values = line.split()
            if program == name:
                return dict(value.split("=", 1) for value in values)
        return {}

    def assert_succeeds(self, run: subprocess.CompletedProcess) -> None:
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr + (self.folder / "log").read_text())
