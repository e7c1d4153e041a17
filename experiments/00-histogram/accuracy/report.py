# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: the results beside the aims."""

import textwrap

from .plan import EPOCHS_S, IDLE, IDLE_EPOCH_S, Shape
from .results import MAX_BETA, MAX_CURVE_ERROR, MAX_FOOTPRINT, MAX_LIMIT_ERROR, MIN_SAMPLES, Idle, Row, mean, share


def met(yes: bool) -> str:
    return "reached" if yes else "**missed**"


def table(rows: list[Row]) -> list[str]:
    lines = ["| epoch | sampled | samples | curve error, mean | worst | limit error, mean (% of memory) | worst | beta at most 1.05 |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for epoch_s in EPOCHS_S:
        for rate in dict.fromkeys(row.rate for row in rows):
            here = [row for row in rows if (row.epoch_s, row.rate) == (epoch_s, rate)]
            lines.append(f"| {epoch_s:g} s | {rate} | {mean(row.samples for row in here):.0f} | {mean(row.curve_error for row in here):.4f} | "
                         f"{max(row.curve_error for row in here):.4f} | {100 * mean(row.limit_error for row in here):.2f} | "
                         f"{100 * max(row.limit_error for row in here):.2f} | {100 * share(row.beta <= MAX_BETA for row in here):.0f} % |")
    return lines


def aims(rows: list[Row], idle: Idle) -> list[str]:
    chosen = [row for row in rows if row.within_reach]
    lines = ["| what | aim | found | |", "| --- | --- | --- | --- |"]
    if chosen:
        curve = max(row.curve_error for row in chosen)
        limit = max(row.limit_error for row in chosen)
        beta = share(row.beta <= MAX_BETA for row in chosen)
        curve_mean = mean(row.curve_error for row in chosen)
        lines += [f"| mean absolute error of the curve, worst of {len(chosen)} runs (mean) | <= {MAX_CURVE_ERROR} | "
                  f"{curve:.4f} ({curve_mean:.4f}) | {met(curve <= MAX_CURVE_ERROR)} |",
                  f"| error of the limit, worst | <= {100 * MAX_LIMIT_ERROR:g} % of memory | {100 * limit:.2f} % | "
                  f"{met(limit <= MAX_LIMIT_ERROR)} |",
                  f"| achieved beta in [1, {MAX_BETA}] | in 95 % of runs | in {100 * beta:.0f} % | {met(beta >= 0.95)} |"]
    else:
        lines.append("| no run has epochs and samples that tmmd would choose | | | |")
    lines.append(f"| limit over 72 idle hours with noise | unmoved | {idle.before_pages} pages before, {idle.moved} changes, "
                 f"{idle.after_pages} after | {met(idle.unmoved)} |")
    return lines


def text(rows: list[Row], idle: Idle, shape: Shape, figures: list[str]) -> str:
    shown = [f"![{name}]({name})" for name in figures if name.endswith(".png")]
    return "\n".join([
        "# How exact the histogram is", "",
        textwrap.fill(
            f"{len(rows)} replays: {shape.memory_pages} pages of memory, {shape.visits_per_s} visits a second, {shape.seconds} s of work, "
            f"{shape.seeds} seed{'s' if shape.seeds > 1 else ''}; the idle machine: {IDLE.memory_pages} pages, epochs of {IDLE_EPOCH_S:g} s.", 80), "",
        "## Aims", "",
        textwrap.fill(
            f"Of the runs with epochs and samples as tmmd chooses them: an epoch touches at most {100 * MAX_FOOTPRINT:.0f} % of the need, "
            f"and at least {MIN_SAMPLES} pages are sampled.", 80), "",
        *aims(rows, idle), "", "## All runs", "", *table(rows), "", *shown, ""])
