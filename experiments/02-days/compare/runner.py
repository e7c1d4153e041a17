# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs owner-days."""

import csv
import io
import pathlib
import subprocess

from .plan import STORES, SYSTEMS, Run

Row = dict[str, str]


class RunError(Exception):
    """The message names what is wrong and what to do."""


def rows_of(command: list[str]) -> list[Row]:
    """The rows that owner-days prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


class Simulator:
    """owner-days of a build folder, with the owners and patterns of a folder."""

    def __init__(self, build: pathlib.Path, lives: pathlib.Path) -> None:
        self.program = build / "experiments/02-days/owner-days"
        self.lives = lives
        if not self.program.exists():
            raise RunError(f"there is no {self.program}: ./run build makes it")

    def rows(self, run: Run) -> list[Row]:
        return rows_of([str(self.program), f"--patterns={self.lives / 'patterns'}", *run.options(), str(self.lives / "owners" / f"{run.owner}.ini")])

    def replay(self, trace: pathlib.Path, owner: pathlib.Path, memory_mb: int) -> list[Row]:
        """The recorded days of that owner's file, with all stores and systems."""
        return rows_of([str(self.program), f"--recording={trace}", f"--memory={memory_mb}M", f"--stores={','.join(STORES)}",
                        f"--systems={','.join(SYSTEMS)}", str(owner)])
