# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/junit-to-tap: results become lines of TAP, and say why a test failed."""
import subprocess
import tempfile
import unittest
from pathlib import Path

JUNIT_TO_TAP = Path(__file__).resolve().parent.parent / "junit-to-tap"


def tap_of(cases: str) -> list[str]:
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        file.flush()
        return subprocess.run([JUNIT_TO_TAP, file.name], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


class JunitToTap(unittest.TestCase):
    def test_results(self) -> None:
        self.assertEqual(tap_of('<testcase classname="A" name="works"/>'
                                '<testcase classname="A" name="waits"><skipped message="a.cpp:3&#10;no device"/></testcase>'
                                '<testcase classname="A" name="fails"><failure message="1 is not 2"/></testcase>'),
                         ["ok 1 - A.works", "ok 2 - A.waits # SKIP no device", "not ok 3 - A.fails", "# 1 is not 2", "1..3"])

    def test_a_program_that_ended_without_a_result_shows_its_last_lines(self) -> None:
        lines = tap_of('<testcase classname="A" name="crashes"><failure/><system-out>' + "an earlier test\n" * 20 +
                       'the last test\n</system-out><system-err>it takes too long</system-err></testcase>')
        self.assertEqual((lines[0], lines[-3:]), ("not ok 1 - A.crashes", ["# the last test", "# it takes too long", "1..1"]))
        self.assertEqual(lines.count("# an earlier test"), 9)


if __name__ == "__main__":
    unittest.main()
