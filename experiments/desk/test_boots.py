# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import contextlib
import io
import pathlib
import tempfile
import unittest

from . import boots, fakes
from .errors import DeskError


class Machines:
    """Boots nothing, and notes what it was asked for."""

    def __init__(self, programs: str) -> None:
        self.programs = programs
        self.booted: list[str] = []

    def prepare(self, _run: object) -> str:
        return self.programs

    def execute(self, run: object, folder: pathlib.Path) -> None:
        self.booted.append(folder.name)
        if folder.name == "broken":
            raise DeskError("it did not boot")
        folder.mkdir(parents=True, exist_ok=True)


class Boots(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        self.said = io.StringIO()

    def boot(self, machines: Machines, *names: str, renew: bool = False) -> tuple[list[str], bool]:
        runs = {name: fakes.run() for name in names}
        with contextlib.redirect_stderr(self.said):
            return boots.boot_all(runs, lambda name, run: boots.boot(name, "nothing", run, machines, self.out, renew),
                                  lambda name, _run, folder: f"{name} in {folder.name}")

    def test_a_run_with_the_same_programs_is_kept(self) -> None:
        machines = Machines("a")
        self.assertEqual(self.boot(machines, "one", "two"), (["one in one", "two in two"], True))
        self.boot(machines, "one", "two")
        self.assertEqual(machines.booted, ["one", "two"])
        self.assertIn("two: kept from before", self.said.getvalue())

    def test_other_programs_or_a_wish_repeat_it(self) -> None:
        self.boot(Machines("a"), "one")
        for machines, renew in ((Machines("b"), False), (Machines("b"), True)):
            self.boot(machines, "one", renew=renew)
            self.assertEqual(machines.booted, ["one"])

    def test_several_boots_take_turns(self) -> None:
        planned = boots.in_turn(["none", "tmm"], 2)
        self.assertEqual(list(planned), ["none", "tmm", "none-2", "tmm-2"])
        self.assertEqual(planned["tmm-2"], boots.Boot("tmm", 2))

    def test_a_failed_run_does_not_stop_the_others_and_is_not_kept(self) -> None:
        machines = Machines("a")
        self.assertEqual(self.boot(machines, "broken", "one"), (["one in one"], False))
        self.assertIn("FAILED: broken: it did not boot", self.said.getvalue())
        self.boot(machines, "broken")
        self.assertEqual(machines.booted, ["broken", "one", "broken"])
