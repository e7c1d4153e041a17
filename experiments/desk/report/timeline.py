# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmmd's timeline: its limits and the usage of both classes."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Decision:
    """A row. In the file t_s counts from tmmd's start, faster than the machine's clocks in a time-lapse."""

    t_s: float
    opaque_limit_mb: float
    transparent_limit_mb: float
    opaque_used_mb: float
    transparent_used_mb: float
    total_mb: float
    kind: str
    reason: str
    wall_s: float | None = None  # since 1970; limit-holder does not write it

    @property
    def learned(self) -> bool:
        """The limit comes from observation; before, it is all of memory."""
        return self.kind != "learning"


def last_before(decisions: list[Decision], t_s: float) -> Decision | None:
    """The decision that held at t_s."""
    return next((decision for decision in reversed(decisions) if decision.t_s <= t_s), None)


def between(decisions: list[Decision], start_s: float, end_s: float) -> list[Decision]:
    """The decisions that held within the span, with the last one before it."""
    first = last_before(decisions, start_s)
    return ([first] if first else []) + [decision for decision in decisions if start_s < decision.t_s <= end_s]
