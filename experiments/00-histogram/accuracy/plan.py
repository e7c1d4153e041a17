# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Workloads and seeds, each replayed with several epochs and sampling rates."""

import dataclasses

WORKLOADS = ("zipf", "loop", "phases", "scans", "desktop")
EPOCHS_S = (0.5, 2.0, 10.0, 30.0)
# Sampling shifts; none: the fixed number of samples.
SHIFTS = (0, 3, 6, None)


@dataclasses.dataclass(frozen=True)
class Shape:
    """Options of make-trace."""
    memory_pages: int
    visits_per_s: int
    seconds: int
    seeds: int

    def options(self, seed: int) -> list[str]:
        return [f"--memory={self.memory_pages}", f"--rate={self.visits_per_s}", f"--seconds={self.seconds}", f"--seed={seed}"]


FULL = Shape(memory_pages=131_072, visits_per_s=2000, seconds=1800, seeds=2)
QUICK = Shape(memory_pages=16_384, visits_per_s=500, seconds=240, seeds=1)
# Small, since the 72 idle hours count, not the work before and after.
IDLE = Shape(memory_pages=16_384, visits_per_s=500, seconds=2400, seeds=1)
IDLE_EPOCH_S = 10.0


@dataclasses.dataclass(frozen=True)
class Replay:
    """One run of tmm-replay over a trace."""
    workload: str
    seed: int
    epoch_s: float
    shift: int | None

    def options(self, memory_pages: int) -> list[str]:
        sampling = [] if self.shift is None else [f"--sample-shift={self.shift}"]
        return ["--exact", "--json", f"--epoch={self.epoch_s}", f"--memory={memory_pages}", *sampling]

    @property
    def rate(self) -> str:
        return "fixed" if self.shift is None else f"1/{2 ** self.shift}"


def replays(workload: str, seed: int) -> list[Replay]:
    return [Replay(workload, seed, epoch_s, shift) for epoch_s in EPOCHS_S for shift in SHIFTS]
