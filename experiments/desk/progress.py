# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a line every few seconds about the current runs."""

import dataclasses
import pathlib
import re
import threading
import time
from collections.abc import Callable

from .plan import Run

INTERVAL_S = 5.0
PHASES = ("load", "work", "break", "return", "end")


def current_phase(text: str) -> tuple[float, str] | None:
    """The last whole line of the guest's file of phases: the begin of the phase (guest's clock), and its name."""
    lines = re.findall(r"^([0-9.]+) ([a-z]+)\n", text, re.MULTILINE)
    return (float(lines[-1][0]), lines[-1][1]) if lines else None


def left_text(run: Run, phase: str, since_s: float) -> str:
    """The rest of a phase that began since_s ago; empty if it has no length."""
    length_s = {"work": run.work_s, "break": run.break_s, "return": run.return_s}.get(phase)
    if length_s is None:
        return ""
    if phase == "break" and since_s > run.break_s and run.max_break_s > run.break_s:
        return f" until the contribution has exceeded memory, at most {max(0, round(run.max_break_s - since_s))} s"
    return f" {max(0, round(length_s - since_s))} s"


@dataclasses.dataclass
class Watched:
    """A current run; seen_s: the host's clock when the phase was first seen."""

    name: str
    run: Run
    folder: pathlib.Path
    phase: str = "boot"
    seen_s: float = 0.0

    def line(self, now_s: float) -> str:
        try:
            text = (self.folder / "phases").read_text(encoding="utf-8")
        except OSError:
            text = ""
        current = current_phase(text)
        if current and current[1] != self.phase:
            self.phase, self.seen_s = current[1], now_s
        return f"{self.name}: {self.phase}{left_text(self.run, self.phase, now_s - self.seen_s)}"


class Progress:
    """Watches runs from a thread of its own. done and total count runs."""

    def __init__(self, total: int, write: Callable[[str], None]) -> None:
        self.total = total
        self.done = 0
        self.write = write
        self.watched: dict[str, Watched] = {}
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.loop, daemon=True)

    def __enter__(self) -> "Progress":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join()

    def began(self, name: str, run: Run, folder: pathlib.Path) -> None:
        with self.lock:
            self.watched[name] = Watched(name, run, folder)

    def ended(self, name: str, text: str) -> None:
        with self.lock:
            self.watched.pop(name, None)
            self.done += 1
            self.write(f"[{self.done}/{self.total}] {name}: {text}")

    def loop(self) -> None:
        while not self.stop.wait(INTERVAL_S):
            with self.lock:
                if self.watched:
                    now_s = time.monotonic()
                    lines = "   ".join(watched.line(now_s) for watched in self.watched.values())
                    self.write(f"[{self.done}/{self.total}] {lines}")
