#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as root in a virtual machine with systemd and the packages in /opt/tmm/debs: each file of attacks/ is an attack by mallory, with what
has to hold meanwhile. Prints TAP; the journal is in /results. attack.py [TEXT]: only the attacks that have TEXT in the name of their file.

A file of attacks/ has NAME, the test's name, and attack(desk), the body of the test. As a program, mallory runs it."""

import importlib
import signal
import sys

import stock
from computer import RESULTS, install, journal_is_clean, run
from desk import FOLDER, Desk
from tap import Tap

sys.path.append(str(FOLDER / "attacks"))


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    signal.signal(signal.SIGALRM, stock.run_out_of_time)
    tap = Tap()
    desk = Desk()
    tap.test("mallory and the victim are logged in", desk.log_in)
    tap.test("the packages are installed", install)
    tap.test("tmmd's clocks run faster", desk.speed_up)
    tap.test("the victim's programs are protected", stock.in_time(desk.work))
    for path in sorted((FOLDER / "attacks").glob("*.py")):
        if wanted in path.stem:
            module = importlib.import_module(path.stem)
            desk.problems()  # those of the attack before
            tap.test(module.NAME, stock.in_time(lambda attack=module.attack: attack(desk)))
    tap.test("the journal has no error that TMM can cause", journal_is_clean)
    run("sh", "-c", f"journalctl --boot --output=short-monotonic >{RESULTS}/journal")
    return tap.finish()


if __name__ == "__main__":
    raise SystemExit(main())
