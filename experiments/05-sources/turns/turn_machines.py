# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine of a run, in which tmmd takes its samples from one source after another."""

import pathlib
import shlex

from desk import machines, plan, programs

from . import report

COMMAND = pathlib.Path(__file__).resolve().parents[1] / "guest/take-turns"
CONF = "turns.conf"
# Ending a turn and starting the next one.
SPARE_S = 10


def conf_text(break_even: str) -> str:
    """break_even: as in tmmd.conf(5)."""
    return f"[Policy]\nBreakEven={break_even}\n"


def settings_text(run: plan.Run) -> str:
    """The shell variables that take-turns reads, and those of the owner's programs."""
    sources = run.source.split(",")
    values = {"SOURCES": " ".join(sources), "TURN_S": run.work_s // len(sources) - SPARE_S, "TIME_LAPSE": run.time_lapse}
    return machines.settings_text(run) + "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items())


class TurnMachines(machines.Machines):
    """break_even: as in tmmd.conf(5)."""

    def __init__(self, programs: pathlib.Path, work: pathlib.Path, break_even: str):
        conf = work / CONF
        conf.write_text(conf_text(break_even), encoding="ascii")
        super().__init__(programs, work, more=(COMMAND, conf))

    def check(self, runs: list[plan.Run]) -> None:
        super().check(runs)
        programs.output_of([self.programs / machines.TMMD, "--check-config", "--config", self.work / CONF])

    def execute(self, run: plan.Run, folder: pathlib.Path) -> None:
        self.execute_command(run, ["/opt/tmm/take-turns"], settings_text(run), folder)
        self.write_curve(run, report.work_of(folder)[0], folder)
