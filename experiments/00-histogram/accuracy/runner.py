# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs make-trace and tmm-replay."""

import json
import pathlib
import subprocess
from typing import Any


class RunError(Exception):
    """The message names what is wrong and what to do."""


class Programs:
    """The programs of a build folder."""

    def __init__(self, build: pathlib.Path) -> None:
        self.make_trace = build / "experiments/00-histogram/make-trace"
        self.tmm_replay = build / "tmmd/replay/tmm-replay"
        for program in (self.make_trace, self.tmm_replay):
            if not program.exists():
                raise RunError(f"there is no {program}: ./run build makes it")

    def write_trace(self, path: pathlib.Path, options: list[str], workload: str) -> None:
        with path.open("wb") as file:
            self._run([str(self.make_trace), *options, workload], file)

    def replay(self, path: pathlib.Path, options: list[str]) -> dict[str, Any]:
        return json.loads(self._run([str(self.tmm_replay), *options, str(path)], subprocess.PIPE))

    @staticmethod
    def _run(command: list[str], output: Any) -> bytes:
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise RunError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout
