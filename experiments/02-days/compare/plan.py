# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which owners, machines and stores are simulated."""

import dataclasses
import math

OWNERS = ("office", "photographer", "developer", "gamer", "family")
NOTE_CASES = ("note-growth", "note-forgotten", "note-daily", "note-nightly", "note-alternate", "note-rare")
LOOP_CASES = ("loop-10min", "loop-20min", "loop-48min", "loop-2h", "loop-4h", "loop-8h")
STORES = ("hdd", "sata", "nvme", "zram")
PEERS = ("priority", "static-25", "static-50", "static-75", "age-2m", "age-30m", "age-8h", "senpai")
TMM = ("tmm-paper", "tmm-reuse")
SYSTEMS = (*PEERS, *TMM)
MACHINES_GB = (16, 4, 8, 64)  # in this order: the first is the one that is drawn
USUAL_GB = 16
NOTE_GB = 0.5


@dataclasses.dataclass(frozen=True)
class Run:
    """One call of owner-days: all stores and systems."""
    owner: str
    memory_gb: float
    seed: int
    stores: tuple[str, ...]
    systems: tuple[str, ...] = SYSTEMS

    @property
    def name(self) -> str:
        return f"{self.owner}-{self.memory_gb:g}G-{self.seed}"

    @property
    def scale(self) -> float:
        """People with more memory use more of it, but not as much more: the square root. The note's cases are in MB, the loops
        in shares."""
        return 1.0 if self.owner in (*NOTE_CASES, *LOOP_CASES) else math.sqrt(self.memory_gb / USUAL_GB)

    def options(self) -> list[str]:
        return [f"--memory={round(self.memory_gb * 1024)}M", f"--seed={self.seed}", f"--scale={self.scale:g}",
                f"--stores={','.join(self.stores)}", f"--systems={','.join(self.systems)}"]


def note_runs() -> list[Run]:
    return [Run(case, NOTE_GB, 1, ("hdd",)) for case in NOTE_CASES]


def full(seeds: int) -> list[Run]:
    return note_runs() + [Run(owner, memory_gb, seed, STORES) for seed in range(1, seeds + 1)
                          for memory_gb in MACHINES_GB for owner in OWNERS]


def quick() -> list[Run]:
    """Everything once, in small."""
    return [Run("note-rare", NOTE_GB, 1, ("hdd",)), Run("office", 4, 1, ("hdd",), ("priority", "age-8h", "tmm-paper", "tmm-reuse"))]
