# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that this experiment uses of the coffee break, whose machine, owner and contribution it has."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "01-coffee-break"))

from coffee import boots, fakes, latencies, metrics, options, plan, recorder_rows, result_rows, spread, table  # noqa: E402, F401
from coffee.errors import CoffeeError  # noqa: E402, F401
from coffee.guest import EXPERIMENT_BUILD, LAUNCHER, TMMD, Guest, host_release  # noqa: E402, F401
from coffee.vm_and_gnuplot import GnuplotError, KitError, Machine, draw, quoted  # noqa: E402, F401
