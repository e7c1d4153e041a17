# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import re
import subprocess
import tempfile
import unittest

from . import report
from .coffee_break import CoffeeError, fakes, plan
from .systems import SYSTEMS


class Systems(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in_shell(self, command: str) -> None:
        for name in ("owner", "transparent.slice"):
            (self.folder / name).mkdir()
        subprocess.run(["bash", "-euc", f"cgroups={self.folder}; {command}"], check=True)

    def test_each_is_based_on_one_of_the_coffee_break(self) -> None:
        self.assertEqual({system.base for system in SYSTEMS.values()} - set(plan.SYSTEMS), set())

    def test_none_is_there_twice(self) -> None:
        settings = [(system.base, system.setup, system.at_return) for system in SYSTEMS.values()]
        self.assertEqual(len(set(settings)), len(settings))

    def test_uresourced_protects_a_tenth_at_most(self) -> None:
        self.run_in_shell(SYSTEMS["memory-min"].setup)
        total = int(re.search(r"MemTotal: +(\d+)", pathlib.Path("/proc/meminfo").read_text(encoding="ascii"))[1]) * 1024
        self.assertEqual(int((self.folder / "owner/memory.min").read_text(encoding="ascii")), min(total // 10, 250 << 20))

    def test_the_contribution_is_frozen_at_the_return(self) -> None:
        self.run_in_shell(SYSTEMS["freeze"].at_return)
        self.assertEqual((self.folder / "transparent.slice/cgroup.freeze").read_text(encoding="ascii"), "1\n")


class Table(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_has_a_row_for_each_run_below_its_command(self) -> None:
        fakes.write_run(self.folder)
        row = report.cells("plain", fakes.run(), self.folder)
        self.assertEqual(row, ("plain", "a contribution, and nothing against it", "10.0", "20", "50.0%", "0.50", "150", "25%", "7", "0", "2"))
        shown = report.text([row], "resume --fast")
        self.assertTrue(shown.startswith("    resume --fast\n\n| system |  | faults/s |"), shown)
        self.assertEqual(len(shown.splitlines()), 5)

    def test_without_contribution_nothing_is_donated(self) -> None:
        fakes.write_run(self.folder)
        row = dict(zip(report.HEADER, report.cells("none", fakes.run(system="none"), self.folder)))
        self.assertEqual((row["donated MB"], row["contribution's work s"]), ("-", "-"))

    def test_a_run_without_interactions_is_an_error(self) -> None:
        fakes.write_run(self.folder, latencies=None)
        with self.assertRaisesRegex(CoffeeError, "no interaction"):
            report.cells("plain", fakes.run(), self.folder)


if __name__ == "__main__":
    unittest.main()
