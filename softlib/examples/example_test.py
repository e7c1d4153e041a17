# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of the examples have in common: the program in $PROGRAM, and a folder."""
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
        """Its output and its messages, if it ends with that exit code."""
        done = subprocess.run([os.environ["PROGRAM"], *map(str, arguments)], input=given, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr


def fields(text):
    """What follows the names in lines of NAME: VALUE; numbers as such."""
    pairs = (line.split(": ", 1) for line in text.splitlines())
    return {name: int(value) if value.isdecimal() else value for name, value in pairs}
