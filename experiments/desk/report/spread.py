# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Several boots of the same systems: their medians, and how far they lie apart."""

import math
import statistics
from collections.abc import Callable, Sequence
from typing import TypeVar

from . import table

Result = TypeVar("Result")


def by_system(results: Sequence[Result]) -> dict[str, list[Result]]:
    """In the order of the results, each of which names its system."""
    boots: dict[str, list[Result]] = {}
    for result in results:
        boots.setdefault(result.system, []).append(result)
    return boots


def p95(values: Sequence[float]) -> float:
    """The least of the values that 95 % of them do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def shown(values: Sequence[float | None], form: str) -> str:
    """The median, with the least and the most: 0.5 (0.3 to 0.9); one number if all look alike. A dash if a boot has none."""
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return "-"
    median, least, most = (format(value, form) for value in (statistics.median(known), min(known), max(known)))
    return median if least == most else f"{median} ({least} to {most})"


def table_of(results: Sequence[Result], header: tuple[str, ...], cells: Callable[[list[Result]], tuple[str, ...]]) -> str:
    """A table to stand below that of the boots; empty if no system was booted twice. header, cells: of the columns after the system and
    its number of boots."""
    boots = by_system(results)
    if all(len(of_system) < 2 for of_system in boots.values()):
        return ""
    rows = [("system", "boots", *header), *((system, str(len(of_system)), *cells(of_system)) for system, of_system in boots.items())]
    return "\nMedians of the boots, with the least and the most:\n\n" + table.markdown_table(rows)
