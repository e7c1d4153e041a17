# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The owner's data set for gnuplot: a random walk with reversion to its mean, like a noisy sensor."""

import array
import pathlib
import random

# Memory of gnuplot 5.4 for a point of a two-dimensional plot.
BYTES_PER_POINT = 64
REVERSION = 0.999


def points_for(mb: float) -> int:
    return round(mb * 2**20 / BYTES_PER_POINT)


def make_data(path: pathlib.Path, points: int, seed: int = 1) -> None:
    """Writes `points` 32-bit floats. Keeps a file of that size, since its content is the same."""
    if path.exists() and path.stat().st_size == 4 * points:
        return
    generator = random.Random(seed)
    values = array.array("f")
    value = 0.0
    for _ in range(points):
        value = value * REVERSION + generator.gauss(0, 1)
        values.append(value)
    part = path.with_suffix(".part")
    part.write_bytes(values.tobytes())
    part.replace(path)
