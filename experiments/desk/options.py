# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of the experiments' command lines."""

import argparse
import os
import pathlib
import re
from collections.abc import Collection

from . import plan, workloads

# Three times the paper's break, for busy hosts; an idle one does not need it.
MAX_BREAK_S = 900
BACKINGS = ("hdd", "sata", "nvme", "zram")


def names(known: Collection[str]):
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


def folder(text: str) -> pathlib.Path:
    """An argparse type."""
    if not pathlib.Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is no folder")
    return pathlib.Path(text)


def program(text: str) -> pathlib.Path:
    """An argparse type."""
    if not os.path.isfile(text) or not os.access(text, os.X_OK):
        raise argparse.ArgumentTypeError(f"'{text}' is no program")
    return pathlib.Path(text)


def add_own_owner(result: argparse.ArgumentParser, instead_of: str) -> None:
    """The options by which people bring programs of their own. instead_of: the option that names the workload."""
    add = result.add_argument
    add("--opaque", metavar="CMD", default="", help=f"the owner's workload: a shell command for the guest instead of {instead_of}")
    add("--tools", type=folder, metavar="DIR", action="append", default=[],
        help="folder with programs and data of your own, which the guest has in /opt/tmm; may be given several times")
    add("--with", dest="packages", metavar="PACKAGE", action="append", default=[],
        help="Debian package that the guest has as well; may be given several times")


def add_own_contribution(result: argparse.ArgumentParser, instead_of: str) -> None:
    result.add_argument("--contributor", metavar="CMD", default="",
                        help=f"the contribution: a shell command for the guest instead of {instead_of}")


def own_files(chosen: argparse.Namespace) -> tuple[pathlib.Path, ...]:
    """All that is in the folders of --tools."""
    return tuple(path for tools in chosen.tools for path in sorted(tools.iterdir()))


def parser(program: str, description: str, out: str, *, backing: str) -> argparse.ArgumentParser:
    """With the options that all programs have. out, backing: defaults."""
    result = argparse.ArgumentParser(prog=program, description=description)
    add = result.add_argument
    add("--backing", choices=BACKINGS, default=backing, help=f"the owner's disk, with swap; default {backing}")
    add("--programs", type=pathlib.Path, default=pathlib.Path("build"), metavar="DIR", help="meson's build directory; default build")
    add("--out", type=pathlib.Path, default=pathlib.Path(out), metavar="DIR", help=f"default {out}")
    return result


def add_break(result: argparse.ArgumentParser, systems: Collection[str], *, ram_mb: int, work_s: int, past_s: int) -> None:
    """The options of programs that boot several systems for the same break. ram_mb, work_s, past_s: defaults."""
    add = result.add_argument
    add("--systems", type=names(systems), metavar="NAMES", default=tuple(systems), help=f"some of {','.join(systems)}; default all")
    add("--workload", choices=[name for name in workloads.WORKLOADS if name not in workloads.DESKTOPS], default="loop",
        help="the owner's; default loop")
    add_own_owner(result, "--workload")
    add("--ram", type=ram, default=ram_mb, metavar="SIZE", help=f"the machine's memory; default {ram_mb}M")
    add("--work", type=whole(1), default=work_s, metavar="S", dest="work_s", help=f"seconds of work before the break; default {work_s}")
    add("--break", type=whole(1), default=60, metavar="S", dest="break_s", help="minimum seconds of the break; default 60")
    add("--return", type=whole(1), default=60, metavar="S", dest="return_s", help="seconds after it; default 60")
    add("--machine", choices=plan.MACHINES, default=plan.FRESH,
        help="fresh: just booted; lived-in: its memory is full, and tmmd has learned for hours; default fresh")
    add("--past", type=whole(1), default=past_s, metavar="S", dest="past_s",
        help=f"seconds for which a lived-in machine is used before the work; default {past_s}")
    add("--time-lapse", type=whole(1), default=60, metavar="N",
        help="seconds that pass for tmmd in each until the work begins, on a lived-in machine; default 60")
    add("--boots", type=whole(1), default=1, metavar="N", help="boots of each system, one of each in turn; default 1")
    add("--renew", action="store_true", help="repeat all runs")


def fields_of(chosen: argparse.Namespace) -> dict[str, object]:
    """The fields of plan.Run that follow from these options alone."""
    lived_in = chosen.machine == plan.LIVED_IN
    owner = {"workload": workloads.CUSTOM, "opaque": chosen.opaque} if chosen.opaque else {"workload": chosen.workload}
    return {**owner, "backing": chosen.backing, "ram_mb": chosen.ram, "work_s": chosen.work_s, "break_s": chosen.break_s,
            "return_s": chosen.return_s, "machine": chosen.machine, "past_s": chosen.past_s if lived_in else 0,
            "time_lapse": chosen.time_lapse if lived_in else 1}
