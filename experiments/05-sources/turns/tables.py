# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables: a row for each turn, and a row for each source with its errors over all workloads."""

import statistics

from desk.report import table

from .report import Result

REFERENCE = "tmm"
HEADER = ("workload", "source", "limit MB", "of the last quarter", "beside tmm MB", "share of memory", "beside exact MB", "too low in", "in use MB",
          "samples", "processor s an hour", "RSS MB")
SUMMARY_HEADER = ("source", "workloads", "error beside `tmm`, mean", "least", "most", "beside exact, mean", "least", "most", "too low in, mean",
                  "processor s an hour", "RSS MB, most")


def reference_of(result: Result, results: list[Result]) -> Result | None:
    """The first turn of the patches with the same workload; None: it is that one, or there is none."""
    first = next((other for other in results if other.workload == result.workload and other.source == REFERENCE), None)
    return None if first is result else first


def name_of(result: Result, results: list[Result]) -> str:
    again = any(other.workload == result.workload and other.source == result.source and other.turn < result.turn for other in results)
    return f"{result.source}, again" if again else result.source


def error_mb(result: Result, results: list[Result]) -> float | None:
    """A positive error keeps more for the owner than the reference does."""
    reference = reference_of(result, results)
    return None if reference is None else result.limit_mb - reference.limit_mb


def error_share(result: Result, results: list[Result]) -> float | None:
    error = error_mb(result, results)
    return None if error is None else error / result.total_mb


def exact_share(result: Result) -> float:
    return (result.limit_mb - result.exact_mb) / result.total_mb


def cells(result: Result, results: list[Result]) -> tuple[str, ...]:
    return (result.workload, name_of(result, results), f"{result.limit_mb:.0f}", f"{result.limit_min_mb:.0f} to {result.limit_max_mb:.0f}",
            table.or_dash(error_mb(result, results), "+.0f"), table.or_dash(error_share(result, results), "+.1%"),
            f"{result.limit_mb - result.exact_mb:+.0f}", f"{result.low_share:.0%}", f"{result.used_mb:.0f}", str(result.samples),
            f"{result.cpu_s_per_hour:.0f}", f"{result.rss_mb:.1f}")


def spread(shares: list[float]) -> tuple[str, str, str]:
    """The mean without signs, the least and the most."""
    return (f"{statistics.mean(map(abs, shares)):.1%}", f"{min(shares):+.1%}", f"{max(shares):+.1%}") if shares else ("-", "-", "-")


def summary_cells(name: str, results: list[Result]) -> tuple[str, ...]:
    own = [result for result in results if name_of(result, results) == name]
    shares = [share for result in own if (share := error_share(result, results)) is not None]
    return (name, str(len(own)), *spread(shares), *spread([exact_share(result) for result in own]),
            f"{statistics.mean(result.low_share for result in own):.0%}",
            f"{statistics.median(result.cpu_s_per_hour for result in own):.0f}", f"{max(result.rss_mb for result in own):.1f}")


def shown_error(result: Result | None, results: list[Result]) -> str:
    """In MB, with its share of memory."""
    if result is None:
        return "-"
    return f"{error_mb(result, results):+.0f} ({error_share(result, results):+.1%})".replace("%", " %")


def overview(results: list[Result]) -> str:
    """For docs/policy.md: a row for each workload, a column for each source. results: each workload has a turn of the reference."""
    named = {(result.workload, name_of(result, results)): result for result in results}
    others = [name for name in dict.fromkeys(name for _, name in named) if name != REFERENCE]
    rows = [("workload", f"`{REFERENCE}`, MB", "exact", *(f"`{REFERENCE}` again" if name.startswith(REFERENCE) else f"`{name}`" for name in others))]
    for workload in dict.fromkeys(result.workload for result in results):
        reference = named[workload, REFERENCE]
        rows.append((workload, f"{reference.limit_mb:.0f}", f"{reference.exact_mb:.0f}",
                     *(shown_error(named.get((workload, name)), results) for name in others)))
    return table.markdown_table(rows)


def summary(results: list[Result]) -> str:
    """A row for each source. Processor time is the median of the workloads."""
    names = dict.fromkeys(name_of(result, results) for result in results)
    return table.markdown_table([SUMMARY_HEADER, *(summary_cells(name, results) for name in names)])


def text(results: list[Result]) -> str:
    return f"{table.markdown_table([HEADER, *(cells(result, results) for result in results)])}\n{summary(results)}"
