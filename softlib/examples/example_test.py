# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The base of the tests of the examples: runs the program in $PROGRAM in a folder."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path


class ExampleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments, given="", code=0):
        """Returns the program's output and messages; it must end with that exit code."""
        done = subprocess.run([os.environ["PROGRAM"], *map(str, arguments)], input=given, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr


def fields(text):
    """Parses lines of NAME: VALUE; converts numbers."""
    pairs = (line.split(": ", 1) for line in text.splitlines())
    return {name: int(value) if value.isdecimal() else value for name, value in pairs}
