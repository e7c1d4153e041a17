# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TIDY = Path(__file__).parent.parent / "tidy"
# Each source that it looks at goes into a file. It finds the word "wrong".
CLANG_TIDY = """#!/bin/sh
[ "$1" = --version ] && { echo "$VERSION"; exit; }
for source; do :; done
basename "$source" >>"$LOOKED_AT"
! grep -H wrong "$source"
"""
NINJA = """#!/bin/sh
echo 'a.o: #deps 2, deps mtime 1 (VALID)'
echo '    ../a.cpp'
echo '    ../a.hpp'
echo
echo 'b.o: #deps 1, deps mtime 1 (STALE)'
echo '    ../b.cpp'
echo
echo 'cd.o: #deps 3, deps mtime 1 (VALID)'
echo '    cd-unity0.cpp'
echo '    ../c.cpp'
echo '    ../d.cpp'
"""


class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.version = "14"
        self.make_tree("tree")
        self.write("bin/clang-tidy", CLANG_TIDY)
        self.write("bin/ninja", NINJA)
        for program in (self.folder / "bin").iterdir():
            program.chmod(0o755)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def make_tree(self, name):
        build = self.folder / name / "build"
        for file in ("a.cpp", "a.hpp", "b.cpp", "c.cpp", "d.cpp", ".clang-tidy"):
            self.write(f"{name}/{file}", "")
        self.write(f"{name}/build/cd-unity0.cpp", f"#include<{build}/../c.cpp>\n#include<{build}/../d.cpp>\n")
        commands = [{"directory": str(build), "file": file, "command": "c++", "output": output}
                    for file, output in (("../a.cpp", "a.o"), ("../b.cpp", "b.o"), ("cd-unity0.cpp", "cd.o"))]
        self.write(f"{name}/build/compile_commands.json", json.dumps(commands))
        self.write(f"{name}/scripts/tidy", "")
        shutil.copy(TIDY, self.folder / name / "scripts/tidy")

    def tidy(self, *arguments, tree="tree"):
        """Returns what it did, and which sources clang-tidy looked at."""
        looked_at = self.folder / "looked-at"
        looked_at.write_text("")
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "TMM_CACHE": str(self.folder / "cache"), "VERSION": self.version,
                       "LOOKED_AT": str(looked_at)}
        command = [self.folder / tree / "scripts/tidy", "build", *(arguments or ["a"])]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder / tree)
        return done, sorted(looked_at.read_text().split())

    def looks_at(self, *arguments, **options):
        done, looked_at = self.tidy(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return looked_at

    def test_a_clean_source_is_looked_at_once(self):
        self.assertEqual(self.looks_at(), ["a.cpp"])
        self.assertEqual(self.looks_at(), [])

    def test_a_clone_elsewhere_is_the_same(self):
        self.looks_at()
        self.make_tree("deeper/clone")
        self.assertEqual(self.looks_at(tree="deeper/clone"), [])

    def test_all_that_clang_tidy_reads_counts(self):
        self.looks_at()
        for file in ("tree/a.cpp", "tree/a.hpp", "tree/.clang-tidy"):
            self.write(file, "// changed")
            self.assertEqual(self.looks_at(), ["a.cpp"], file)
        self.version = "15"
        self.assertEqual(self.looks_at(), ["a.cpp"])
        self.assertEqual(self.looks_at("a", "-misc-*"), ["a.cpp"], "other checks")
        self.assertEqual(self.looks_at("a", "-misc-*"), [])

    def test_a_finding_is_printed_each_time(self):
        self.write("tree/a.cpp", "wrong")
        for _ in range(2):
            done, looked_at = self.tidy("^[ab]")
            self.assertEqual(done.returncode, 1)
            self.assertIn("a.cpp:wrong", done.stdout)
            self.assertEqual(looked_at, ["a.cpp", "b.cpp"])

    def test_a_source_whose_headers_are_not_known_is_looked_at_each_time(self):
        self.assertEqual(self.looks_at("b"), ["b.cpp"])
        self.assertEqual(self.looks_at("b"), ["b.cpp"])

    def test_sources_that_are_compiled_as_one_are_looked_at_as_one(self):
        self.assertEqual(self.looks_at("^d"), ["cd-unity0.cpp"])
        self.assertEqual(self.looks_at("^c"), [])
        self.make_tree("deeper/clone")
        self.assertEqual(self.looks_at("^d", tree="deeper/clone"), [], "paths of the clone do not count")
        self.write("tree/c.cpp", "// changed")
        self.assertEqual(self.looks_at("^d"), ["cd-unity0.cpp"])

    def test_a_cache_that_cannot_be_made_is_named(self):
        self.write("cache", "a file")
        done, _ = self.tidy()
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"cannot write to {self.folder}/cache/tidy: Not a directory; set TMM_CACHE", done.stdout)

    def test_a_pattern_without_sources_is_an_error(self):
        done, _ = self.tidy("nothing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no source", done.stdout)
