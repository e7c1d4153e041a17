# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws figures with gnuplot, as PNG and SVG."""

import pathlib
import shutil
import subprocess

FAMILY = "DejaVu Sans"


class GnuplotError(Exception):
    """The message names what is wrong and what to do."""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def draw(script: str, stem: pathlib.Path, width: int, height: int) -> list[pathlib.Path]:
    """Runs the script once for each format; gives the files."""
    if not shutil.which("gnuplot"):
        raise GnuplotError("gnuplot is not installed: apt-get install --no-install-recommends gnuplot-nox")
    files = []
    for terminal, suffix in ((f"pngcairo size {width},{height} font '{FAMILY},11'", ".png"),
                             (f"svg size {width},{height} dynamic font '{FAMILY},12' background 'white'", ".svg")):
        path = stem.with_suffix(suffix)
        text = f"set encoding utf8\nset terminal {terminal}\nset output {quoted(str(path))}\n{script}"
        done = subprocess.run(["gnuplot"], input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not path.exists() or path.stat().st_size == 0:
            raise GnuplotError(f"gnuplot could not draw {path}: {done.stderr.strip()}")
        files.append(path)
    return files
