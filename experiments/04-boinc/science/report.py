# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of the runs, and their table."""

import dataclasses
import pathlib
import re

from desk import plan
from desk.errors import DeskError
from desk.report import breaks, metrics, recorder_rows, spread, table
from desk.report.records import read_text

from . import tasks
from .systems import SYSTEMS, TMM_SYSTEMS

HEADER = ("system", "", "faults/s", "worst second", "waited", "first interaction s", "new program s", "owner kept", "donated MB, break",
          "donated MB, after", "GB-hours", "tasks, break", "tasks, after", "science CPU s", "task seconds, break", "task seconds, after",
          "tasks waited", "swapped out MB", "tasks ended", "aborted")
SPREAD_HEADER = ("faults/s", "waited", "first interaction s", "new program s", "owner kept", "donated MB, break", "donated MB, after",
                 "task seconds", "tasks ended", "aborted")
STEPS_PER_SECOND = 10
# Of the client's log with the flag cpu_sched: the client ends a task, which will begin again from its checkpoint.
ENDED = re.compile(r"Preempting \S+ \(removed from memory\)")
ABORTED = re.compile(r"Aborting task")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result(breaks.Result):
    """A row of results.csv: one boot. None: there was no BOINC, or it was not measured."""

    donated_break_mb: float | None = None  # mean
    donated_after_mb: float | None = None  # mean, after the return
    gb_hours: float | None = None  # of 2^30 bytes, from the begin of the break to the end
    executing_break: float | None = None  # tasks, mean
    executing_after: float | None = None
    science_s: float | None = None  # CPU seconds in checkpoints at the end, by the client's count
    task_break_s: float | None = None  # seconds that one undisturbed task would need for the steps in all checkpoints, at the return
    task_s: float | None = None  # the same at the end
    tasks_stall_share: float | None = None  # share of the time, from the begin of the break, in which some task waited for memory
    ended: int | None = None  # times that the client ended a task, which begins again from its checkpoint
    aborted: int | None = None  # tasks that are lost
    orders: str = ""  # of tmm-boinc: the number of each kind
    # From the return to the first interaction of the program that the owner starts then; None: starts none.
    new_program_s: float | None = None

    @property
    def task_after_s(self) -> float | None:
        """task_s since the return."""
        return None if self.task_s is None or self.task_break_s is None else self.task_s - self.task_break_s


def orders_of(folder: pathlib.Path) -> str:
    """Orders that tmm-boinc gave, by kind, such as 'limit 3, suspend 2'. DeskError: it gave none, so it did not work."""
    said = read_text(folder / "tmm-boinc.log")
    kinds = {"limit": r"limit memory to", "suspend": r"suspend \S+, which waits", "resume": r"resume \S+$", "stop": r"stop all tasks$",
             "go on": r"let tasks run again$"}
    counts = {kind: len(re.findall(pattern, said, re.MULTILINE)) for kind, pattern in kinds.items()}
    if not counts["limit"]:
        raise DeskError(f"{folder / 'tmm-boinc.log'}: tmm-boinc has set no limit")
    return ", ".join(f"{kind} {count}" for kind, count in counts.items() if count)


def result_of(name: str, run: plan.Run, folder: pathlib.Path, *, has_steps: bool = True) -> Result:
    """has_steps: the tasks write their steps into their checkpoints. DeskError: the run's files are incomplete."""
    owner = dataclasses.asdict(breaks.result_of(name, run, folder))
    if run.on_return != plan.NOTHING:
        owner["new_program_s"] = metrics.row_of(run, folder, "").new_program_s
    if run.system == "none":
        return Result(**owner)
    rows = recorder_rows.of_folder(folder)
    away, back = (recorder_rows.phase_rows(rows, phase) for phase in ("break", "return"))
    samples = tasks.parse(read_text(folder / "tasks.log"), str(folder / "tasks.log"))
    at_return, at_end = (tasks.last_in(samples, phase) for phase in ("break", "return"))
    if not at_return or not at_end or back[-1].t_s - at_end.t_s > 30:
        raise DeskError(f"{folder / 'tasks.log'}: the client has not answered at the end")
    log = read_text(folder / "contribution.log")
    mb_hours = [breaks.mb_hours(part, "contribution_current_bytes") for part in (away, back)]
    means = [round(area * 3600 / recorder_rows.duration_s(part), 1) for area, part in zip(mb_hours, (away, back))]
    return Result(
        **owner, donated_break_mb=means[0], donated_after_mb=means[1], gb_hours=round(sum(mb_hours) / 1024, 5),
        executing_break=round(tasks.mean_executing(samples, "break"), 2), executing_after=round(tasks.mean_executing(samples, "return"), 2),
        science_s=round(at_end.checkpoint_cpu_s, 2), task_break_s=round(at_return.steps / STEPS_PER_SECOND, 1) if has_steps else None,
        task_s=round(at_end.steps / STEPS_PER_SECOND, 1) if has_steps else None,
        tasks_stall_share=round((back[-1].counts["contribution_stall_us"] - away[0].counts["contribution_stall_us"]) / 1e6
                                / (back[-1].t_s - away[0].t_s), 4),
        ended=len(ENDED.findall(log)),
        aborted=max(len(at_end.harmed), len(ABORTED.findall(log))), orders=orders_of(folder) if name in TMM_SYSTEMS else "")


def cells(result: Result) -> tuple[str, ...]:
    """A row of the table."""

    def shown(value: float | None, form: str) -> str:
        return table.or_dash(value, form)

    return (result.name, SYSTEMS[result.system].what, shown(result.faults_mean, ".1f"), shown(result.faults_max, ".0f"),
            shown(result.stall_share, ".1%"), shown(result.first_interaction_s, ".2f"), shown(result.new_program_s, ".1f"),
            f"{result.kept:.0%}",
            shown(result.donated_break_mb, ".0f"), shown(result.donated_after_mb, ".0f"), shown(result.gb_hours, ".4f"),
            shown(result.executing_break, ".1f"), shown(result.executing_after, ".1f"), shown(result.science_s, ".0f"),
            shown(result.task_break_s, ".0f"), shown(result.task_after_s, ".0f"), shown(result.tasks_stall_share, ".1%"), f"{result.swapped_out_mb:.0f}",
            shown(result.ended, "d"), shown(result.aborted, "d"))


def spread_cells(boots: list[Result]) -> tuple[str, ...]:
    """Of a row of the second table."""

    def of(column: str, form: str) -> str:
        return spread.shown([getattr(boot, column) for boot in boots], form)

    return (of("faults_mean", ".1f"), of("stall_share", ".1%"), of("first_interaction_s", ".2f"), of("new_program_s", ".1f"), of("kept", ".0%"),
            of("donated_break_mb", ".0f"), of("donated_after_mb", ".0f"), of("task_s", ".0f"), of("ended", ".0f"), of("aborted", ".0f"))


def text(results: list[Result]) -> str:
    return table.markdown_table([HEADER, *map(cells, results)]) + spread.table_of(results, SPREAD_HEADER, spread_cells)
