# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The log of an owner's interactions, as owner-workload writes it: a row a second of the monotonic clock."""

import math
import pathlib

HEADER = "t_s,interactions,mean_ms,max_ms,first_end_s\n"


class LatencyLog:
    """Writes a row when its second is over. An interaction that the break interrupts counts from the return."""

    def __init__(self, path: pathlib.Path) -> None:
        self.file = path.open("w", encoding="utf-8", buffering=1)
        self.file.write(HEADER)
        self.second = -1
        self.latencies_s: list[float] = []
        self.first_end_s = 0.0
        self.returned_s = 0.0

    def returned(self, now_s: float) -> None:
        """The owner is back."""
        self.returned_s = now_s

    def add(self, begin_s: float, end_s: float) -> None:
        if math.floor(end_s) != self.second:
            self.flush()
            self.second = math.floor(end_s)
            self.first_end_s = end_s
        self.latencies_s.append(end_s - max(begin_s, self.returned_s))

    def flush(self) -> None:
        if self.latencies_s:
            mean_ms = 1000 * sum(self.latencies_s) / len(self.latencies_s)
            self.file.write(f"{self.second},{len(self.latencies_s)},{mean_ms:.3f},{1000 * max(self.latencies_s):.3f},"
                            f"{self.first_end_s:.3f}\n")
        self.latencies_s = []
