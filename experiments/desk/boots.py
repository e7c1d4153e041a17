# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a machine for each of several named systems, for the experiments that compare such systems."""

import dataclasses
import pathlib
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from . import plan
from .errors import DeskError
from .machines import Machines

Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class Boot:
    """One boot of a system."""

    system: str
    number: int = 1  # of all boots of this system, from 1 on

    @property
    def name(self) -> str:
        """Of its folder."""
        return self.system if self.number == 1 else f"{self.system}-{self.number}"


def in_turn(systems: Sequence[str], times: int) -> dict[str, Boot]:
    """By their names. One of each system follows the other, since the load of the host changes with time."""
    planned = [Boot(system, number) for number in range(1, times + 1) for system in systems]
    return {boot.name: boot for boot in planned}


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def boot(name: str, what: str, run: plan.Run, machines: Machines, out: pathlib.Path, renew: bool) -> pathlib.Path:
    """Returns the folder of the run, a new one or that of an earlier call with the same programs and parameters. what: for people.
    DeskError: the run failed."""
    folder = out / "runs" / name
    key = run.key(machines.prepare(run))
    noted = folder / "key"
    if renew or not noted.exists() or noted.read_text(encoding="ascii") != key:
        say(f"{name}: {what}, {plan.span_text(run)}")
        machines.execute(run, folder)
        noted.write_text(key, encoding="ascii")
    else:
        say(f"{name}: kept from before")
    return folder


def boot_all(runs: dict[str, plan.Run], boot_one: Callable[[str, plan.Run], pathlib.Path],
             result_of: Callable[[str, plan.Run, pathlib.Path], Result]) -> tuple[list[Result], bool]:
    """Returns the results of the runs that succeeded, and whether all did."""
    results = []
    for name, run in runs.items():
        try:
            results.append(result_of(name, run, boot_one(name, run)))
        except DeskError as error:
            say(f"FAILED: {name}: {error}")
    return results, len(results) == len(runs)
