# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CACHED = Path(__file__).parent.parent / "cached"


class CachedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "input").write_text("1")

    def cached(self, *arguments):
        environment = os.environ | {"TMM_CACHE": str(self.folder / "cache")}
        return subprocess.run([CACHED, *arguments], capture_output=True, text=True, env=environment, cwd=self.folder)

    def make(self, script):
        return self.cached("-f", "input", "thing", "--", "bash", "-c", script)

    def test_makes_once_and_again_when_an_input_changes(self):
        script = "echo made >>made; cp input $OUT/copy"
        first = self.make(script)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(Path(first.stdout.strip(), "copy").read_text(), "1")
        self.assertEqual(self.make(script).stdout, first.stdout)
        self.assertEqual((self.folder / "made").read_text(), "made\n")
        (self.folder / "input").write_text("2")
        self.assertNotEqual(self.make(script).stdout, first.stdout)

    def test_a_failure_shows_the_end_of_the_log_and_resumes_next_time(self):
        script = "touch $OUT/half; [ -e go ] || { echo the reason; exit 3; }; ls $OUT"
        failed = self.make(script)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("the reason", failed.stderr)
        self.assertEqual(failed.stdout, "")
        (self.folder / "go").touch()
        done = self.make(script)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(Path(done.stdout.strip(), "half").exists())

    def test_a_missing_input_is_named(self):
        failed = self.cached("-f", "no-such-file", "thing", "--", "true")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("no such input: no-such-file", failed.stderr)
