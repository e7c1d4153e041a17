# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a command in an emulated machine with a chosen kernel, memory size and disk: see README.md."""
