# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results: a row for each turn of a source."""

import dataclasses
import pathlib
import statistics

from desk import plan
from desk.errors import DeskError
from desk.report import latencies, metrics, oracle, records, timeline

from . import accounts, exact

# Workloads whose misses read files.
OF_FILES = ("file-read", "file-map")


@dataclasses.dataclass(frozen=True)
class Result:
    """A row of results.csv. Times are the machine's, but for break_even_s. Limits are medians of the last quarter of the turn."""

    workload: str
    turn: int  # from 1 on
    source: str
    kernel_release: str
    limit_mb: float
    limit_min_mb: float  # of the last quarter
    limit_max_mb: float
    exact_mb: float  # the limit that follows from the exact curve of the workload
    low_share: float  # of the turn's time, from the first learned limit on, in which the limit was below that by more than 3 % of memory
    used_mb: float  # memory of opaque programs, at the end
    total_mb: float  # memory that both classes can have together
    samples: int
    miss_ms: float  # as tmmd took it for the workload, at the end
    cpu_s: float  # of all processes of tmmd, from its start on
    real_s: float
    processes: int
    rss_mb: float
    pss_mb: float
    break_even_s: float
    time_lapse: int
    decided: str  # tmmd's reason at the end

    @property
    def cpu_s_per_hour(self) -> float:
        return self.cpu_s / self.real_s * 3600


def last_quarter(decisions: list[timeline.Decision]) -> list[timeline.Decision]:
    return [decision for decision in decisions if decision.t_s >= 0.75 * decisions[-1].t_s]


def last_values(text: str, columns: tuple[str, ...], name: str) -> dict[str, float]:
    """Of the last whole row of a timeline."""
    rows = records.read(text, name, columns, dict)
    try:
        return {column: float(rows[-1][column]) for column in columns}
    except (IndexError, ValueError) as error:
        raise DeskError(f"{name}: no number in the last row ({error})") from error


def work_of(folder: pathlib.Path) -> tuple[int, float]:
    """Touches of the owner's workload from its start on, and the seconds that they took."""
    seconds = latencies.of_file(folder / "latencies.csv")
    if not seconds:
        raise DeskError(f"{folder / 'latencies.csv'}: no interaction was logged")
    return sum(second.interactions for second in seconds) * plan.BATCH_PAGES, seconds[-1].t_s - seconds[0].t_s + 1


def result_of(run: plan.Run, break_even_s: float, curve: oracle.Curve, folder: pathlib.Path, turn: int, source: str) -> Result:
    """DeskError: the turn's files are incomplete."""
    own = folder / f"{turn}-{source}"
    name = str(own / "timeline.csv")
    text = records.read_text(own / "timeline.csv")
    decisions = records.parse(timeline.Decision, text, name)
    if not decisions or not decisions[-1].learned:
        raise DeskError(f"{name}: tmmd has learned nothing: take longer turns with --seconds")
    latency = "file_miss_ms" if run.workload in OF_FILES else "anonymous_miss_ms"
    last = last_values(text, ("samples", latency), name)
    limits = [decision.opaque_limit_mb for decision in last_quarter(decisions)]
    used = accounts.of_folder(own / "processes")
    total_mb = decisions[-1].total_mb
    on_the_curves_clock = exact.break_even_of(break_even_s, last[latency]) / run.time_lapse
    exact_mb = exact.limit_mb(curve, on_the_curves_clock, total_mb)
    return Result(
        workload=run.workload, turn=turn, source=source, kernel_release=records.read_text(folder / "kernel-release").strip(),
        limit_mb=round(statistics.median(limits), 1), limit_min_mb=min(limits), limit_max_mb=max(limits),
        exact_mb=round(exact_mb, 1), low_share=round(oracle.low_share(decisions, decisions[-1].t_s, exact_mb, total_mb) or 0.0, 4),
        used_mb=decisions[-1].opaque_used_mb, total_mb=total_mb, samples=int(last["samples"]), miss_ms=last[latency], cpu_s=round(used.cpu_s, 2),
        real_s=round(metrics.number_in(own / "end") - metrics.number_in(own / "begin"), 2), processes=used.processes, rss_mb=round(used.rss_mb, 1),
        pss_mb=round(used.pss_mb, 1), break_even_s=break_even_s, time_lapse=run.time_lapse, decided=decisions[-1].reason)


def results_of(run: plan.Run, break_even_s: float, folder: pathlib.Path) -> list[Result]:
    """A row for each turn. DeskError: the run's files are incomplete."""
    curve = oracle.curve_of(folder, work_of(folder)[1])
    return [result_of(run, break_even_s, curve, folder, turn, source) for turn, source in enumerate(run.source.split(","), 1)]
