# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the output of guest/scenario says. Pure, except read()."""

import dataclasses
import pathlib

PROGRAMS = ("dear", "cheap", "small", "other")
# tmmd leaves 5 % of the machine's 931 MiB free. A heap counts whole segments of 2 MiB, and takes some between two reports.
ROOM_MIB = 884
SLACK_MIB = 24
MAX_TMMD_MIB = 64


@dataclasses.dataclass(frozen=True)
class Status:
    second: float  # of uptime
    held_mib: int
    limit_mib: int
    wrong: int


@dataclasses.dataclass(frozen=True)
class Seen:
    phases: dict[str, float]  # uptime at which each begins
    programs: dict[str, list[Status]]
    faults: dict[str, int]  # of the owner: alone, and with the programs
    tmmd_mib: int

    def at(self, name: str, phase: str, offset_s: float = 0) -> Status:
        """The last status before a moment. ValueError: there is none."""
        second = self.phases[phase] + offset_s
        before = [one for one in self.programs[name] if one.second <= second]
        if not before:
            raise ValueError(f"{name} said nothing before {phase}")
        return before[-1]

    def between(self, name: str, begin: str, end: str) -> list[Status]:
        return [one for one in self.programs[name] if self.phases[begin] <= one.second <= self.phases[end]]

    def held(self, name: str, phase: str, offset_s: float = 0) -> int:
        return self.at(name, phase, offset_s).held_mib


def parse_statuses(text: str) -> dict[str, list[Status]]:
    """By program; a log has those of a program and of its child. Lines of other kinds are left out."""
    programs: dict[str, list[Status]] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 6 and words[0] == "status":
            programs.setdefault(words[1], []).append(Status(float(words[2]), *(int(word) for word in words[3:])))
    return programs


def number_after(word: str, text: str) -> int:
    """ValueError: the text has no such word before a number."""
    words = text.split()
    return int(words[words.index(word) + 1])


def read(results: pathlib.Path) -> Seen:
    def text(name: str) -> str:
        return (results / name).read_text(encoding="utf-8", errors="replace")

    phases = {name: float(second) for name, second in (line.split() for line in text("phases").splitlines())}
    programs: dict[str, list[Status]] = {}
    for name in PROGRAMS:
        programs |= parse_statuses(text(f"{name}.log"))
    faults = {name: number_after("faults", text(f"{name}.log")) for name in ("alone", "owner")}
    return Seen(phases, programs, faults, number_after("VmRSS:", text("tmmd-memory")) // 1024)


def total(seen: Seen, phase: str, offset_s: float = 0) -> int:
    return sum(seen.at(name, phase, offset_s).limit_mib for name in PROGRAMS)


def keeps(seen: Seen, names: tuple[str, ...], begin: str, end: str, share: float) -> bool:
    """Whether none ever had less than this share of what it had at the begin."""
    return all(one.held_mib >= share * seen.held(name, begin) - SLACK_MIB for name in names for one in seen.between(name, begin, end))


def judge(seen: Seen) -> list[tuple[bool, str, str]]:
    """For each assertion: whether it holds, its name, and what was seen."""
    def at(*phases: str) -> str:
        """What each had during these phases and some seconds before."""
        told = {name: [(round(one.second), one.held_mib, one.limit_mib) for one in of_one
                       if seen.phases[phases[0]] - 3 <= one.second <= seen.phases[phases[-1]] + 3] for name, of_one in seen.programs.items()}
        return "\n".join(f"{name}: (second, held MiB, limit MiB) {of_one}" for name, of_one in told.items())

    others = tuple(name for name in PROGRAMS if name != "other")
    before_kill = {name: seen.at(name, "killed") for name in PROGRAMS}
    grown = all(seen.at(name, "killed", 3).held_mib <= one.held_mib + 0.05 * ROOM_MIB + SLACK_MIB for name, one in before_kill.items())
    return [
        (total(seen, "killed") <= ROOM_MIB, "grants together fit into memory", at("divided", "killed")),
        (seen.held("dear", "killed") >= 1.1 * seen.held("cheap", "killed"), "a program with dear misses has more", at("divided", "killed")),
        (keeps(seen, PROGRAMS, "killed", "another", 0.9), "when tmmd is killed no program gives memory up", at("killed", "another")),
        (grown, "and none jumps at what is free", at("killed", "restarted")),
        (seen.held("dear", "stopping") >= 1.1 * seen.held("cheap", "stopping") and total(seen, "stopping") <= ROOM_MIB
         and keeps(seen, ("dear", "small", "other"), "restarted", "stopping", 0.9), "a new tmmd divides as the former", at("restarted", "stopping")),
        (keeps(seen, others, "stopping", "goes_on", 0.9), "a frozen program costs the others nothing", at("stopping", "goes_on")),
        (seen.between("other", "goes_on", "flood") != [] and seen.at("other", "flood").limit_mib > 0,
         "it gets memory again when it goes on", at("goes_on", "flood")),
        (keeps(seen, PROGRAMS, "flood", "fork", 0.9), "a flood of connections costs others nothing", at("flood", "fork")),
        (seen.tmmd_mib <= MAX_TMMD_MIB, "and tmmd stays small", f"{seen.tmmd_mib} MiB"),
        ("small-child" in seen.programs and seen.at("small-child", "owner").held_mib > 0, "a child is a program of its own", at("fork", "owner")),
        (keeps(seen, ("dear", "cheap", "other"), "fork", "owner", 0.8), "and the others keep their division", at("fork", "owner")),
        (seen.faults["owner"] <= seen.faults["alone"], "the owner waits for the disk no more often than without them", str(seen.faults)),
        (total(seen, "end") < total(seen, "owner"), "since they gave memory back", at("owner", "end")),
        (all(one.wrong == 0 for of_one in seen.programs.values() for one in of_one), "no read is wrong", ""),
    ]
