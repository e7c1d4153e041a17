# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The figure of the results: the memory that each system gave, and its price for the owner."""

import dataclasses
import pathlib
import statistics

from desk.report import spread
from desk.report.breaks import Result
from gnuplot import draw, quoted

WIDTH, HEIGHT = 900, 560
TMM_COLOUR, OTHER_COLOUR = "#2471a3", "#c0392b"
# Between labels, and between a label and its point, as shares of an axis.
LABEL_GAP, LABEL_OFFSET = 0.045, 0.03


@dataclasses.dataclass(frozen=True)
class Point:
    """A system that gave memory to an owner who lives; medians of its boots. label_y: where its name stands, left of it."""

    name: str
    donated_mb: float
    faults: float
    label_y: float

    @property
    def colour(self) -> str:
        return TMM_COLOUR if self.name.startswith("tmm") else OTHER_COLOUR


def points_of(results: list[Result], gap: float) -> list[Point]:
    """From below; each name stands at least gap above its point and the last name, so that it hides neither."""
    points: list[Point] = []
    lived = [row for row in results if row.donated_mb is not None and row.faults_mean is not None]
    shown = [(statistics.median(row.faults_mean for row in boots), -statistics.median(row.donated_mb for row in boots), name)
             for name, boots in spread.by_system(lived).items()]
    for faults, minus_mb, name in sorted(shown):
        label_y = max(faults, points[-1].label_y if points else 0.0) + gap
        points.append(Point(name, -minus_mb, faults, label_y))
    return points


def script(results: list[Result], subtitle: str) -> str:
    faults = [row.faults_mean for row in results if row.faults_mean is not None]
    top = 1.15 * max([10.0, *faults])
    points = points_of(results, LABEL_GAP * top)
    right = 1.1 * max([1.0, *(point.donated_mb for point in points)])
    text = ""
    for number, point in enumerate(points, 1):
        label_x = point.donated_mb - LABEL_OFFSET * right
        text += (f"set label {number} {quoted(point.name)} at {label_x:.2f}, {point.label_y:.2f} right textcolor rgb '{point.colour}'\n"
                 f"set arrow {number} from {label_x:.2f}, {point.label_y:.2f} to {point.donated_mb:.2f}, {point.faults:.2f} nohead "
                 f"linecolor rgb '#bbbbbb'\n")
    top = max([top, *(1.05 * point.label_y for point in points)])
    blocks, plots = "", []
    for name, colour, title in (("$tmm", TMM_COLOUR, "TMM"), ("$others", OTHER_COLOUR, "others")):
        rows = "".join(f"{point.donated_mb:.2f} {point.faults:.2f}\n" for point in points if point.colour == colour)
        if rows:
            blocks += f"{name} << EOD\n{rows}EOD\n"
            plots.append(f"{name} using 1:2 with points pointtype 7 pointsize 1.4 linecolor rgb '{colour}' title {quoted(title)}")
    return f"""{blocks}{text}set title {quoted("Memory given in the break, and the owner's page faults after it")}
set xlabel {quoted(f"MB that the contribution had at the return ({subtitle})")}
set ylabel 'major faults per second in the first minute'
set xrange [0:{right:.1f}]
set yrange [{-0.04 * top:.2f}:{top:.2f}]
set border 3
set xtics nomirror
set ytics nomirror
set grid linetype 1 linecolor rgb '#eeeeee'
set key top left
plot {', '.join(plots)}
"""


def draw_figure(results: list[Result], folder: pathlib.Path) -> list[pathlib.Path]:
    """GnuplotError: gnuplot is missing or fails. Draws nothing if no system gave memory."""
    if not any(row.donated_mb is not None and row.faults_mean is not None for row in results):
        return []
    return draw(script(results, f"{results[0].machine} machine, {results[0].backing}"), folder / "figure", WIDTH, HEIGHT)
