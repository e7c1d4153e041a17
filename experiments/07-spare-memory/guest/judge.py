# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the measures of guest/coffee say. Pure, except read()."""

import pathlib

Measures = dict[tuple[str, str], int]  # by phase and name

# The owner takes 350 MiB then.
MAX_FREE_MIB = 230
MIN_GIVEN_MIB = 100
# Of eight seconds.
MAX_STALLED_US = 100_000
# Pages that the owner misses again without that being felt: a hundredth of the file.
MAX_REFAULTS = 150


def read(path: pathlib.Path) -> Measures:
    """ValueError: a line is no measure."""
    return {(when, name): int(value) for when, name, value in (line.split() for line in path.read_text(encoding="utf-8").splitlines())}


def misses_memory(measures: Measures, when: str) -> bool:
    """Whether the owner waited for memory in that phase, and not alone."""
    def more(name: str) -> int:
        return measures[when, name] - measures["alone", name]

    return (more("faults") > 0 or more("workingset_refault_anon") > 0 or more("workingset_refault_file") > MAX_REFAULTS
            or more("stalled_us") > MAX_STALLED_US)


def judge(measures: Measures) -> list[tuple[bool, str]]:
    """For each assertion: whether it holds, and its name. KeyError: a measure is missing."""
    return [
        (measures["full", "free_mib"] <= MAX_FREE_MIB, "the cache fills the machine during the break"),
        (measures["back", "cached_mib"] <= measures["full", "cached_mib"] - MIN_GIVEN_MIB, "it gives memory to the owner who is back"),
        (not misses_memory(measures, "back"), "the owner misses no memory"),
        (measures["back", "pswpin"] == 0 and measures["back", "pswpout"] == 0, "nothing is swapped"),
        (measures["full_fixed", "free_mib"] <= MAX_FREE_MIB, "a cache of fixed size fills the machine likewise"),
        (misses_memory(measures, "back_fixed"), "with that one the owner misses memory"),
    ]
