# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

TALLY = programs.SCRIPTS / "tally"
tally_module = programs.load("tally")


def tally_of(text, expected=None):
    tally = tally_module.Tally()
    tally.add_log("log", text, expected)
    return tally


class TallyTest(unittest.TestCase):
    def test_counts_results_and_ignores_the_rest(self):
        tally = tally_of("hello\nok 1 - one\nnot ok 2 - two\n# not ok 3\nok 3 - three # SKIP no such device\nokay\n1..3\n")
        self.assertEqual(tally.passed, 1)
        self.assertEqual(tally.failed, ["log: two"])
        self.assertEqual(tally.skipped, ["log: three: no such device"])

    def test_missing_results_are_a_failure(self):
        self.assertEqual(tally_of("1..5\nok 1 - one\n").failed, ["log: only 1 of 5 tests ran"])

    def test_unexpected_skips_are_failures_when_asked(self):
        text = "ok 1 - needs a GPU # SKIP none here\n"
        self.assertEqual(len(tally_of(text, []).failed), 1)
        self.assertEqual(len(tally_of(text, [re.compile("needs a GPU")]).skipped), 1)

    def test_a_name_with_a_hash_is_no_skip(self):
        self.assertEqual(tally_of("ok 1 - issue #12 stays\n").passed, 1)

    def test_nothing_run_is_not_success(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "empty.log"
            log.write_text("no test here\n")
            done = subprocess.run([TALLY, log], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "0 passed, 0 failed, 0 skipped\n")
