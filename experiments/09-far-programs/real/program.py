# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What runs, and over which link."""

from typing import NamedTuple

HEAVY = "heavy"

Row = dict[str, str]


class Link(NamedTuple):
    size: str  # that it carries a second
    latency_us: int


def in_bytes(size: str) -> int:
    return int(size[:-1]) * {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[size[-1]]


class Program(NamedTuple):
    command: list[str]
    memory: str
    # About what its cgroup has beside with tmm-far, in all but a tenth of the time: stacks, page tables, small mappings, pages on their way.
    other: str = "8M"
