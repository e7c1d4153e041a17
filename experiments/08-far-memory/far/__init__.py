# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures of far memory. Import it first: it brings the packages beside the experiment into reach."""

import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2]))
