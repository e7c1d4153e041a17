# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The limit that tmmd would set if it knew the owner's workload: the exact curve of misses by Objective=reuse, which has a page stay if
it is used again at least once in BreakEven. It knows nothing of the rest of the system."""

from desk import plan
from desk.report import oracle

# As in tmmd: docs/policy.md, "The need".
MARGIN = 0.05
UNMEASURED_MS = 2.5
EXPONENT = 1 / 4


def break_even_of(break_even_s: float, miss_ms: float) -> float:
    """The time in which a page has to be used again, with misses of that length."""
    return break_even_s * (miss_ms / UNMEASURED_MS) ** EXPONENT


def keep_pages(curve: oracle.Curve, break_even_s: float) -> int:
    """The size of an LRU memory for which misses and rent together cost least. break_even_s: on the curve's clock; above 0."""
    return min((misses / curve.seconds + size / break_even_s, size) for size, misses in curve.steps)[1]


def limit_mb(curve: oracle.Curve, break_even_s: float, total_mb: float) -> float:
    """The limit for the workload and the idle desktop. total_mb: memory that both classes can have together."""
    need_mb = keep_pages(curve, break_even_s) * oracle.PAGE_BYTES / oracle.MB + plan.DESKTOP_MB
    return min(max(need_mb + MARGIN * total_mb, oracle.MINIMUM_OPAQUE * total_mb), total_mb)
