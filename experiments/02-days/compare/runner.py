# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs owner-days."""

import csv
import io
import pathlib
import subprocess

from .plan import Run

Row = dict[str, str]


class RunError(Exception):
    """The message names what is wrong and what to do."""


class Simulator:
    """owner-days of a build folder, with the owners and patterns of a folder."""

    def __init__(self, build: pathlib.Path, lives: pathlib.Path) -> None:
        self.program = build / "experiments/02-days/owner-days"
        self.lives = lives
        if not self.program.exists():
            raise RunError(f"there is no {self.program}: ./run build makes it")

    def rows(self, run: Run) -> list[Row]:
        command = [str(self.program), f"--patterns={self.lives / 'patterns'}", *run.options(), str(self.lives / "owners" / f"{run.owner}.ini")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RunError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()}")
        return list(csv.DictReader(io.StringIO(done.stdout)))
