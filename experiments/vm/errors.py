# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The one exception of the kit."""


class KitError(Exception):
    """The kit could not try a run. The message names the problem and its remedy."""
