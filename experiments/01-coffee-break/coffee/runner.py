# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Executes runs, several at a time, and keeps their rows."""

import concurrent.futures
import dataclasses
import pathlib
from collections.abc import Callable

from desk import metrics
from desk.errors import DeskError
from desk.plan import Run
from desk.progress import Progress

from .results import Results


@dataclasses.dataclass(frozen=True)
class Failure:
    """A run without a row; its files stay in folder."""

    run: Run
    message: str
    folder: pathlib.Path


def done_text(row: metrics.Row) -> str:
    donated = "" if row.system == "none" else f", {row.donated_mb:.0f} MB donated"
    return f"{row.faults_mean:.2f} faults/s{donated}"


def folder_key(folder: pathlib.Path) -> str:
    """The key of the run whose files are in the folder; empty if it did not succeed."""
    path = folder / "key"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def execute_all(runs: list[tuple[Run, str]], results: Results, folder_of: Callable[[Run], pathlib.Path],
                execute: Callable[[Run, pathlib.Path], None], jobs: int, write: Callable[[str], None]) -> list[Failure]:
    """runs: with their keys. Skips those that results has. A failed run does not stop the others."""
    failures = []
    waiting = []
    for run, key in runs:
        row = results.with_key(key)
        if row:
            write(f"{run.name}: kept from before: {done_text(row)}")
        else:
            waiting.append((run, key))

    with Progress(len(waiting), write) as progress, concurrent.futures.ThreadPoolExecutor(jobs) as pool:

        def one(run: Run, key: str) -> metrics.Row:
            folder = folder_of(run)
            progress.began(run, folder)
            execute(run, folder)
            row = metrics.row_of(run, folder, key)
            (folder / "key").write_text(f"{key}\n", encoding="utf-8")
            return row

        futures = {pool.submit(one, run, key): run for run, key in waiting}
        try:
            for future in concurrent.futures.as_completed(futures):
                run = futures[future]
                try:
                    row = future.result()
                except DeskError as error:
                    failures.append(Failure(run, str(error), folder_of(run)))
                    progress.ended(run, f"FAILED: {error}; its files are in {folder_of(run)}")
                else:
                    results.add(row)
                    progress.ended(run, done_text(row))
        except KeyboardInterrupt:
            # The interrupt ends the current machines as well; the waiting ones must not begin.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return failures
