#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs programs that share a pager and its link: scripts/unittest-to-tap farmem/tests. TMM_BUILD: folder of the programs."""
import subprocess
import sys
import time
import unittest
from pathlib import Path

from rig import BUILD, CHECK_PAGES, TIMEOUT, FarTest

FAR_LIST = BUILD / "farmem/far-list"
REPLAY = BUILD / "farmem/sim/tmm-far-replay"
PYTHON = "/usr/bin/python3"
# Its pages are what a link of 16 MiB/s is busy with for seconds: whoever waits, waits for the link and not for a processor.
SLOW_LINK = "--link=16M"
# A thread that follows pointers waits for the way there and back, not for its share.
FAR_LINK = "--latency=2000"


class SharingTest(FarTest):
    def start(self, name: str, memory: str, command: list, *options: str) -> subprocess.Popen:
        words = self.words(memory, command, name)
        words[2:2] = options
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, program: subprocess.Popen) -> str:
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors + (self.folder / "log").read_text())
        return out

    def last_status(self, program: subprocess.Popen, name: str) -> dict:
        """The program's figures shortly before its end."""
        status: dict = {}
        while program.poll() is None:
            status = self.status(name) or status
            time.sleep(0.02)
        return status


class Parts(SharingTest):
    def test_pages_are_right_without_each_part(self) -> None:
        for part in ("streams", "vote", "successors", "edges", "keep", "spin", "async-read", "async-write",
                     "streams,vote,successors,edges,keep,spin,async-read,async-write"):
            with self.subTest(part):
                self.finish(self.start("test", "16M", [CHECK_PAGES, "64", "4", "1"], f"--without={part}"))
                # Its name is free again a moment after its end.
                self.wait_for(lambda: not self.status())

    def test_no_window_fetches_nothing_ahead(self) -> None:
        program = self.start("test", "16M", [FAR_LIST, "64", "3"], "--window=0")
        self.assertEqual(self.last_status(program, "test")["prefetches"], "0")
        self.finish(program)

    def test_unknown_parts_are_refused(self) -> None:
        program = self.start("test", "16M", ["true"], "--without=luck")
        program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 125)


class Link(SharingTest):
    pager_options = (SLOW_LINK,)

    def test_pages_are_right(self) -> None:
        programs = [self.start(name, "16M", [CHECK_PAGES, "32", threads, "2", "fork"]) for name, threads in (("one", "1"), ("many", "8"))]
        for program in programs:
            self.finish(program)

    def test_weights(self) -> None:
        programs = {name: self.start(name, "16M", [CHECK_PAGES, "64", "4", "8"], f"--weight={weight}")
                    for name, weight in (("heavy", "4"), ("light", "1"))}
        shares = {name: float(status["link-share"]) for name, status in
                  {name: self.last_status(programs[name], name) for name in ("heavy", "light")}.items() if status}
        for program in programs.values():
            self.finish(program)
        self.assertGreater(shares["heavy"], 0.6)

    def test_an_end_in_a_queue(self) -> None:
        victim = self.start("victim", "16M", [CHECK_PAGES, "64", "8", "200"])
        other = self.start("other", "16M", [CHECK_PAGES, "32", "2", "3"])
        self.wait_for(lambda: int(self.status("victim").get("far", 0)) > 0)
        self.assertEqual(self.far("stop", "victim").returncode, 0)
        victim.communicate(timeout=TIMEOUT)
        self.finish(other)

    def test_status(self) -> None:
        program = self.start("test", "16M", [CHECK_PAGES, "64", "2", "4"])
        status = self.last_status(program, "test")
        self.finish(program)
        for share in ("link-share", "link-share-now", "accuracy", "coverage", "timeliness"):
            self.assertLessEqual(float(status[share]), 1, share)
        self.assertGreater(float(status["link-share"]), 0.99, "it is alone")
        for count in ("allocations", "reservations", "fetches", "waited-ms"):
            self.assertGreater(int(status[count]), 0, count)
        self.assertLessEqual(float(status["waiting"]), 3, "two threads, and a wait that began earlier")


class Latency(SharingTest):
    pager_options = (FAR_LINK,)

    def test_pages_that_go_while_they_are_fetched(self) -> None:
        self.finish(self.start("test", "16M", [CHECK_PAGES, "48", "6", "3", "map", "fork"]))


class Hints(SharingTest):
    pager_options = (FAR_LINK,)

    def coverage(self, *words: str) -> float:
        """Until there was a fault: an idle machine may end the program before its hand looks at its memory for the first time."""
        while True:
            program = self.start("test", "16M", [FAR_LIST, "32", "2", *words], "--without=successors")
            status = self.last_status(program, "test")
            self.assertEqual(len(set(self.finish(program).split())), 1)
            if status.get("fetches", "0") != "0":
                return float(status["coverage"])
            self.wait_for(lambda: not self.status())

    def test_a_list(self) -> None:
        self.assertLess(self.coverage(), 0.1)
        self.assertGreater(self.coverage("hints"), 0.3)

    def test_python(self) -> None:
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import tmm_far; "
                "pages = [4096 * i * i for i in range(1, 50)]; print(tmm_far.follow(pages))")
        folder = str(Path(__file__).parents[1] / "python")
        self.assertEqual(self.finish(self.start("test", "64M", [PYTHON, "-c", code, folder])), "48\n")
        alone = subprocess.run([PYTHON, "-c", code, folder], capture_output=True, text=True, check=True)
        self.assertEqual(alone.stdout, "0\n", "without far memory hints do nothing")

    def test_a_column(self) -> None:
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import tmm_far, numpy; "
                "table = numpy.ones((2000, 1000)); taken = tmm_far.will_read(table[:, 3]); "
                "print(taken, table[:, 3].sum())")
        try:
            subprocess.run([PYTHON, "-c", "import numpy"], check=True, capture_output=True)
        except subprocess.CalledProcessError:
            self.skipTest("numpy is not installed")
        out = self.finish(self.start("test", "64M", [PYTHON, "-c", code, str(Path(__file__).parents[1] / "python")]))
        self.assertEqual(out, "1999 2000.0\n")


class Recording(SharingTest):
    def test_it_replays(self) -> None:
        path = self.folder / "faults.csv"
        program = self.start("test", "16M", [CHECK_PAGES, "64", "2", "4"], "--window=0")
        self.wait_for(lambda: int(self.status().get("fetches", 0)) > 0)
        self.assertEqual(self.far("record", "test", str(path)).returncode, 0)
        self.finish(program)
        self.wait_for(lambda: not self.status())
        lines = path.read_text(encoding="utf-8").splitlines()
        self.assertGreater(len(lines), 100)
        self.assertNotIn("0x", "".join(lines))
        replayed = subprocess.run([REPLAY, "--warm-up=0", "--seconds=60", f"file={path},pages=20000"], capture_output=True, text=True, check=False)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)

    def test_a_file_that_cannot_be_written(self) -> None:
        program = self.start("test", "16M", [CHECK_PAGES, "64", "2", "4"])
        self.wait_for(lambda: self.status() != {})
        self.assertEqual(self.far("record", "test", "/nowhere/faults.csv").returncode, 125)
        self.finish(program)


if __name__ == "__main__":
    sys.exit(unittest.main())
