# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots the machines of runs, some at a time, and collects their results. A run is kept whose programs and parameters are as before."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import pathlib
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TypeVar

from .errors import DeskError
from .machines import Machines
from .plan import Run
from .progress import Progress
from .report import records

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


@dataclasses.dataclass(frozen=True)
class Failure:
    """A run without a result; its files stay in folder."""

    name: str
    message: str
    folder: pathlib.Path

    def __str__(self) -> str:
        return f"FAILED: {self.name}: {self.message}; its files are in {self.folder}"


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def keys_of(runs: dict[str, Run], machines: Machines) -> dict[str, str]:
    """By the runs' names. Makes all parts of their machines, so that runs side by side only read what they share. DeskError: it could
    not."""
    kinds = {name: dataclasses.replace(run, run=1) for name, run in runs.items()}
    hashes = {kind: machines.prepare(kind) for kind in dict.fromkeys(kinds.values())}
    return {name: run.key(hashes[kinds[name]]) for name, run in runs.items()}


def folder_key(folder: pathlib.Path) -> str:
    """The key of the run whose files are in the folder; empty if it did not succeed."""
    path = folder / "key"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def boot_all(runs: dict[str, Run], keys: dict[str, str], machines: Machines, out: pathlib.Path,
             result_of: Callable[[str, pathlib.Path], Result], *, renew: bool = False, jobs: int = 1,
             known: Callable[[str], Result | None] = lambda key: None, keep: Callable[[Result], None] = lambda result: None,
             text_of: Callable[[Result], str] = lambda result: "done", write: Callable[[str], None] = say) -> tuple[list[Result], list[Failure]]:
    """Returns the results of the runs that succeeded, in their order. A failed run does not stop the others.

    runs, keys: by name; files of a run go to out/runs/NAME. result_of: name and folder of a run; raises DeskError. renew: nothing is
    kept. known: the result with that key, without a folder. keep: called with each new result. text_of: a result, for people."""

    folders = {name: out / "runs" / name for name in runs}

    def kept(name: str) -> Result | None:
        result = None if renew else known(keys[name])
        if result is None and not renew and folder_key(folders[name]) == keys[name]:
            with contextlib.suppress(DeskError):
                keep(result := result_of(name, folders[name]))
        return result

    def boot(name: str) -> Result:
        progress.began(name, runs[name], folders[name])
        machines.execute(runs[name], folders[name])
        result = result_of(name, folders[name])
        (folders[name] / "key").write_text(f"{keys[name]}\n", encoding="utf-8")
        return result

    results = {name: result for name in runs if (result := kept(name)) is not None}
    for name, result in results.items():
        write(f"{name}: kept from before: {text_of(result)}")
    waiting = [name for name in runs if name not in results]
    failures = []
    with Progress(len(waiting), write) as progress, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(boot, name): name for name in waiting}
        try:
            for future in concurrent.futures.as_completed(futures):
                name = futures[future]
                try:
                    results[name] = future.result()
                except DeskError as error:
                    failures.append(Failure(name, str(error), folders[name]))
                    progress.ended(name, f"FAILED: {error}")
                else:
                    keep(results[name])
                    progress.ended(name, text_of(results[name]))
        except KeyboardInterrupt:
            # The interrupt ends the current machines as well; the waiting ones must not begin.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [results[name] for name in runs if name in results], failures


def below_its_command(command: str, table: str) -> str:
    """For a report. command: its path in the tree; its arguments are those of this call."""
    return f"    {shlex.join([command, *sys.argv[1:]])}\n\n{table}"


def compare(command: str, chosen: argparse.Namespace, runs: dict[str, Run], machines_in: Callable[[pathlib.Path], Machines], kind: type,
            results_of: Callable[[str, pathlib.Path], list[Result]], table_of: Callable[[list[Result]], str],
            jobs: int = 1) -> tuple[int, list[Result]]:
    """Boots the runs, writes their results and a table, and prints the table. Returns the exit status of the command and the results.

    command: its path in the tree. chosen: has `out` and `renew`. machines_in: makes the machines, in a folder; raises DeskError. kind:
    the dataclass of all results. results_of: name and folder of a run."""
    with tempfile.TemporaryDirectory(prefix="tmm-desk-") as work:
        try:
            machines = machines_in(pathlib.Path(work))
            machines.check(list(runs.values()))
            keys = keys_of(runs, machines)
            found, failures = boot_all(runs, keys, machines, chosen.out, results_of, renew=chosen.renew, jobs=jobs)
        except DeskError as error:
            say(f"{pathlib.Path(command).name}: {error}")
            return 2, []
        except KeyboardInterrupt:
            say("interrupted: the same call goes on from here")
            return 130, []
    results = [result for of_run in found for result in of_run]
    if results:
        table = below_its_command(command, table_of(results))
        (chosen.out / "results.csv").write_text(records.csv_text(kind, results), encoding="utf-8")
        (chosen.out / "table.md").write_text(table, encoding="utf-8")
        print(table)
    for failure in failures:
        say(str(failure))
    return 1 if failures else 0, results
