#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes applications.md and applications.png of an applications.csv, which soft_applications.py writes, beside it."""

import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from gnuplot import draw, quoted  # noqa: E402
from measures import best_score, is_static  # noqa: E402

PROGRAMS = ("image-search", "rocksdb", "block-server", "timeline")


def table(rows, best):
    lines = ["| scenario | way | score | beside the best static | " + " | ".join(PROGRAMS) + " |",
             "| --- | --- | --- | --- | " + " | ".join("---" for _ in PROGRAMS) + " |"]
    for row in rows:
        cells = [row["scenario"], row["way"], row["score"], f"{float(row['score']) / best:.2f}" if row["scenario"] == "together" else ""]
        lines.append("| " + " | ".join(cells + [row[f"{name} progress"] for name in PROGRAMS]) + " |")
    return "\n".join(lines) + "\n"


def script(rows, best):
    """Bars, one a way, the best first."""
    bars = sorted(((float(row["score"]) / best, row["way"], "#7f8c8d" if is_static(row["way"]) else
                    "#27ae60" if row["way"] == "coordinator" else "#2471a3") for row in rows), reverse=True)
    text = "$bars << EOD\n" + "".join(f"{number} {share:.3f} {int(colour[1:], 16)}\n" for number, (share, _, colour) in enumerate(bars)) + "EOD\n"
    names = ", ".join(f"{quoted(way)} {number}" for number, (_, way, _) in enumerate(bars))
    return text + ("set boxwidth 0.7\nset style fill solid\nset yrange [0:*]\nset border 3\nset tics nomirror\nset grid ytics linecolor rgb '#dddddd'\n"
                   f"set xrange [-0.6:{len(bars) - 0.4}]\nset xtics rotate by -30 ({names})\nset bmargin 7\nset rmargin 8\n"
                   "set ylabel 'progress beside the best static division'\n"
                   "plot $bars using 1:2:3 with boxes linecolor rgb variable notitle, 0.9 with lines dashtype '-' linecolor rgb '#555555' title 'aim'\n")


def main():
    path = pathlib.Path(sys.argv[1])
    with open(path, encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    together = [row for row in rows if row["scenario"] == "together"]
    best = best_score({row["way"]: float(row["score"]) for row in together})
    path.with_suffix(".md").write_text(table(rows, best), encoding="utf-8")
    # With more memory than there is.
    shown = [row for row in together if row["way"] != "plenty for each"]
    draw(script(shown, best), path.with_suffix(""), 900, 420)
    path.with_suffix(".svg").unlink()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: report.py APPLICATIONS.CSV")
    main()
