# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import contextlib
import dataclasses
import io
import pathlib
import tempfile
import unittest

from . import boots, fakes
from .errors import DeskError
from .fakes import FolderTest
from .plan import Run


class Machines:
    """Boots nothing, and notes what it was asked for."""

    def __init__(self, programs: str = "a") -> None:
        self.programs = programs
        self.prepared: list[Run] = []
        self.booted: list[str] = []

    def check(self, runs: list[Run]) -> None:
        if self.programs == "missing":
            raise DeskError("not built: tmmd")

    def prepare(self, run: Run) -> str:
        self.prepared.append(run)
        return self.programs

    def execute(self, _run: Run, folder: pathlib.Path) -> None:
        self.booted.append(folder.name)
        if folder.name == "broken":
            raise DeskError("it did not boot")
        folder.mkdir(parents=True, exist_ok=True)


@dataclasses.dataclass(frozen=True)
class Result:
    name: str


class Boots(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder
        self.said: list[str] = []

    def boot(self, machines: Machines, *names: str, **more: object) -> tuple[list[str], list[boots.Failure]]:
        runs = {name: fakes.run(run=number) for number, name in enumerate(names, 1)}

        def result_of(name: str, folder: pathlib.Path) -> str:
            if name == "empty":
                raise DeskError("it wrote nothing")
            return f"{name} in {folder.name}"

        return boots.boot_all(runs, boots.keys_of(runs, machines), machines, self.out, result_of, write=self.said.append, **more)

    def test_results_are_in_the_order_of_the_runs(self) -> None:
        names = [f"run {number}" for number in range(9)]
        self.assertEqual(self.boot(Machines(), *names, jobs=4), ([f"{name} in {name}" for name in names], []))

    def test_boots_of_a_kind_are_prepared_once(self) -> None:
        machines = Machines()
        self.boot(machines, "one", "two")
        self.assertEqual(machines.prepared, [fakes.run(run=1)])

    def test_a_run_with_the_same_programs_is_kept(self) -> None:
        machines = Machines()
        self.boot(machines, "one", "two")
        self.assertEqual([boots.folder_key(self.out / "runs" / name) == "" for name in ("one", "three")], [False, True])
        self.assertEqual(self.boot(machines, "one", "two", "three")[0][0], "one in one")
        self.assertEqual(machines.booted, ["one", "two", "three"])
        self.assertIn("two: kept from before: done", self.said)

    def test_a_known_result_needs_no_folder_and_new_ones_are_kept(self) -> None:
        machines, kept = Machines(), []
        key = fakes.run(run=2).key("a")
        found, _ = self.boot(machines, "one", "two", known={key: "known"}.get, keep=kept.append)
        self.assertEqual((found, kept, machines.booted), (["one in one", "known"], ["one in one"], ["one"]))

    def test_other_programs_or_a_wish_repeat_it(self) -> None:
        self.boot(Machines("a"), "one")
        for machines, renew in ((Machines("b"), False), (Machines("b"), True)):
            self.boot(machines, "one", renew=renew)
            self.assertEqual(machines.booted, ["one"])

    def test_several_boots_take_turns(self) -> None:
        planned = boots.in_turn(["none", "tmm"], 2)
        self.assertEqual(list(planned), ["none", "tmm", "none-2", "tmm-2"])
        self.assertEqual(planned["tmm-2"], boots.Boot("tmm", 2))

    def test_a_failed_run_does_not_stop_the_others_and_is_tried_again(self) -> None:
        machines = Machines()
        results, failures = self.boot(machines, "broken", "one", "empty")
        self.assertEqual(results, ["one in one"])
        self.assertEqual([str(failure) for failure in failures], [f"FAILED: broken: it did not boot; its files are in {self.out}/runs/broken",
                                                                 f"FAILED: empty: it wrote nothing; its files are in {self.out}/runs/empty"])
        self.assertEqual(self.said[0], "[1/3] broken: FAILED: it did not boot")
        self.boot(machines, "broken", "one", "empty")
        self.assertEqual(machines.booted, ["broken", "one", "empty", "broken", "empty"])


class Compare(unittest.TestCase):
    def compare(self, machines: Machines, *names: str) -> tuple[int, str, pathlib.Path]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        chosen = argparse.Namespace(out=pathlib.Path(folder.name) / "out", renew=False)
        runs = {name: fakes.run(run=number) for number, name in enumerate(names, 1)}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            status, _ = boots.compare("a/b.py", chosen, runs, lambda work: machines, Result, lambda name, folder: [Result(name)],
                                      lambda results: f"rows: {len(results)}\n")
        return status, said.getvalue(), chosen.out

    def test_writes_the_results_and_a_table(self) -> None:
        status, said, out = self.compare(Machines(), "one", "broken")
        self.assertEqual(status, 1)
        self.assertIn("FAILED: broken: it did not boot", said)
        self.assertEqual((out / "results.csv").read_text(encoding="utf-8"), "name\none\n")
        self.assertRegex((out / "table.md").read_text(encoding="utf-8"), "^    a/b.py .*\n\nrows: 1\n$")
        self.assertEqual(self.compare(Machines(), "one")[0], 0)

    def test_what_is_not_built_ends_it(self) -> None:
        self.assertEqual(self.compare(Machines("missing"), "one")[:2], (2, "b.py: not built: tmmd\n"))
