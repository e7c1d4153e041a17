# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tells from the files of a run how it ended."""

import dataclasses
import enum
import pathlib
import re


class Kind(enum.Enum):
    """The ways a run can end. Only EXITED means that the command's own status counts."""

    EXITED = "exited"
    KERNEL_FAILURE = "kernel failure"
    TIMEOUT = "timeout"
    NO_BOOT = "no boot"
    QEMU_FAILED = "QEMU failed"
    SETUP_FAILED = "set-up failed"
    NO_STATUS = "no status"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """status: the command's for EXITED, else None; message: one line for people, empty on success."""

    kind: Kind
    status: int | None
    results_dir: pathlib.Path
    message: str

    @property
    def ok(self) -> bool:
        return self.kind is Kind.EXITED and self.status == 0


# The kernel's own lines have a time stamp (printk.time=1), unlike those of programs.
# Soft lockups and RCU stalls are left out: a busy host causes them in an emulated machine.
KERNEL_FAILURES = re.compile(
    r"\[ *\d+\.\d{6}\](?:\[[ A-Z]*\d+\])? (?P<line>"
    r"Kernel panic"
    r"|BUG: (?!soft lockup|workqueue lockup)"
    r"|kernel BUG at"
    r"|Oops: "
    r"|general protection fault"
    r"|WARNING: "
    r"|INFO: (?:task .* blocked for more than|possible|lockdep|trying to register)"
    r"|UBSAN: |KCSAN: |KFENCE: "
    r").*"
)


def kernel_failure(serial_text: str) -> str | None:
    """The first line in which the guest's kernel reports a failure of its own, or None."""
    match = KERNEL_FAILURES.search(serial_text)
    return match[0].strip() if match else None


def parse_status(text: str | None) -> int | None:
    """The content of exit-status; None if it is missing or cut short."""
    if text is None or not re.fullmatch(r"\d{1,3}\n", text):
        return None
    return int(text)


def judge(results_dir: pathlib.Path, *, qemu_status: int, timed_out: bool, timeout_s: float, hangs: bool, qemu_errors: str, serial_text: str,
          status_text: str | None, setup_error: str | None) -> Outcome:
    """A kernel failure comes first: a status or a timeout after it means nothing. timeout_s: after which it timed out, if it did.
    hangs: it had not booted by then."""

    def outcome(kind: Kind, message: str, status: int | None = None) -> Outcome:
        return Outcome(kind, status, results_dir, message)

    failure = kernel_failure(serial_text)
    status = parse_status(status_text)
    if failure:
        return outcome(Kind.KERNEL_FAILURE, f"the guest's kernel failed: {failure}")
    if timed_out and hangs:
        return outcome(Kind.NO_BOOT, f"the guest did not start its first process within {timeout_s:g} s; the machine was stopped")
    if timed_out:
        return outcome(Kind.TIMEOUT, f"no end within {timeout_s:g} s; the machine was stopped")
    if qemu_status != 0:
        return outcome(Kind.QEMU_FAILED, f"QEMU failed (exit status {qemu_status}): {qemu_errors.strip() or 'it said nothing'}")
    if setup_error:
        return outcome(Kind.SETUP_FAILED, f"the guest could not be set up: {setup_error.strip()}")
    if status is None:
        return outcome(Kind.NO_STATUS, "the guest stopped without the command's exit status")
    return outcome(Kind.EXITED, "" if status == 0 else f"the command exited with status {status}", status)
