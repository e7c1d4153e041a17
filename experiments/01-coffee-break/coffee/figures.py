# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The paper's Figures 2 and 5 of our data, drawn by gnuplot as PNG and SVG."""

import pathlib
import shutil
import subprocess

from . import samples, timeline
from .errors import CoffeeError
from .plan import SYSTEMS
from .summary import Group

COLOURS = {"none": "#7f8c8d", "plain": "#c0392b", "tmm": "#2471a3"}
TITLES = {"none": "no contribution", "plain": "contribution, plain kernel", "tmm": "contribution, TMM"}
# On a logarithmic axis 0 has no place: bars start here, and a run below it shows its number only.
LOWEST_FAULTS = 0.1
FAMILY = "DejaVu Sans"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def lines(*texts: str) -> str:
    """Several lines, for gnuplot."""
    return '"' + "\\n".join(text.replace("\\", "\\\\").replace('"', '\\"') for text in texts) + '"'


def draw(script: str, stem: pathlib.Path, width: int, height: int) -> list[pathlib.Path]:
    """Runs the script once for each format; gives the files."""
    if not shutil.which("gnuplot"):
        raise CoffeeError("gnuplot is not installed: apt-get install --no-install-recommends gnuplot-nox")
    files = []
    for terminal, suffix in ((f"pngcairo size {width},{height} font '{FAMILY},11'", ".png"),
                             (f"svg size {width},{height} dynamic font '{FAMILY},12' background 'white'", ".svg")):
        path = stem.with_suffix(suffix)
        text = f"set terminal {terminal}\nset output {quoted(str(path))}\n{script}"
        done = subprocess.run(["gnuplot"], input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not path.exists() or path.stat().st_size == 0:
            raise CoffeeError(f"gnuplot could not draw {path}: {done.stderr.strip()}")
        files.append(path)
    return files


def figure2_script(groups: list[Group], subtitle: str) -> str:
    """Bars side by side for each workload, logarithmic, with the number on each."""
    workloads = list(dict.fromkeys(group.workload for group in groups))
    systems = [system for system in SYSTEMS if any(group.system == system for group in groups)]
    faults = {(group.workload, group.system): group.faults_mean for group in groups}
    width = 0.8 / len(systems)
    blocks, plots = "", []
    for i, system in enumerate(systems):
        offset = (i - (len(systems) - 1) / 2) * width
        blocks += f"${system} << EOD\n"
        for place, workload in enumerate(workloads):
            if (workload, system) in faults:
                value = faults[workload, system]
                label = "0" if value == 0 else f"{value:.2g}" if value < 10 else f"{value:.0f}"
                blocks += f"{place + offset:.4f} {max(value, LOWEST_FAULTS):.4f} {label}\n"
        blocks += "EOD\n"
        colour = COLOURS[system]
        plots.append(f"${system} using 1:2:({width * 0.92:.4f}) with boxes fillstyle solid 1 noborder linecolor rgb '{colour}' "
                     f"title {quoted(TITLES[system])}")
        plots.append(f"${system} using 1:2:3 with labels offset 0,0.7 textcolor rgb '{colour}' notitle")
    top = max(10.0, 6 * max(faults.values(), default=1.0))
    tics = ", ".join(f"{quoted(workload)} {place}" for place, workload in enumerate(workloads))
    return f"""{blocks}set title {lines("Owner's page faults after the return", subtitle)}
set encoding utf8
set logscale y
set xrange [-0.6:{len(workloads) - 0.4}]
set yrange [{LOWEST_FAULTS}:{top:.1f}]
set ylabel 'major faults per second, mean (logarithmic)'
set xtics ({tics}) nomirror scale 0
set ytics nomirror
set grid ytics linetype 1 linecolor rgb '#dddddd'
set border 3
set key top left horizontal maxrows 1
plot {', '.join(plots)}
"""


def figure5_script(rows: list[samples.Sample], decisions: list[timeline.Decision], subtitle: str) -> str:
    """Usage of both classes as the recorder saw it, and tmmd's limits, from the begin of the work on."""
    start_s = samples.phase_rows(rows, "work")[0].t_s
    end_s = samples.phase_rows(rows, "return")[-1].t_s
    shown = [row for row in rows if start_s <= row.t_s <= end_s]
    usage = "".join(f"{row.t_s - start_s:.2f} {row.counts['owner_current_bytes'] / 2**20:.2f} "
                    f"{row.counts['contribution_current_bytes'] / 2**20:.2f}\n" for row in shown)
    limits = "".join(f"{decision.t_s - start_s:.2f} {decision.opaque_limit_mb:.2f} {decision.transparent_limit_mb:.2f}\n"
                     for decision in decisions if start_s <= decision.t_s <= end_s)
    total_mb = max(decision.total_mb for decision in decisions)
    top = 1.28 * total_mb
    shades = ""
    for number, (phase, colour) in enumerate((("work", "#ffffff"), ("break", "#fdf2e0"), ("return", "#e6f4ea")), 1):
        part = samples.phase_rows(rows, phase)
        first, last = part[0].t_s - start_s, part[-1].t_s - start_s
        shades += (f"set object {number} rectangle from {first:.2f}, graph 0 to {last:.2f}, graph 1 behind "
                   f"fillcolor rgb '{colour}' fillstyle solid 1 noborder\n"
                   f"set label {number} {quoted(phase)} at {(first + last) / 2:.2f}, {1.04 * total_mb:.1f} "
                   "center textcolor rgb '#555555'\n")
    return f"""$usage << EOD
{usage}EOD
$limits << EOD
{limits}EOD
set title {lines("Memory over time with TMM", subtitle)}
set encoding utf8
{shades}set xrange [0:{end_s - start_s:.2f}]
set yrange [0:{top:.1f}]
set xlabel 'seconds'
set ylabel 'MB'
set border 3
set tics nomirror
set key top left vertical maxrows 2
plot $usage using 1:2 with lines linewidth 2 linecolor rgb '#c0392b' title 'owner uses', \\
     $limits using 1:2 with lines linewidth 1.5 dashtype "-" linecolor rgb '#c0392b' title 'opaque limit', \\
     $usage using 1:3 with lines linewidth 2 linecolor rgb '#2471a3' title 'contribution uses', \\
     $limits using 1:3 with lines linewidth 1.5 dashtype "-" linecolor rgb '#2471a3' title 'transparent limit', \\
     {total_mb:.1f} with lines linewidth 1 linecolor rgb '#888888' title 'memory of the machine'
"""
