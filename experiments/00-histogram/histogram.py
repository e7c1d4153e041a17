#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the errors of tmmd's curve and limit, which come from reference bits and a sample. Replays synthetic traces, compares with
exact stack distances, and writes results.csv, figures and report.md. See README.md. Exit status: 0 all ran, 1 a run failed. Missed
aims do not count."""

import argparse
import pathlib
import sys
import tempfile
from typing import Any

from accuracy import figures, plan, report, results
from accuracy.runner import Programs
from desk.boots import say
from desk.errors import DeskError
from gnuplot import GnuplotError, draw

HERE = pathlib.Path(__file__).resolve().parent
CURVES_WITH_EPOCHS = (2.0, 30.0)


def replay_all(programs: Programs, shape: plan.Shape, work: pathlib.Path) -> tuple[list[results.Row], dict[str, dict[str, Any]]]:
    """The rows, and the whole output of some runs with the key "workload epoch"."""
    rows, curves = [], {}
    trace = work / "trace"
    for workload in plan.WORKLOADS:
        for seed in range(1, shape.seeds + 1):
            say(f"{workload}, seed {seed}")
            programs.write_trace(trace, shape.options(seed), workload)
            for replay in plan.replays(workload, seed):
                said = programs.replay(trace, replay.options(shape.memory_pages))
                rows.append(results.row_of(replay, said))
                if replay.shift == 0 and replay.epoch_s in CURVES_WITH_EPOCHS:
                    curves[f"{workload} {replay.epoch_s:g}"] = said
    trace.unlink()
    return rows, curves


def replay_idle(programs: Programs, work: pathlib.Path) -> results.Idle:
    say("72 idle hours")
    trace = work / "idle"
    programs.write_trace(trace, plan.IDLE.options(1), "idle")
    said = programs.replay(trace, ["--json", f"--epoch={plan.IDLE_EPOCH_S}", f"--memory={plan.IDLE.memory_pages}"])
    start_s = plan.IDLE.seconds / 2
    return results.idle_of(said["limits"], start_s, start_s + 72 * 3600)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build", help="folder of the compiled programs (build/)")
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[1] / "out/00-histogram", help="where the results go (out/00-histogram/)")
    parser.add_argument("--quick", action="store_true", help="small traces, about a minute; else about ten minutes")
    chosen = parser.parse_args()
    shape = plan.QUICK if chosen.quick else plan.FULL
    try:
        programs = Programs(chosen.build)
        chosen.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="tmm-histogram-") as work:
            rows, curves = replay_all(programs, shape, pathlib.Path(work))
            idle = replay_idle(programs, pathlib.Path(work))
        results.write_csv(chosen.out / "results.csv", rows)
        drawn = draw(figures.error_script(rows), chosen.out / "error", 1500, 420)
        drawn += draw(figures.curves_script(curves, CURVES_WITH_EPOCHS), chosen.out / "curves", 1500, 420)
    except (DeskError, GnuplotError, OSError) as error:
        say(f"histogram.py: {error}")
        return 1
    text = report.text(rows, idle, shape, [path.name for path in drawn])
    (chosen.out / "report.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
