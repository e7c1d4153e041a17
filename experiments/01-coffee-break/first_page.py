#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws results/first-page.svg from results/lived-in/results.csv, for the project's README.md."""

import pathlib
import sys

from coffee import first_page, results
from gnuplot import draw

HERE = pathlib.Path(__file__).resolve().parent


def main() -> int:
    path = HERE / "results" / "lived-in" / "results.csv"
    found = first_page.loop_groups(results.parse_rows(path.read_text(encoding="utf-8"), str(path)))
    picture, drawing = draw(first_page.script(found), HERE / "results" / "first-page", first_page.WIDTH, first_page.HEIGHT)
    # README.md shows the one whose labels a test reads.
    picture.unlink()
    # gnuplot ends some lines with blanks.
    drawing.write_text("".join(line.rstrip() + "\n" for line in drawing.read_text(encoding="utf-8").splitlines()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
