# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Test results in TAP, which `./run test` adds up."""

import traceback
from collections.abc import Callable


class Skip(Exception):
    """This machine cannot run the test, for the reason that it says."""


class Tap:
    """Counts and prints results. A test that raises anything but Skip has failed."""

    def __init__(self) -> None:
        self.count_ = 0
        self.failed_ = 0

    def result(self, ok: bool, name: str, *diagnostics: str) -> None:
        self.count_ += 1
        self.failed_ += not ok
        print(f"{'ok' if ok else 'not ok'} {self.count_} - {name}", flush=True)
        for text in diagnostics:
            self.note(text)

    def note(self, text: str) -> None:
        for line in text.splitlines():
            print(f"# {line}", flush=True)

    def test(self, name: str, body: Callable[[], str | None]) -> None:
        """body: returns a note, or raises."""
        try:
            note = body()
        except Skip as reason:
            self.result(True, f"{name} # SKIP {reason}")
        except Exception as error:  # pylint: disable=broad-except
            detail = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            self.result(False, name, detail)
        else:
            self.result(True, name, *([note] if note else []))

    def finish(self) -> int:
        """Prints the plan and returns the exit status."""
        print(f"1..{self.count_}", flush=True)
        return 1 if self.failed_ else 0
