#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How soon a contribution stands still when the owner's programs begin to wait for memory, and how fast its memory is released. Boots a
machine with Debian's own kernel and prints a table. See README.md. Exit status: 0 it ran, 1 it failed, 2 it could not be run."""

import argparse
import pathlib
import shutil
import sys
import tempfile

from idle import clamps
from desk import boots, options, programs
from desk.errors import DeskError
from desk.machines import BUILD, LAUNCHER, TMMD, host_release
from vm.errors import KitError
from vm.machine import Machine

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = (f"{BUILD}/owner-workload", TMMD, LAUNCHER)
PACKAGES = ("linux-image-6.12-amd64", "python3")
RAM_MB, SWAP_MB = 512, 2048
TIMEOUT_S = 3600


def parser() -> argparse.ArgumentParser:
    result = options.parser("clamp.py", __doc__, "out/03-clamp", backing="nvme")
    result.add_argument("--rounds", type=options.whole(1), default=20, metavar="N", help="times that a program of the owner takes memory; default 20")
    return result


def main() -> int:
    chosen = parser().parse_args()
    if chosen.backing == "zram":
        parser().error("--backing zram: its swap has no device whose speed could be compared")
    with tempfile.TemporaryDirectory(prefix="tmm-clamp-") as name:
        tools = pathlib.Path(name)
        (tools / "tmmd.conf").write_text("# tmmd's defaults\n", encoding="utf-8")
        machine = Machine(kernel="debian", release=host_release(), packages=PACKAGES, ram_mb=RAM_MB, swap_mb=SWAP_MB, backing=chosen.backing,
                          lru="default", tools=(tools,), timeout_s=TIMEOUT_S)
        try:
            for program in (*programs.built(chosen.programs, PROGRAMS), HERE / "guest/clamp"):
                shutil.copy2(program, tools)
            outcome = machine.run(["/opt/tmm/clamp", str(chosen.rounds)], chosen.out)
        except (DeskError, KitError) as error:
            boots.say(f"clamp.py: {error}")
            return 2
    if not outcome.ok:
        boots.say(f"clamp.py: {outcome.message}; logs in {chosen.out}")
        return 1
    try:
        table = boots.below_its_command("experiments/03-resume-after-idle/clamp.py", clamps.table_of(chosen.out))
    except DeskError as error:
        boots.say(f"clamp.py: {error}")
        return 1
    (chosen.out / "table.md").write_text(table, encoding="utf-8")
    print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
