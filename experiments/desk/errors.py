# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The experiment's error, in one line for people."""


class DeskError(Exception):
    """The message names what is wrong and what to do."""
