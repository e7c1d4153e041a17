# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""gnuplot scripts of the paper's Figures 2 to 5 with our data."""

import dataclasses
from collections.abc import Callable

from desk.plan import ALL_SYSTEMS
from desk.report import recorder_rows, timeline
from gnuplot import quoted

from .summary import Group

COLOURS = {"none": "#7f8c8d", "plain": "#c0392b", "priority": "#8e44ad", "static-25": "#f0b27a", "static-50": "#dc7633",
           "static-75": "#935116", "tmm": "#2471a3", "tmm-paper": "#7d6608", "tmm-beta": "#1f618d", "tmm-stall": "#5dade2",
           "tmm-stock": "#1abc9c"}
TITLES = {"none": "no contribution", "plain": "plain kernel", "priority": "class priority", "static-25": "static 25 %",
          "static-50": "static 50 %", "static-75": "static 75 %", "tmm": "TMM", "tmm-paper": "TMM paper", "tmm-beta": "TMM beta",
          "tmm-stall": "TMM stall", "tmm-stock": "TMM, stock kernel"}
ORACLE_COLOUR = "#1e8449"
# A logarithmic axis has no 0: bars start here, and a lower value shows its number only.
MIN_FAULTS = 0.1
# With more bars the figure gets wider, and their numbers are turned.
BARS_IN_WIDTH = 24
USUAL_WIDTH, MAX_WIDTH = 900, 2000


def lines(*texts: str) -> str:
    """A string of several lines in gnuplot's syntax."""
    return '"' + "\\n".join(text.replace("\\", "\\\\").replace('"', '\\"') for text in texts) + '"'


@dataclasses.dataclass(frozen=True)
class Measure:
    """The value that a figure of faults shows."""

    title: str
    axis: str
    value: Callable[[Group], float]


MEAN = Measure("Owner's page faults after the return", "major faults per second, mean (logarithmic)",
               lambda group: group.misses_mean)
WORST = Measure("Owner's page faults after the return, in the worst second", "major faults, most in a second (logarithmic)",
                lambda group: group.misses_max)


def cases_of(groups: list[Group]) -> list[str]:
    """Bars stand together by situation and contribution; by situation alone if only `none` was run."""
    compared = {group.situation for group in groups if group.contribution != "none"}
    return list(dict.fromkeys(group.case for group in groups if group.contribution != "none" or group.situation not in compared))


def systems_of(groups: list[Group]) -> list[str]:
    return [system for system in ALL_SYSTEMS if any(group.system == system for group in groups)]


def bars_width(groups: list[Group]) -> int:
    """Width of a figure of bars, in pixels."""
    return min(MAX_WIDTH, max(USUAL_WIDTH, USUAL_WIDTH * len(groups) // BARS_IN_WIDTH))


def short_number(value: float) -> str:
    return "0" if value == 0 else f"{value:.2g}" if value < 10 else f"{value:.0f}"


def bars(values: dict[tuple[str, str], float], cases: list[str], titles: dict[str, str], labels_of: Callable[[str], str], prefix: str = "$",
         min_shown: float = 0.0) -> tuple[str, list[str]]:
    """gnuplot's data blocks and the parts of its plot command: bars side by side for each case, with their numbers. values: by case and
    system; titles: of the systems; labels_of: a system's columns and options for the numbers."""
    width = 0.84 / len(titles)
    blocks, plots = "", []
    for i, (system, title) in enumerate(titles.items()):
        name = prefix + system.replace("-", "_")
        offset = (i - (len(titles) - 1) / 2) * width
        rows = "".join(f"{place + offset:.4f} {max(values[case, system], min_shown):.4f} {short_number(values[case, system])}\n"
                       for place, case in enumerate(cases) if (case, system) in values)
        blocks += f"{name} << EOD\n{rows}EOD\n"
        plots.append(f"{name} using 1:2:({width * 0.92:.4f}) with boxes fillstyle solid 1 noborder linecolor rgb '{COLOURS[system]}' "
                     f"title {quoted(title)}")
        plots.append(f"{name} using {labels_of(system)} notitle")
    return blocks, plots


def bars_script(groups: list[Group], systems: list[str], value: Callable[[Group], float], min_shown: float,
                numbers_within: bool = False) -> tuple[str, list[str]]:
    """The bars of these systems for each case."""
    values = {(group.case, group.system): value(group) for group in groups}
    # One run without contribution stands beside all contributions.
    for group in groups:
        if (str(group.situation), "none") in values:
            values[group.case, "none"] = values[str(group.situation), "none"]
    turned = " rotate by 90 left offset 0,0.4" if len(groups) > BARS_IN_WIDTH else " offset 0,0.7"

    def labels_of(system: str) -> str:
        place, colour = ("(0)", "#ffffff") if numbers_within else ("2", COLOURS[system])
        return f"1:{place}:3 with labels{turned} textcolor rgb '{colour}'"

    return bars(values, cases_of(groups), {system: TITLES[system] for system in systems}, labels_of, min_shown=min_shown)


def case_axis(groups: list[Group]) -> str:
    cases = cases_of(groups)
    tics = ", ".join(f"{quoted(case)} {place}" for place, case in enumerate(cases))
    return f"set xrange [-0.6:{len(cases) - 0.4}]\nset xtics ({tics}) nomirror scale 0\n"


def faults_script(groups: list[Group], measure: Measure, subtitle: str) -> str:
    """The paper's Figures 2 and 3; logarithmic, since the systems differ by orders of magnitude."""
    systems = systems_of(groups)
    blocks, plots = bars_script(groups, systems, measure.value, MIN_FAULTS)
    top = max(10.0, 12 * max((measure.value(group) for group in groups), default=1.0))
    return f"""{blocks}set title {lines(measure.title, subtitle)}
set encoding utf8
set logscale y
{case_axis(groups)}set yrange [{MIN_FAULTS}:{top:.1f}]
set ylabel '{measure.axis}'
set ytics nomirror
set grid ytics linetype 1 linecolor rgb '#dddddd'
set border 3
set key top left horizontal maxrows 2
plot {', '.join(plots)}
"""


def donation_script(groups: list[Group], subtitle: str) -> str:
    """The paper's Figure 4 with the oracle's donation where known; in shares, since machines differ in size."""
    donating = [group for group in groups if group.contribution != "none"]
    cases, systems = cases_of(donating), systems_of(donating)
    # The oracle's mark takes the place above the bar, so numbers stand within.
    blocks, plots = bars_script(donating, systems, lambda group: 100 * group.donated_mb / group.ram_mb, 0.0, numbers_within=True)
    oracles = ""
    width = 0.84 / len(systems)
    for group in donating:
        if group.oracle_donation_mb is not None:
            place = cases.index(group.case) + (systems.index(group.system) - (len(systems) - 1) / 2) * width
            oracles += f"{place:.4f} {100 * group.oracle_donation_mb / group.ram_mb:.1f} {width / 2:.4f}\n"
    if oracles:
        blocks += f"$oracle << EOD\n{oracles}EOD\n"
        plots.append("$oracle using 1:2:3 with xerrorbars pointtype 0 linewidth 2.5 "
                     f"linecolor rgb '{ORACLE_COLOUR}' title 'oracle'")
    return f"""{blocks}set title {lines("Memory donated at the end of the break", subtitle)}
set encoding utf8
{case_axis(donating)}set yrange [0:125]
set ylabel "% of the machine's memory"
set ytics 0, 20, 100 nomirror
set grid ytics linetype 1 linecolor rgb '#dddddd'
set border 3
set key top left horizontal maxcols 4
plot {', '.join(plots)}
"""


def figure5_script(rows: list[recorder_rows.RecorderRow], decisions: list[timeline.Decision], subtitle: str) -> str:
    """The paper's Figure 5: usage of both classes (by the recorder) and the limits, from the begin of the work on."""
    start_s = recorder_rows.phase_rows(rows, "work")[0].t_s
    end_s = recorder_rows.phase_rows(rows, "return")[-1].t_s
    shown = [row for row in rows if start_s <= row.t_s <= end_s]
    usage = "".join(f"{row.t_s - start_s:.2f} {row.counts['owner_current_bytes'] / 2**20:.2f} "
                    f"{row.counts['contribution_current_bytes'] / 2**20:.2f}\n" for row in shown)
    held = [(max(decision.t_s, start_s), decision) for decision in timeline.between(decisions, start_s, end_s)]
    held += [(end_s, decision) for _, decision in held[-1:]]
    limits = "".join(f"{t_s - start_s:.2f} {decision.opaque_limit_mb:.2f} {decision.transparent_limit_mb:.2f}\n"
                     for t_s, decision in held)
    total_mb = max(decision.total_mb for decision in decisions)
    top = 1.28 * total_mb
    shades = ""
    for number, (phase, colour) in enumerate((("work", "#ffffff"), ("break", "#fdf2e0"), ("return", "#e6f4ea")), 1):
        part = recorder_rows.phase_rows(rows, phase)
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
     $limits using 1:2 with steps linewidth 1.5 dashtype "-" linecolor rgb '#c0392b' title 'opaque limit', \\
     $usage using 1:3 with lines linewidth 2 linecolor rgb '#2471a3' title 'contribution uses', \\
     $limits using 1:3 with steps linewidth 1.5 dashtype "-" linecolor rgb '#2471a3' title 'transparent limit', \\
     {total_mb:.1f} with lines linewidth 1 linecolor rgb '#888888' title 'memory of the machine'
"""
