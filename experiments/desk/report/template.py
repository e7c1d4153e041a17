# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes documents of templates, so that numbers in their prose are those of the committed results.

{{EXPRESSION}} stands for the value of a Python expression in the template's names: a text as it is, a number without decimals.
{{EXPRESSION:FORMAT}} formats the number, for example by .1f; % and .1% leave the sign to the text. Paragraphs and items of lists, of which
a template has one on each line, are filled to 80 columns. A template belongs to this tree, and may do what its programs may."""

import pathlib
import re
import statistics
import textwrap
from collections.abc import Callable

from ..errors import DeskError

PLACEHOLDER = re.compile(r"\{\{(.+?)(?::(%|[+,]*\.\d[f%]))?\}\}")
PASSAGE = re.compile(r"(<!-- figures: (\S+)(?: of \S+)? -->\n)(.*?)(<!-- end of figures -->\n)", re.DOTALL)


def claim(words: str, holds: bool) -> str:
    """The words, if it holds: what prose says without a number."""
    if not holds:
        raise DeskError(f"this does not hold: {words}")
    return words


def no(words: str, *numbers: float) -> str:
    """The words, if all numbers are 0."""
    return claim(words, not any(numbers))


class Rows(list):
    """Results. rows.tmm_stock is the one whose system is tmm-stock."""

    def __getattr__(self, name: str) -> object:
        found = [row for row in self if row.system.replace("-", "_") == name]
        if len(found) != 1:
            raise AttributeError(f"{len(found)} rows of {name}")
        return found[0]

    def __add__(self, other: list) -> "Rows":
        return Rows(super().__add__(other))

    def of(self, *systems: str) -> "Rows":
        return Rows(row for row in self if row.system in systems)

    def but(self, *systems: str) -> "Rows":
        return Rows(row for row in self if row.system not in systems)

    def least(self, column: str) -> float:
        return min(getattr(row, column) for row in self)

    def most(self, column: str) -> float:
        return max(getattr(row, column) for row in self)

    def span(self, column: str, form: str = "") -> str:
        """As 34 to 419."""
        return f"{shown(self.least(column), form)} to {shown(self.most(column), form)}"

    def by_system(self) -> dict[str, object]:
        """Names for a template."""
        return {row.system.replace("-", "_"): row for row in self}


def shown(value: object, form: str | None) -> str:
    if isinstance(value, str):
        return value
    return format(value, ".0%" if form == "%" else form or ".0f").rstrip("%")


def expand(template: str, names: dict[str, object], where: str) -> str:
    """names: of expressions, which may change them, beside claim, no and median. DeskError: an expression failed."""
    names.update(claim=claim, no=no, median=statistics.median)

    def value_of(match: re.Match[str]) -> str:
        try:
            return shown(eval(f"({match[1]})", names), match[2])
        except Exception as error:
            raise DeskError(f"{where}:{template.count(chr(10), 0, match.start()) + 1}: {match[1]}: {error}") from error

    return wrapped(PLACEHOLDER.sub(value_of, template))


def report(results: pathlib.Path, table: Callable[[pathlib.Path], tuple[str, dict[str, object]]], names: dict[str, object]) -> str:
    """Of report.template.md in the folder results. {{table("NAME")}} is the table of the folder NAME in it; expressions behind it may use
    the names that table() returns as well."""
    behind: list[str] = []

    def placed(name: str) -> str:
        for old in behind:
            del names[old]
        text, more = table(results / name)
        behind[:] = more
        names.update(more)
        return text.rstrip("\n")

    names["table"] = placed
    path = results / "report.template.md"
    return expand(path.read_text(encoding="utf-8"), names, str(path))


def passages(document: pathlib.Path, template: pathlib.Path, names: dict[str, object]) -> str:
    """The document, with each passage made of the passage of that name in the template. Comments mark them: `figures: NAME` begins one, in
    a document `figures: NAME of TEMPLATE`, and `end of figures` ends it."""
    templates = {match[2]: match[3] for match in PASSAGE.finditer(template.read_text(encoding="utf-8"))}
    return PASSAGE.sub(lambda match: match[1] + expand(templates[match[2]], names, f"{template}, {match[2]}") + match[4],
                       document.read_text(encoding="utf-8"))


def filled(text: str) -> str:
    return textwrap.fill(text, 80, subsequent_indent="  " if text.startswith("- ") else "", break_long_words=False, break_on_hyphens=False)


def wrapped(text: str) -> str:
    """Fills paragraphs and items of lists to 80 columns. Headings, tables, pictures, comments and code stay as they are."""
    done: list[str] = []
    open_block: list[str] = []

    def close() -> None:
        if open_block:
            done.append(filled(" ".join(open_block)))
            open_block.clear()

    end = ""  # of a comment or a block of code
    for line in text.splitlines():
        begun = "```" if line.startswith("```") else "-->" if line.startswith("<!--") else ""
        if end or begun or not line or line.startswith(("#", "|", "!", "    ")):
            close()
            done.append(line)
        else:
            if line.startswith("- "):
                close()
            open_block.append(line.strip())
        if end:
            end = "" if end in line else end
        elif begun not in line[3:]:
            end = begun
    close()
    return "\n".join(done) + "\n"
