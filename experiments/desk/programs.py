# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs of a build, on the host."""

import pathlib
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from typing import IO

from .errors import DeskError


def built(build: pathlib.Path, names: Iterable[str], how: str = "build with: ./run build") -> list[pathlib.Path]:
    """Their paths. build: meson's build directory. DeskError: one is missing; how to build it."""
    programs = [build / name for name in names]
    missing = [str(program) for program in programs if not program.is_file()]
    if missing:
        raise DeskError(f"not built: {', '.join(missing)}; {how}")
    return programs


def output_of(command: Sequence[object], stdout: IO[str] | int = subprocess.PIPE) -> str:
    """What it writes, unless that goes to a file. DeskError: it failed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise DeskError(f"{shlex.join(words)}: exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout
