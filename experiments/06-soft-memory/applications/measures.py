# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the programs and soft-arbiter print, and the scores made of it. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    name: str
    process: int
    seconds: float
    requests: int
    misses: int
    rebuild_s: float


@dataclass(frozen=True)
class Grant:
    second: int
    process: int
    name: str
    granted_mib: int
    used_mib: int
    best_mib: int


@dataclass(frozen=True)
class Result:
    progress: float  # the share of time that was no rebuilding
    requests_per_s: float
    misses_per_s: float


def parse_progress(line):
    """Returns None for another line."""
    words = line.split()
    if len(words) != 7 or words[0] != "progress":
        return None
    return Progress(words[1], int(words[2]), float(words[3]), int(words[4]), int(words[5]), float(words[6]))


def parse_grant(line):
    """Raises ValueError if it is none."""
    words = line.split()
    if len(words) != 9 or words[0] != "grant":
        raise ValueError(f"no grant: {line!r}")
    return Grant(int(words[1]), int(words[2]), words[3], *(int(word) for word in words[4:7]))


def parse_fio(line):
    """Returns how many KiB fio has read since its start, of a line of its terse format (version 3), or None for another line."""
    words = line.split(";")
    return int(words[5]) if len(words) > 5 and words[0] == "3" and words[5].isdigit() else None


class Samples:
    """The lines of all programs with the seconds at which they came."""

    def __init__(self):
        self._of = {}

    def add(self, progress, second):
        self._of.setdefault(progress.name, []).append((second, progress))

    def process_of(self, name):
        return self._of[name][-1][1].process

    def between(self, name, since, until):
        """Between the first and the last line of this time. Raises ValueError if there are not two."""
        within = [one for second, one in self._of.get(name, []) if since <= second <= until]
        if len(within) < 2:
            raise ValueError(f"{name}: fewer than two lines from {since} to {until} s")
        first, last = within[0], within[-1]
        seconds = last.seconds - first.seconds
        # A rebuild counts when it ends, and may have begun before.
        progress = min(1.0, max(0.0, 1 - (last.rebuild_s - first.rebuild_s) / seconds))
        return Result(progress, (last.requests - first.requests) / seconds, (last.misses - first.misses) / seconds)


def score(results):
    """The mean progress."""
    all_of_them = [result.progress for result in results]
    return sum(all_of_them) / len(all_of_them)


def best_static(grants, names):
    """The parts that the coordinator's division would give for ever, by all that the last reports of a run know."""
    latest = {grant.name: grant.best_mib for grant in grants}
    return {name: latest.get(name, 0) for name in names}


def halfway(parts, other):
    return {name: (parts[name] + other[name]) // 2 for name in parts}


def fall(series):
    """How far a series of (second, MiB) fell from its start to its least, when that began, and how many seconds it took from 5 % to
    95 % of it."""
    start = series[0][1]
    fallen = start - min(mib for _, mib in series)
    end = next(second for second, mib in series if mib <= start - 0.95 * fallen)
    begin = max((second for second, mib in series if second <= end and mib >= start - 0.05 * fallen), default=series[0][0])
    return fallen, begin, max(0.0, end - begin)


def is_static(way):
    return way == "equal" or way.startswith("static")


def best_score(scores):
    """Of the static divisions among scores by way, as soft_applications.py names them."""
    return max(score for way, score in scores.items() if is_static(way))
