# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine that experiments share: an owner, a contribution, boots of them, and results. See README.md."""
