# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs owner-days."""

import csv
import io
import pathlib

from desk import programs

from .plan import STORES, SYSTEMS, Run

Row = dict[str, str]


class Simulator:
    """owner-days of a build folder, with the owners and patterns of a folder."""

    def __init__(self, build: pathlib.Path, lives: pathlib.Path) -> None:
        (self.program,) = programs.built(build, ("experiments/02-days/owner-days",))
        self.lives = lives

    def call(self, *arguments: object) -> list[Row]:
        """The rows that it prints."""
        return list(csv.DictReader(io.StringIO(programs.output_of([self.program, *arguments]))))

    def rows(self, run: Run) -> list[Row]:
        return self.call(f"--patterns={self.lives / 'patterns'}", *run.options(), self.lives / "owners" / f"{run.owner}.ini")

    def replay(self, trace: pathlib.Path, owner: pathlib.Path, memory_mb: int) -> list[Row]:
        """The recorded days of that owner's file, with all stores and systems."""
        return self.call(f"--recording={trace}", f"--memory={memory_mb}M", f"--stores={','.join(STORES)}", f"--systems={','.join(SYSTEMS)}", owner)
