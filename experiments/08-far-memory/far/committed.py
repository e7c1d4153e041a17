# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report and the README's tables, made from the committed results."""

import dataclasses
import pathlib
import statistics

from desk.errors import DeskError
from desk.report import records, table, template

HERE = pathlib.Path(__file__).resolve().parents[1]
RESULTS = HERE / "results"
MACHINES = {"two": "linux-6.18", "one": "linux-6.18-one-processor", "debian": "debian-13"}
SETTINGS = ("default", "async read", "async write", "async read and write")
STORES = ("memory", "memcached")


@dataclasses.dataclass(frozen=True)
class Touches:
    """A row of touches.csv, by measure.py."""

    kernel: str
    row: str
    sequential_mb_s: float
    sequential_us: float
    random_us: float
    p50_us: float
    p99_us: float
    slow_touches: float


@dataclasses.dataclass(frozen=True)
class Limit:
    """A row of limits.csv, by limit.py."""

    kernel: str
    store: str
    threads: int
    seconds: float
    evictions: int
    hand_us: float
    pager_us: float


class Machine:
    """The rows of a machine. machine("memcached") is the median of each of its columns."""

    def __init__(self, touches: list[Touches], limits: list[Limit]) -> None:
        self.touches, self.limits = touches, limits

    def names(self) -> list[str]:
        return list(dict.fromkeys(one.row for one in self.touches))

    def rounds(self, row: str) -> list[Touches]:
        found = [one for one in self.touches if one.row == row]
        if not found:
            raise DeskError(f"no row '{row}'")
        return found

    def __call__(self, row: str) -> Touches:
        return middle(self.rounds(row))

    def limit(self) -> Limit:
        return middle(self.limits)


def middle(rows: list) -> object:
    """Of numbers the median; of words the first."""
    values = {name: [getattr(row, name) for row in rows] for name in records.names_of(type(rows[0]))}
    return type(rows[0])(**{name: all_[0] if isinstance(all_[0], str) else statistics.median(all_) for name, all_ in values.items()})


def machine(folder: pathlib.Path) -> Machine:
    limits = folder / "limits.csv"
    return Machine(records.results_in(Touches, folder / "touches.csv"), records.results_in(Limit, limits) if limits.exists() else [])


def faults_table(found: Machine) -> str:
    rows = [("memory that is not local is in", "rounds", "p50 us", "of all rounds", "p99 us", "sequential MB/s", "of all rounds")]
    for name in found.names():
        if name.startswith("paper") or name == "all local":
            continue
        rounds, one = found.rounds(name), found(name)
        rows.append((name, str(len(rounds)), f"{one.p50_us:.1f}", span(rounds, "p50_us", ".1f"), f"{one.p99_us:.0f}", f"{one.sequential_mb_s:.0f}",
                     span(rounds, "sequential_mb_s", ".0f")))
    return table.markdown_table(rows)


def paper_table(found: Machine) -> str:
    rows = [("setting", "rounds", *(f"{store}, {access}" for store in STORES for access in ("sequential us", "random us")))]
    for setting in SETTINGS:
        cells = []
        for store in STORES:
            one = found(f"paper, {store}, {setting}")
            cells += [f"{one.sequential_us:.1f}", f"{one.random_us:.1f}"]
        rows.append((setting, str(len(found.rounds(f"paper, memory, {setting}"))), *cells))
    return table.markdown_table(rows)


def limits_table(found: Machine) -> str:
    rows = [("store", "threads", "seconds", "evictions", "of the program us", "of the pager us")]
    rows += [(one.store, str(one.threads), f"{one.seconds:.2f}", str(one.evictions), f"{one.hand_us:.2f}", f"{one.pager_us:.2f}")
             for one in found.limits]
    return table.markdown_table(rows)


def span(rounds: list[Touches], column: str, form: str) -> str:
    values = [getattr(one, column) for one in rounds]
    return table.bounds(min(values), max(values), form)


def aim(reached: bool, missed_by: float) -> str:
    """missed_by: the factor between figure and aim, above 1."""
    if reached:
        return "reached"
    return f"missed by a factor of {missed_by:.2f}" if missed_by >= 1.1 else f"missed by {100 * (missed_by - 1):.1f} %"


def at_most(value: float, most: float) -> str:
    return aim(value <= most, value / most)


def at_least(value: float, least: float) -> str:
    return aim(value >= least, least / value)


def names() -> dict[str, object]:
    found = {name: machine(RESULTS / folder) for name, folder in MACHINES.items()}
    return found | {"at_most": at_most, "at_least": at_least, "paper_table": paper_table, "limits_table": limits_table}


def documents() -> dict[pathlib.Path, str]:
    return {RESULTS / "report.md": template.report(RESULTS, lambda folder: (faults_table(machine(folder)), {}), names()),
            HERE / "README.md": template.passages(HERE / "README.md", HERE / "README.template.md", names())}
