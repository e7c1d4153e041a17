# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table and the picture of the project's first page: the loop on a freshly booted machine, and on one that was lived in."""

from collections.abc import Callable

from desk import plan
from desk.plan import Situation
from desk.report.metrics import Row
from gnuplot import quoted

from .figures import bars
from .summary import Group, groups

SYSTEMS = {"none": "no contribution", "plain": "plain kernel", "priority": "class priority", "tmm": "TMM"}
MACHINES = {plan.FRESH: "freshly booted", plan.LIVED_IN: "lived in"}
HEADER = ("", "fresh: faults/s", "owner waits", "given", "lived in: faults/s", "owner waits", "given")
WIDTH, HEIGHT = 1000, 340

Groups = dict[tuple[str, str], Group]


def loop_groups(rows: list[Row]) -> Groups:
    """Medians by machine and system."""
    wanted = [Situation("loop", machine) for machine in MACHINES]
    return {(group.situation.machine, group.system): group for group in groups(rows)
            if group.situation in wanted and group.system in SYSTEMS and group.contribution in ("none", "hog")}


def cells(group: Group | None) -> tuple[str, str, str]:
    if group is None:
        return ("-",) * 3
    given = "-" if group.system == "none" else f"{group.donated_mb:.0f} MB"
    return (f"{group.faults_mean:.1f}", f"{group.stall_share:.1%}".replace("%", " %"), given)


def table_rows(found: Groups) -> list[tuple[str, ...]]:
    return [HEADER, *((title, *(cell for machine in MACHINES for cell in cells(found.get((machine, system)))))
                      for system, title in SYSTEMS.items())]


def panel(title: str, found: Groups, value: Callable[[Group], float], left_out: tuple[str, ...] = ()) -> str:
    """gnuplot's commands for one chart: bars by system, beside each other for each machine."""
    systems = {system: name for system, name in SYSTEMS.items() if system not in left_out}
    values = {key: value(group) for key, group in found.items() if key[1] in systems}
    prefix = "$" + "".join(letter for letter in title if letter.isalpha()) + "_"
    blocks, plots = bars(values, list(MACHINES), systems, lambda _system: "1:2:3 with labels offset 0,0.6 font ',9'", prefix)
    top = 1.2 * max(1.0, *values.values())
    return f"{blocks}set title {quoted(title)}\nset yrange [0:{top:.2f}]\nplot {', '.join(plots)}\n"


def script(found: Groups) -> str:
    tics = ", ".join(f"{quoted(title)} {place}" for place, title in enumerate(MACHINES.values()))
    return (f"set xrange [-0.6:{len(MACHINES) - 0.4}]\nset xtics ({tics}) nomirror scale 0\nset ytics nomirror\n"
            "set grid ytics linetype 1 linecolor rgb '#dddddd'\nset border 3\nset multiplot layout 1,3\nset key below horizontal samplen 1 font ',9'\n"
            + panel("memory given, MB", found, lambda group: group.donated_mb, ("none",))
            + panel("page faults of the owner a second", found, lambda group: group.faults_mean)
            + panel("time for which the owner waits, %", found, lambda group: 100 * group.stall_share)
            + "unset multiplot\n")
