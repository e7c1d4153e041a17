# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import pathlib
import unittest

from ..errors import DeskError
from ..fakes import FolderTest
from . import template
from .template import Rows


@dataclasses.dataclass(frozen=True)
class Result:
    system: str
    faults: float


ROWS = Rows([Result("none", 0.0), Result("plain", 127.8), Result("tmm-stock", 0.25)])


def expand(text: str, **names: object) -> str:
    return template.expand(text, {"rows": ROWS} | names, "t.md").removesuffix("\n")


class Expanding(unittest.TestCase):
    def test_numbers_and_texts(self) -> None:
        self.assertEqual(expand("{{rows.plain.faults}} and {{rows.tmm_stock.faults:.1f}} faults, {{'as is'}}"), "128 and 0.2 faults, as is")
        self.assertEqual(expand("{{rows.tmm_stock.faults:%}} % of {{1234567:,.0f}}, {{0.0123:.1%}} %, {{2:+.1f}}"), "25 % of 1,234,567, 1.2 %, +2.0")

    def test_expressions_are_python(self) -> None:
        self.assertEqual(expand("{{max(row.faults for row in rows) - 27.8}}, {{median([1, 5, 9])}}, {{{'a:b': 4}['a:b']}}"), "100, 5, 4")

    def test_a_claim_that_does_not_hold_is_an_error(self) -> None:
        self.assertEqual(expand("{{no('no fault', rows.none.faults)}}, {{claim('most', rows.plain.faults > 100)}}"), "no fault, most")
        for text in ("{{no('no fault', 0, rows.tmm_stock.faults)}}", "{{claim('no fault', rows.plain.faults == 0)}}"):
            with self.assertRaisesRegex(DeskError, "t.md:1: .*: this does not hold: no fault"):
                expand(text)

    def test_an_expression_that_fails_is_named_with_its_line(self) -> None:
        for expression, message in (("row.tmm", "not defined"), ("rows.tmm", "0 rows of tmm"), ("1 +", "invalid syntax"), ("None", "format")):
            with self.assertRaisesRegex(DeskError, rf"^t.md:3: {expression[:4]}.*: .*{message}"):
                expand(f"# a\n\n{{{{{expression}}}}}\n")

    def test_prose_is_80_columns_wide_and_nothing_else_is_touched(self) -> None:
        code = f"```\n{'code ' * 20}\n- {'code ' * 20}\n```\n\n    {'code ' * 20}"
        kept = f"<!--\n{'a comment ' * 9}\n-->\n# {'heading ' * 12}\n<!-- {'x' * 90} -->\n\n| {'cell | ' * 20}\n\n{code}\n\n![a picture]({'p' * 90}.png)\n"
        self.assertEqual(template.wrapped(kept), kept)
        self.assertEqual(template.wrapped(f"{'word ' * 17}\nend\n- {'word ' * 16}\n- item\n"),
                         f"{'word ' * 15}word\nword end\n- {'word ' * 14}word\n  word\n- item\n")


class RowsTest(unittest.TestCase):
    def test_a_system_that_was_booted_twice_has_no_row_of_its_name(self) -> None:
        with self.assertRaisesRegex(AttributeError, "2 rows of plain"):
            _ = (ROWS + [Result("plain", 1.0)]).plain

    def test_some_of_them(self) -> None:
        self.assertEqual([row.system for row in ROWS.but("none")], ["plain", "tmm-stock"])
        self.assertEqual(ROWS.of("none", "tmm-stock").span("faults", ".2f"), "0.00 to 0.25")
        self.assertEqual((ROWS.least("faults"), ROWS.most("faults")), (0.0, 127.8))


class Documents(FolderTest):
    def test_names_of_a_table_are_known_behind_it(self) -> None:
        def table(folder: pathlib.Path) -> tuple[str, dict[str, object]]:
            return f"| {folder.name} |\n", {folder.name: 5, "last": folder.name}

        path = self.folder / "report.template.md"
        path.write_text('{{table("a")}}\n\n{{a}} {{more}}\n\n{{table("b")}}\n\n{{b}} {{last}}\n', encoding="utf-8")
        self.assertEqual(template.report(self.folder, table, {"more": 1}), "| a |\n\n5 1\n\n| b |\n\n5 b\n")
        path.write_text('{{table("a")}} {{table("b")}} {{a}}\n', encoding="utf-8")
        with self.assertRaisesRegex(DeskError, "name 'a' is not defined"):
            template.report(self.folder, table, {})

    def test_only_passages_are_made_again(self) -> None:
        document, made = self.folder / "a.md", self.folder / "a.template.md"
        document.write_text("{{kept}}\n<!-- figures: x of a.template.md -->\nold\n\n- old\n<!-- end of figures -->\n{{kept}}\n", encoding="utf-8")
        made.write_text("other\n<!-- figures: x -->\nnew {{1 + 1}}\n<!-- end of figures -->\n", encoding="utf-8")
        self.assertEqual(template.passages(document, made, {}), "{{kept}}\n<!-- figures: x of a.template.md -->\nnew 2\n<!-- end of figures -->\n{{kept}}\n")
