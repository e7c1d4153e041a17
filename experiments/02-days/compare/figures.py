# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Waiting against donation as a gnuplot script."""

from . import results
from .plan import SYSTEMS
from .runner import Row

COLOURS = {"priority": "#111111", "static-25": "#aab7b8", "static-50": "#7f8c8d", "static-75": "#515a5a", "age-2m": "#f5b041",
           "age-30m": "#e67e22", "age-8h": "#a04000", "senpai": "#27ae60", "tmm-paper": "#2471a3", "tmm-reuse": "#c0392b"}
MIN_WAITING_S = 0.01  # on a logarithmic axis 0 has no place


def front_script(rows: list[Row], owners: tuple[str, ...], stores: tuple[str, ...]) -> str:
    """A row of panels for each store, a panel for each owner: a point for each system, and the oracle's line."""
    script = f"set multiplot layout {len(stores)},{len(owners)} title \"Memory given, and what the owner waits for it\"\n"
    script += ("set logscale y\nset border 3\nset tics nomirror\nset format y '10^{%L}'\nset xrange [0:100]\n"
               f"set yrange [{MIN_WAITING_S / 2}:*]\nset grid linetype 1 linecolor rgb '#dddddd'\n")
    for down, store in enumerate(stores):
        for across, owner in enumerate(owners):
            shown = [row for row in rows if (row["owner"], row["store"]) == (owner, store)]
            if not shown:
                continue
            memory_gb = float(shown[0]["memory_mb"]) / 1024
            plots = []
            for system in (name for name in SYSTEMS if any(row["system"] == name for row in shown)):
                of = [row for row in shown if row["system"] == system]
                given = 100 * results.mean_of(of, "donated_mean_mb") / 1024 / memory_gb
                waited = max(results.mean_of(of, "waited_s_per_day"), MIN_WAITING_S)
                name = f"$p{down}_{across}_{len(plots)}"
                script += f"{name} << EOD\n{given:.3f} {waited:.6g}\nEOD\n"
                title = f"title '{system}'" if down == 0 and across == 0 else "notitle"
                size = 1.8 if system.startswith("tmm") else 1.3
                plots.append(f"{name} using 1:2 with points pointtype 7 pointsize {size} linecolor rgb '{COLOURS[system]}' {title}")
            hours = {row["system"]: float(row["donated_gb_h"]) / max(float(row["donated_mean_mb"]) / 1024, 1e-9) for row in shown}
            best = sorted((max(float(row["waited_s_per_day"]), MIN_WAITING_S),
                           100 * float(row["oracle_gb_h"]) / hours[row["system"]] / memory_gb) for row in shown)
            name = f"$o{down}_{across}"
            script += f"{name} << EOD\n" + "".join(f"{given:.3f} {waited:.6g}\n" for waited, given in best) + "EOD\n"
            title = "title 'oracle'" if down == 0 and across == 0 else "notitle"
            plots.append(f"{name} using 1:2 with linespoints pointtype 1 pointsize 0.4 dashtype '-' linecolor rgb '#555555' {title}")
            script += f"set title '{owner}, {store}'\nset xlabel '{'memory given (%)' if down == len(stores) - 1 else ''}'\n"
            script += f"set ylabel '{'waiting (s a day)' if across == 0 else ''}'\n"
            key = "top left font ',8'" if down == 0 and across == 0 else "off"
            script += f"set key {key}\nplot {', '.join(plots)}\n"
    return script + "unset multiplot\n"
