#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""top_program_test.py SOFTLIB_TOP READER: softlib-top --count=1 shows rates of READER, which reads objects until it is stopped. Prints TAP."""

import re
import subprocess
import sys


def hits_per_s(top: str, pid: int) -> float:
    shown = subprocess.run([top, "--count=1", "--delay=1", f"--pid={pid}"], check=True, stdout=subprocess.PIPE, text=True).stdout
    pool = re.search(r"^ +kept +\d+ +\S+ +(\d+)", shown, re.MULTILINE)
    return float(pool[1]) if pool else 0


def main() -> int:
    top, program = sys.argv[1:]
    with subprocess.Popen([program, "100"], stdout=subprocess.DEVNULL) as reader:
        # A busy machine may let it read nothing for a second.
        seen = any(hits_per_s(top, reader.pid) > 0 for _ in range(20))
        reader.kill()
    print("ok" if seen else "not ok", "1 - the only table has rates")
    print("1..1")
    return 0


if __name__ == "__main__":
    sys.exit(main())
