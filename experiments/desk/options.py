# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of the experiments' command lines."""

import argparse
import re

# Three times the paper's break, for busy hosts; an idle one does not need it.
MAX_BREAK_S = 900
BACKINGS = ("hdd", "sata", "nvme", "zram")


def names(known: tuple[str, ...]):
    """An argparse type: a list of names, separated by commas."""

    def parse(text: str) -> tuple[str, ...]:
        chosen = tuple(dict.fromkeys(text.split(",")))
        unknown = [name for name in chosen if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(map(repr, unknown))}; choose from {', '.join(known)}")
        return chosen

    return parse


def whole(min_value: int):
    """An argparse type: a whole number."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) < min_value:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {min_value} on")
        return int(text)

    return parse


def ram(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,6})([MG]?)", text.upper())
    if not match or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size: write for example 512M or 1G")
    return int(match[1]) * (1024 if match[2] == "G" else 1)
