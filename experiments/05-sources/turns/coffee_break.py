# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that this experiment uses of the coffee break, whose machine and owner it has."""

import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "01-coffee-break"))

from coffee import boots, guest, latencies, metrics, options, oracle, plan, result_rows, table, timeline  # noqa: E402, F401
from coffee.errors import CoffeeError  # noqa: E402, F401
