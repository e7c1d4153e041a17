# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures as gnuplot scripts."""

from typing import Any

from .plan import EPOCHS_S, WORKLOADS
from .results import MAX_CURVE_ERROR, Row, mean

COLOURS = {"1/1": "#2471a3", "1/8": "#27ae60", "1/64": "#c0392b", "fixed": "#7d3c98"}
TITLES = {"1/1": "all pages", "1/8": "one page in 8", "1/64": "one page in 64", "fixed": "at most 32,768 pages"}
MIN_ERROR = 1e-5  # a logarithmic axis has no 0


def error_script(rows: list[Row]) -> str:
    """Mean error of the curve over the epoch, a panel for each workload."""
    script = f"set multiplot layout 1,{len(WORKLOADS)} title 'Error of the miss ratio, mean over the sizes above an epoch''s footprint'\n"
    script += (f"set logscale xy\nset xrange [0.35:45]\nset yrange [{MIN_ERROR}:0.5]\nset format y '10^{{%L}}'\n"
               "set grid ytics linetype 1 linecolor rgb '#dddddd'\nset border 3\nset tics nomirror\nset xlabel 'epoch (s)'\n"
               f"set xtics ({', '.join(f'{epoch_s:g}' for epoch_s in EPOCHS_S)})\nset key top left\n")
    for number, workload in enumerate(WORKLOADS):
        plots = []
        for rate, colour in COLOURS.items():
            points = [(epoch_s, mean(row.curve_error for row in rows
                                     if (row.workload, row.epoch_s, row.rate) == (workload, epoch_s, rate))) for epoch_s in EPOCHS_S]
            name = f"$d{number}_{len(plots)}"
            script += f"{name} << EOD\n" + "".join(f"{x} {max(y, MIN_ERROR):.6g}\n" for x, y in points) + "EOD\n"
            title = f"title '{TITLES[rate]}'" if number == 0 else "notitle"
            plots.append(f"{name} using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb '{colour}' {title}")
        aim = "title 'aim'" if number == 0 else "notitle"
        plots.append(f"{MAX_CURVE_ERROR} with lines dashtype '-' linecolor rgb '#555555' {aim}")
        script += f"set title '{workload}'\nset ylabel '{'mean absolute error' if number == 0 else ''}'\nplot {', '.join(plots)}\n"
    return script + "unset multiplot\n"


def curves_script(said: dict[str, dict[str, Any]], epochs_s: tuple[float, ...]) -> str:
    """The exact curve of each workload, and the estimates with these epochs. said: key "workload epoch"."""
    colours = ("#2471a3", "#e67e22")
    script = f"set multiplot layout 1,{len(WORKLOADS)} title 'Misses over the size of memory, exact and from reference bits'\n"
    script += ("set border 3\nset tics nomirror\nset yrange [0:1]\nset xrange [0:100]\nset xlabel 'size (% of memory)'\n"
               "set grid ytics linetype 1 linecolor rgb '#dddddd'\n")
    for number, workload in enumerate(WORKLOADS):
        shown = [("exact", said[f"{workload} {epochs_s[0]:g}"], "exact", "#333333", 4)]
        shown += [(f"{epoch_s:g} s", said[f"{workload} {epoch_s:g}"], "curve", colour, 2) for epoch_s, colour in zip(epochs_s, colours)]
        plots = []
        for title, data, series, colour, width in shown:
            name = f"$c{number}_{len(plots)}"
            points = "".join(f"{100 * size / data['memory_pages']:.3f} {misses / data['references']:.6f}\n" for size, misses in data[series])
            script += f"{name} << EOD\n{points}EOD\n"
            legend = f"title '{title}'" if number == 0 else "notitle"
            plots.append(f"{name} using 1:2 with lines linewidth {width} linecolor rgb '{colour}' {legend}")
        script += f"set title '{workload}'\nset ylabel '{'miss ratio' if number == 0 else ''}'\nplot {', '.join(plots)}\n"
    return script + "unset multiplot\n"
