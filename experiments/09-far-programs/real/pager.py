# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs on far memory, with a tmm-fard of their own."""

import os
import pathlib
import subprocess
import time
from typing import NamedTuple

from real.program import HEAVY, Link, Program, Row


class System(NamedTuple):
    """What it lacks: the pager, each program, and the heavy program only."""
    pager: tuple[str, ...] = ()
    program: tuple[str, ...] = ()
    heavy: tuple[str, ...] = ()


class Pager:
    interval_s = 0.1

    def __init__(self, build: pathlib.Path, folder: pathlib.Path, link: Link, system: System) -> None:
        self.build = build
        self.system = system
        self.socket = folder / "pager"
        self.far = [build / "farmem/tmm-far"]
        self.pager = subprocess.Popen([build / "farmem/tmm-fard", f"--socket={self.socket}", f"--link={link.size}", f"--latency={link.latency_us}",
                                       *system.pager])
        while not self.socket.exists():
            time.sleep(0.01)

    def close(self) -> None:
        self.pager.terminate()
        self.pager.wait()

    def start(self, name: str, program: Program) -> subprocess.Popen:
        without = self.system.program + (self.system.heavy if name == HEAVY else ())
        return subprocess.Popen([*self.far, "run", f"--memory={program.memory}", f"--name={name}", f"--socket={self.socket}",
                                 f"--library={self.build / 'farmem/libtmm-far.so'}", *without, "--", *program.command],
                                stdout=subprocess.DEVNULL, env=os.environ | {"LC_ALL": "C"})

    def status(self, name: str) -> Row:
        text = subprocess.run([*self.far, "status", f"--socket={self.socket}"], capture_output=True, text=True, check=False).stdout
        for line in text.splitlines():
            program, *words = line.split()
            if program == name:
                return dict(word.split("=", 1) for word in words)
        return {}

    def stop(self, name: str, program: subprocess.Popen) -> None:
        subprocess.run([*self.far, "stop", f"--socket={self.socket}", name], check=False)
        program.wait()
