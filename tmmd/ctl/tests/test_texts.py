# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual page and the completions have the commands and options of --help."""
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from ctl_fixture import BUILD, HERE, SOURCE, TMMCTL

COMPLETION = HERE.parent / "completion"
LAUNCHER = BUILD / "maketransparent/maketransparent"
LAUNCHER_COMPLETION = SOURCE / "maketransparent/completion"


def help_text(program: Path = TMMCTL) -> str:
    return subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout


def commands() -> set[str]:
    return set(re.findall(r"^  ([a-z]+)\b", help_text(), re.MULTILINE))


def long_options(text: str) -> set[str]:
    return set(re.findall(r"--[a-z][a-z-]+", text))


class Page(unittest.TestCase):
    def setUp(self) -> None:
        page = (SOURCE / "tmmd/man/tmmctl.1").read_text()
        self.lines = [re.sub(r"\\f.", "", line.replace("\\-", "-")) for line in page.splitlines()]

    def test_names_the_same_options(self) -> None:
        options = self.lines[self.lines.index(".SH OPTIONS"):self.lines.index(".SH EXIT STATUS")]
        heads = [line for before, line in zip(options, options[1:]) if before == ".TP"]
        self.assertEqual(long_options("\n".join(heads)), long_options(help_text()))

    def test_names_the_same_commands(self) -> None:
        section = self.lines[self.lines.index(".SH COMMANDS"):self.lines.index(".SH OPTIONS")]
        heads = [line.replace('"', " ").split()[1] for before, line in zip(section, section[1:]) if before == ".TP"]
        self.assertEqual(set(heads), commands())
        self.assertEqual(len(commands()), 14)


class Completion(unittest.TestCase):
    def test_all_know_every_command_and_option(self) -> None:
        for program, directory in {TMMCTL: COMPLETION, LAUNCHER: LAUNCHER_COMPLETION}.items():
            for shell in ("bash", "zsh", "fish"):
                with self.subTest(f"{program.name}.{shell}"):
                    text = (directory / f"{program.name}.{shell}").read_text()
                    known = long_options(re.sub(r"-l (?=[a-z])", "--", text))  # as fish writes them
                    self.assertEqual(long_options(help_text(program)) - known, set())
                    if program == TMMCTL:
                        self.assertEqual({word for word in commands() if not re.search(rf"\b{word}\b", text)}, set())

    def complete_in_bash(self, *words: str, directory: Path = COMPLETION, program: str = "tmmctl",
                         **environment: str) -> list[str]:
        script = (f". {directory}/{program}.bash; COMP_WORDS=({program} \"$@\"); COMP_CWORD=$#; _{program};"
                  " echo \"${COMPREPLY[*]}\"")
        done = subprocess.run(["bash", "-euc", script, "bash", *words], capture_output=True, text=True, check=True,
                              env=os.environ | environment)
        return done.stdout.split()

    def test_bash(self) -> None:
        self.assertEqual(self.complete_in_bash("stat"), ["status"])
        self.assertEqual(self.complete_in_bash("history", ""), ["minutes", "hours", "days", "--csv", "--json"])
        self.assertEqual(self.complete_in_bash("limit", "--only-on"), ["--only-on-mains"])
        self.assertEqual(self.complete_in_bash("limit", "--only-on-mains", "=", ""), ["yes", "no"])
        self.assertEqual(self.complete_in_bash("limit", "--max", "="), ["10%", "25%", "50%", "none"])
        self.assertEqual(self.complete_in_bash("pause", "until", "to"), ["tomorrow"])
        self.assertEqual(self.complete_in_bash("sto"), ["stop"])
        self.assertEqual(self.complete_in_bash("top", "--count", "="), [])

    def test_names_of_contributions(self) -> None:
        rows = [{"object": "/c/1", "name": "povray"}, {"object": "/c/2", "name": "two words"}, {"object": "/c/3", "name": None},
                {"object": "/c/4", "name": "odd\x1bname"}]
        with TemporaryDirectory() as folder:
            program = Path(folder, "tmmctl")
            program.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps({'state': 'giving', 'contributions': rows})}\nEND\n")
            program.chmod(0o755)
            path = {"PATH": f"{folder}:{os.environ['PATH']}"}
            self.assertEqual(self.complete_in_bash("stop", "", **path), ["--json", "povray", "two\\", "words"])
            self.assertEqual(self.complete_in_bash("pause", "po", **path), ["povray"])
            if shutil.which("fish"):
                script = f"source {COMPLETION}/tmmctl.fish; complete -C 'tmmctl stop '"
                done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True,
                                      env=os.environ | path)
                self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], ["povray", "two words"])

    def test_bash_for_the_launcher(self) -> None:
        def complete(*words: str) -> list[str]:
            return self.complete_in_bash(*words, directory=LAUNCHER_COMPLETION, program="maketransparent")
        self.assertEqual(complete("--dry"), ["--dry-run"])
        self.assertIn("setpriv", complete("-n", "name", "setpri"))
        self.assertIn("/proc/self", complete("--cgroup", "=", "/proc/sel"))

    @unittest.skipIf(shutil.which("zsh") is None, "needs zsh")
    def test_zsh_reads_it(self) -> None:
        for file in (COMPLETION / "tmmctl.zsh", LAUNCHER_COMPLETION / "maketransparent.zsh"):
            subprocess.run(["zsh", "-n", file], check=True)

    @unittest.skipIf(shutil.which("fish") is None, "needs fish")
    def test_fish(self) -> None:
        def complete(line: str) -> list[str]:
            files = f"source {COMPLETION}/tmmctl.fish; source {LAUNCHER_COMPLETION}/maketransparent.fish"
            script = f"{files}; complete -C '{line}'"
            done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True)
            return [found.split("\t")[0] for found in done.stdout.splitlines()]
        self.assertEqual(complete("tmmctl stat"), ["status"])
        self.assertEqual(sorted(complete("tmmctl history ")), ["days", "hours", "minutes"])
        self.assertEqual(sorted(complete("tmmctl limit --only")), ["--only-on-mains", "--only-when-idle"])
        self.assertEqual(complete("maketransparent --dry"), ["--dry-run"])
        self.assertIn("setpriv", complete("maketransparent -n x setpri"))
