# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The one exception of the kit."""


class KitError(Exception):
    """The kit cannot do what was asked; the text says what is wrong and what to do."""
