# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that this experiment uses of the packages beside it: experiments/vm, experiments/gnuplot, and the guest's desktop."""

import pathlib
import sys

EXPERIMENT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(EXPERIMENT.parent), str(EXPERIMENT / "guest")]

from desktop import diary  # noqa: E402, F401
from gnuplot import GnuplotError, draw, quoted  # noqa: E402, F401
from vm.errors import KitError  # noqa: E402, F401
from vm.machine import Machine  # noqa: E402, F401
from vm.settings import host_cpus  # noqa: E402, F401
