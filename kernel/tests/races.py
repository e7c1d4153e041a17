# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""Parses KCSAN's reports of data races, to tell those of the series from those of the rest of the kernel."""

import dataclasses
import pathlib
import re

REPORT = re.compile(r"^.*BUG: KCSAN: (?:data-race|assert: race) in (?P<functions>.+?)\s*$", re.MULTILINE)
# A function's definition in the lines that a patch adds.
DEFINITION = re.compile(r"^\+(?!\+)[A-Za-z_][\w \t*]*?\b(?P<name>\w+)\([^;]*$")


@dataclasses.dataclass(frozen=True)
class Race:
    """The heading of a report: the functions that raced, or one of them if the other is not known."""

    functions: tuple[str, ...]

    def __str__(self) -> str:
        return " / ".join(self.functions)


def functions_of(patch: str) -> set[str]:
    """The functions that a patch adds to C files."""
    names: set[str] = set()
    code = False
    for line in patch.splitlines():
        if line.startswith("+++ "):
            code = line.endswith((".c", ".h"))
        elif code and (match := DEFINITION.match(line)):
            names.add(match["name"])
    return names


def functions_of_series(folder: pathlib.Path) -> set[str]:
    return set().union(*(functions_of(path.read_text(encoding="utf-8")) for path in folder.glob("0*.patch")
                         if "-selftests-" not in path.name))


def races(serial_text: str) -> list[Race]:
    """Each race once, in the order of the log."""
    found = (Race(tuple(re.sub(r"\+0x.*|\.(?:isra|part|constprop|cold)\b.*", "", name.strip())
                        for name in match["functions"].split("/")))
             for match in REPORT.finditer(serial_text))
    return list(dict.fromkeys(found))


def without_reports(serial_text: str) -> str:
    """The log without the headings of KCSAN's reports."""
    return REPORT.sub("", serial_text)
