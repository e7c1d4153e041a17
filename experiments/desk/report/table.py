# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables, for a terminal or for Markdown."""

from collections.abc import Sequence


def or_dash(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def bounds(low: float | None, high: float | None, form: str = "") -> str:
    """As 0.6 to 4.2 or 67 to 217; one number if both look alike. Without a form numbers below 10 have a decimal."""
    return " to ".join(dict.fromkeys(or_dash(value, form or (".1f" if value and value < 10 else ".0f")) for value in (low, high)))


def plain_table(rows: list[tuple[str, ...]]) -> str:
    """Aligns columns by blanks, words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        padded = [cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def markdown_table(rows: list[tuple[str, ...]]) -> str:
    rule = tuple("---" if i < 2 else "---:" for i in range(len(rows[0])))
    return "".join("| " + " | ".join(row) + " |\n" for row in [rows[0], rule, *rows[1:]])


def words_table(rows: Sequence[Sequence[str]]) -> str:
    """Markdown with all columns aligned to the left."""
    rule = tuple("---" for _ in rows[0])
    return "".join("| " + " | ".join(row) + " |\n" for row in [rows[0], rule, *rows[1:]])
