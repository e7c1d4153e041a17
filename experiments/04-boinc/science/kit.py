# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that this experiment uses of the coffee break, whose machine and owner it has, and of 03, whose columns it has."""

import pathlib
import sys

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2]
TREE = EXPERIMENTS.parent
sys.path[1:1] = [str(EXPERIMENTS / "01-coffee-break"), str(EXPERIMENTS / "03-resume-after-idle")]

from coffee import boots, fakes, metrics, options, plan, recorder_rows, result_rows, spread, table  # noqa: E402, F401
from coffee.errors import CoffeeError  # noqa: E402, F401
from coffee.guest import Guest  # noqa: E402, F401
from idle import report as idle_report  # noqa: E402, F401
from idle import tables as idle_tables  # noqa: E402, F401
