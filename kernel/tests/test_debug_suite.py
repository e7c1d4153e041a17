#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""Unit tests of debug-suite's verdict on a machine's run."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

# Python would write a cache beside the script.
sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("debug_suite", str(HERE / "debug-suite"))
SPEC = importlib.util.spec_from_loader("debug_suite", LOADER)
assert SPEC
debug_suite = importlib.util.module_from_spec(SPEC)
# Dataclasses look up their module.
sys.modules["debug_suite"] = debug_suite
LOADER.exec_module(debug_suite)

from vm.outcome import judge  # noqa: E402
from vm.tap import Tap  # noqa: E402

KCSAN = debug_suite.Boot("kcsan, mglru", "tmm-kcsan", "mglru")
GOOD = "TAP version 13\nok 1 class: a\n# note\nok 2 # SKIP ksm: b no CONFIG_KSM\n1..2\n"
FOREIGN = "[   12.345679] BUG: KCSAN: data-race in fill_rb / dump_rb\n"
OURS = "[   12.345679] BUG: KCSAN: data-race in folio_add_lru / tmm_scan_folio.isra.0\n"
OOPS = "[   13.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n"


class Judgement(unittest.TestCase):
    def judge(self, serial: str, output: str = GOOD, status: str | None = "0\n") -> list[str]:
        """The results that debug-suite prints for a run with these files."""
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()) as printed:
            folder = pathlib.Path(name)
            (folder / "serial.log").write_text(serial)
            (folder / "stdout").write_text(output)
            if status:
                (folder / "exit-status").write_text(status)
            outcome = judge(folder, qemu_status=0, timed_out=False, timeout_s=1, hangs=False, qemu_errors="", serial_text=serial, status_text=status,
                            setup_error=None)
            debug_suite.report(Tap(), KCSAN, outcome, {"tmm_scan_folio"})
        return printed.getvalue().splitlines()

    def failures(self, *arguments: str | None) -> list[str]:
        return [line for line in self.judge(*arguments) if line.startswith("not ok")]

    def test_a_good_run(self) -> None:
        self.assertEqual(self.judge(""), [
            "ok 1 - class: a (kcsan, mglru)", "# note", "ok 2 - ksm: b no CONFIG_KSM (kcsan, mglru) # SKIP",
            "ok 3 - no data race in functions of the series (kcsan, mglru)",
            "ok 4 - all tests ran, the kernel did not complain (kcsan, mglru)"])

    def test_a_race_of_the_rest_of_the_kernel_is_a_note(self) -> None:
        self.assertEqual(self.failures(FOREIGN), [])
        self.assertIn("# data race of the rest of the kernel: fill_rb / dump_rb", self.judge(FOREIGN))

    def test_a_race_of_the_series_fails(self) -> None:
        self.assertEqual(self.failures(FOREIGN + OURS), ["not ok 3 - no data race in functions of the series (kcsan, mglru)"])

    def test_another_complaint_fails_beside_races(self) -> None:
        self.assertEqual(self.failures(FOREIGN + OOPS), ["not ok 4 - all tests ran, the kernel did not complain (kcsan, mglru)"])

    def test_a_failed_test_is_told_once(self) -> None:
        self.assertEqual(self.failures("", GOOD.replace("ok 1", "not ok 1"), "1\n"), ["not ok 1 - class: a (kcsan, mglru)"])

    def test_a_run_that_was_cut_short_fails(self) -> None:
        last = ["not ok 3 - all tests ran, the kernel did not complain (kcsan, mglru)"]
        self.assertEqual(self.failures("", "ok 1 class: a\n"), last)
        self.assertEqual(self.failures(FOREIGN, "ok 1 class: a\n", None), last)


if __name__ == "__main__":
    unittest.main()
