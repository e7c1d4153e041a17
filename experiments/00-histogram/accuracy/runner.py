# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs make-trace and tmm-replay."""

import json
import pathlib
from typing import Any

from desk import programs


class Programs:
    """The programs of a build folder."""

    def __init__(self, build: pathlib.Path) -> None:
        self.make_trace, self.tmm_replay = programs.built(build, ("experiments/00-histogram/make-trace", "tmmd/replay/tmm-replay"))

    def write_trace(self, path: pathlib.Path, options: list[str], workload: str) -> None:
        with path.open("w", encoding="ascii") as file:
            programs.output_of([self.make_trace, *options, workload], file)

    def replay(self, path: pathlib.Path, options: list[str]) -> dict[str, Any]:
        return json.loads(programs.output_of([self.tmm_replay, *options, path]))
