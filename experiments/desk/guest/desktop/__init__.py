# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A person at a desktop, in the guest: drives real applications by their remote controls and times them."""
