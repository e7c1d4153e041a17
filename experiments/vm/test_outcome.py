# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How runs are judged, from the texts that they leave."""

import pathlib
import unittest

from . import outcome
from .outcome import Kind

BOOT = "[    0.000000] Linux version 6.12\n[    0.652983] Warning: Processor Platform Limit event detected, but not handled.\n"


def judge(**changes) -> outcome.Outcome:
    normal = {"qemu_status": 0, "timed_out": False, "timeout_s": 60.0, "hangs": False, "qemu_errors": "", "serial_text": BOOT,
              "status_text": "0\n", "setup_error": None}
    return outcome.judge(pathlib.Path("/results"), **{**normal, **changes})


class KernelFailures(unittest.TestCase):
    FAILURES = (
        "[    3.931799] Kernel panic - not syncing: sysrq triggered crash",
        "[   12.000001] BUG: kernel NULL pointer dereference, address: 0000000000000008",
        "[   12.000001] BUG: sleeping function called from invalid context at mm/tmm.c:12",
        "[ 1234.500000] kernel BUG at mm/vmscan.c:1234!",
        "[   12.000001] Oops: Oops: 0002 [#1] PREEMPT SMP NOPTI",
        "[   12.000001][   T71] WARNING: CPU: 1 PID: 71 at mm/memcontrol.c:99 foo+0x1/0x2",
        "[   12.000001] WARNING: possible circular locking dependency detected",
        "[   12.000001] INFO: task kswapd0:40 blocked for more than 120 seconds.",
        "[   12.000001] INFO: possible recursive locking detected",
        "[   12.000001] BUG: Bad page state in process sh  pfn:1234",
    )

    def test_each_is_recognised_and_quoted(self) -> None:
        for line in self.FAILURES:
            self.assertEqual(outcome.kernel_failure(f"{BOOT}{line}\r\n[   13.000000] more\n"), line)

    def test_the_first_is_quoted(self) -> None:
        self.assertEqual(outcome.kernel_failure("\n".join(self.FAILURES)), self.FAILURES[0])

    def test_what_is_no_failure(self) -> None:
        for text in ("", BOOT, "a program says BUG: none\n", "WARNING: of a program\n",
                     "[   30.000000] watchdog: BUG: soft lockup - CPU#0 stuck for 22s!\n",
                     "[   30.000000] BUG: soft lockup - CPU#0 stuck for 22s!\n",
                     "[   30.000000] BUG: workqueue lockup - pool cpus=0\n",
                     "[   30.000000] rcu: INFO: rcu_preempt detected stalls\n",
                     "[   30.000000] Out of memory: Killed process 66 (povray)\n"):
            self.assertIsNone(outcome.kernel_failure(text), text)


class Status(unittest.TestCase):
    def test_whole(self) -> None:
        self.assertEqual([outcome.parse_status(text) for text in ("0\n", "7\n", "255\n")], [0, 7, 255])

    def test_missing_truncated_or_not_a_number(self) -> None:
        for text in (None, "", "1", "\n", "x\n", "-1\n", "1\n2\n", "1234\n"):
            self.assertIsNone(outcome.parse_status(text), text)


class Judgement(unittest.TestCase):
    def test_success(self) -> None:
        result = judge()
        self.assertEqual((result.kind, result.status, result.message, result.ok), (Kind.EXITED, 0, "", True))

    def test_failure_of_the_command(self) -> None:
        result = judge(status_text="3\n")
        self.assertEqual((result.kind, result.status, result.ok), (Kind.EXITED, 3, False))
        self.assertIn("3", result.message)

    def test_a_kernel_failure_outweighs_status_and_timeout(self) -> None:
        for changes in ({}, {"timed_out": True}, {"status_text": None}):
            result = judge(serial_text=BOOT + KernelFailures.FAILURES[5], **changes)
            self.assertIs(result.kind, Kind.KERNEL_FAILURE)
            self.assertIn("memcontrol.c:99", result.message)
            self.assertIsNone(result.status)

    def test_timeout(self) -> None:
        result = judge(timed_out=True, qemu_status=-15, status_text=None)
        self.assertIs(result.kind, Kind.TIMEOUT)
        self.assertIn("60 s", result.message)

    def test_a_machine_that_hangs_at_boot_is_no_timeout_of_the_command(self) -> None:
        result = judge(timed_out=True, hangs=True, qemu_status=-15, status_text=None)
        self.assertIs(result.kind, Kind.NO_BOOT)
        self.assertIn("first process within 60 s", result.message)
        self.assertIs(judge(hangs=True, qemu_status=1, status_text=None).kind, Kind.QEMU_FAILED)

    def test_qemu_failed(self) -> None:
        result = judge(qemu_status=1, qemu_errors="qemu: no such file\n", serial_text="", status_text=None)
        self.assertIs(result.kind, Kind.QEMU_FAILED)
        self.assertIn("no such file", result.message)

    def test_set_up_failed(self) -> None:
        result = judge(status_text=None, setup_error="the kernel has no zram\n")
        self.assertIs(result.kind, Kind.SETUP_FAILED)
        self.assertIn("no zram", result.message)

    def test_no_status(self) -> None:
        self.assertIs(judge(status_text=None).kind, Kind.NO_STATUS)
