# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
import contextlib
import io
import sys
import tarfile
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

FOLDER = Path(__file__).parent


def load_check_hooks():
    loader = SourceFileLoader("check_hooks", str(FOLDER / "check-hooks"))
    module = module_from_spec(spec_from_loader("check_hooks", loader))
    sys.modules["check_hooks"] = module
    # The script has no suffix: its compiled form would lie beside it.
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


check_hooks = load_check_hooks()

SWAP = """\
#include <linux/mm.h>

/* Says that it was used. */
void mark_used(struct folio *folio)
{
	if (lru_gen_enabled()) {
		inc_refs(folio);
		return;
	}
	clear_the_idle(folio);
}
EXPORT_SYMBOL(mark_used);
"""
HEADER = """\
#define FLAG_BITS 2
enum data_flags {
	DATA_KMEM = (1UL << 1),	/* not a slab's */
	NR_DATA_FLAGS = (1UL << 2),
};
void mark_used(struct folio *folio);
"""
TABLE = """\
# A comment that stays.
base: 6.12.1
folders: mm include/linux

[used]
patch: 1 4
definition: mm/swap.c:mark_used
fingerprint: -
relies: every use
  comes here

[flags]
patch: 4
definition: include/linux/data.h:enum data_flags
fingerprint: -
relies: bit 2 is free

[idle-sites]
patch: 2
sites of:
  clear_the_idle\\s*\\(
  \\bset_the_idle\\s*\\(
sites:
relies: who else clears it
"""


class CheckHooksTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.tree = self.root / "linux"
        self.table = self.root / "hooks"
        self.put("Makefile", "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 7\n")
        self.put("mm/swap.c", SWAP)
        self.put("include/linux/data.h", HEADER)
        self.table.write_text(TABLE)
        self.run_it("--update")

    def put(self, file: str, text: str) -> None:
        path = self.tree / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_it(self, *options: str, source: Path | None = None) -> tuple[int, list[str], str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = check_hooks.main([str(source or self.tree), "--table", str(self.table), *options])
        return code, out.getvalue().splitlines(), err.getvalue()

    def assert_differences(self, *expected: str) -> None:
        code, lines, _ = self.run_it()
        self.assertEqual([line.partition(". It relies on this: ")[0] for line in lines], list(expected))
        self.assertEqual(code, 1 if expected else 0)

    def test_nothing_differs_after_an_update(self) -> None:
        self.assert_differences()

    def test_update_writes_base_fingerprints_and_sites_and_leaves_the_rest(self) -> None:
        text = self.table.read_text()
        self.assertIn("base: 6.12.7\n", text)
        self.assertRegex(text, r"fingerprint: [0-9a-f]{12}\n")
        self.assertIn("sites:\n  mm/swap.c:mark_used\n", text)
        self.assertIn("# A comment that stays.", text)
        self.assertIn("relies: every use\n  comes here\n", text)
        self.run_it("--update")
        self.assertEqual(self.table.read_text(), text)

    def test_two_sources_side_by_side(self) -> None:
        changed = SWAP.replace("inc_refs(folio);", "inc_refs(folio, 1);")
        self.put("mm/swap.c", changed)
        self.put("Makefile", "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 8\n")
        self.run_it("--update", "--beside")
        self.assertIn("base: 6.12.7 6.12.8\n", self.table.read_text())
        self.assert_differences()
        self.put("mm/swap.c", SWAP)
        self.assert_differences()
        self.put("mm/swap.c", SWAP.replace("inc_refs(folio);", "inc_refs(folio, 2);"))
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used changed")
        self.put("mm/swap.c", changed)
        self.run_it("--update")
        self.put("mm/swap.c", SWAP)
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used changed")

    def test_a_changed_function(self) -> None:
        self.put("mm/swap.c", SWAP.replace("inc_refs(folio);", "inc_refs(folio, 1);"))
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used changed")

    def test_a_changed_signature(self) -> None:
        self.put("mm/swap.c", SWAP.replace("mark_used(struct folio *folio)", "mark_used(struct folio *folio, int nr)"))
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used changed")

    def test_the_line_says_what_the_hook_relies_on(self) -> None:
        self.put("mm/swap.c", SWAP.replace("return;", "goto out;"))
        _, lines, summary = self.run_it()
        self.assertEqual(lines, ["used [patch 1 4]: mm/swap.c:mark_used changed. It relies on this: every use comes here"])
        self.assertIn("the table is that of Linux 6.12.7, this is 6.12.7", summary)

    def test_comments_and_spaces_do_not_count(self) -> None:
        self.put("mm/swap.c", SWAP.replace("Says that", "Tells whether").replace("void mark_used(", "void\nmark_used( /* { */ ").replace("\t", "    "))
        self.put("include/linux/data.h", HEADER.replace("/* not a slab's */", "// \"a slab's"))
        self.assert_differences()

    def test_a_string_counts(self) -> None:
        self.put("mm/swap.c", SWAP.replace("inc_refs(folio)", 'warn("/* a", folio)'))
        self.run_it("--update")
        self.put("mm/swap.c", SWAP.replace("inc_refs(folio)", 'warn("/* b", folio)'))
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used changed")

    def test_a_change_beside_the_function_does_not_count(self) -> None:
        self.put("mm/swap.c", SWAP + "\nvoid other(void)\n{\n}\n")
        self.assert_differences()

    def test_a_new_flag(self) -> None:
        self.put("include/linux/data.h", HEADER.replace("NR_DATA_FLAGS = (1UL << 2)", "DATA_NEW = (1UL << 2),\n\tNR_DATA_FLAGS = (1UL << 3)"))
        self.assert_differences("flags [patch 4]: include/linux/data.h:enum data_flags changed")

    def test_a_vanished_function(self) -> None:
        self.put("mm/swap.c", "#include <linux/mm.h>\n")
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used is gone", "idle-sites [patch 2]: site gone: mm/swap.c:mark_used")

    def test_a_vanished_file(self) -> None:
        (self.tree / "include/linux/data.h").unlink()
        self.assert_differences("flags [patch 4]: include/linux/data.h:enum data_flags is gone, with its file")

    def test_a_renamed_file(self) -> None:
        (self.tree / "mm/swap.c").rename(self.tree / "mm/folio.c")
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used is now in mm/folio.c",
                                "idle-sites [patch 2]: new site mm/folio.c:mark_used",
                                "idle-sites [patch 2]: site gone: mm/swap.c:mark_used")

    def test_a_function_that_moved_and_changed(self) -> None:
        self.put("mm/swap.c", "#include <linux/mm.h>\n")
        self.put("mm/folio.c", SWAP.replace("clear_the_idle", "clear_idle"))
        self.assert_differences("used [patch 1 4]: mm/swap.c:mark_used is now in mm/folio.c, and changed",
                                "idle-sites [patch 2]: site gone: mm/swap.c:mark_used")

    def test_a_new_site(self) -> None:
        self.put("mm/scan.c", "static int scan(struct folio *folio)\n{\n\tset_the_idle (folio);\n}\n")
        self.assert_differences("idle-sites [patch 2]: new site mm/scan.c:scan")

    def test_a_second_site_in_a_known_function(self) -> None:
        self.put("mm/swap.c", SWAP + "static void two(void)\n{\n\tclear_the_idle(a);\n}\n")
        self.run_it("--update")
        self.put("mm/swap.c", SWAP + "static void two(void)\n{\n\tclear_the_idle(a);\n\tclear_the_idle(b);\n}\n")
        self.assert_differences("idle-sites [patch 2]: 2 instead of 1 sites in mm/swap.c:two")

    def test_declarations_definitions_and_comments_are_no_sites(self) -> None:
        self.put("include/linux/idle.h", "void set_the_idle(struct folio *folio);\n"
                                         "static inline void clear_the_idle(struct folio *folio)\n{\n\t/* set_the_idle() */\n}\n")
        self.assert_differences()

    def test_folders_that_are_not_listed_do_not_count(self) -> None:
        self.put("drivers/scan.c", "static int scan(struct folio *folio)\n{\n\tset_the_idle(folio);\n}\n")
        self.assert_differences()

    def test_a_tarball(self) -> None:
        self.put("mm/scan.c", "static int scan(struct folio *folio)\n{\n\tset_the_idle(folio);\n}\n")
        tarball = self.root / "linux.tar.xz"
        with tarfile.open(tarball, "w:xz") as archive:
            archive.add(self.tree, "linux-source-6.12")
        code, lines, _ = self.run_it(source=tarball)
        self.assertEqual((code, len(lines)), (1, 1))
        self.assertIn("new site mm/scan.c:scan", lines[0])

    def test_what_cannot_be_read(self) -> None:
        (self.root / "broken.tar").write_text("no archive")
        (self.root / "empty").mkdir()
        for source, said in (("broken.tar", "cannot read"), ("missing", "cannot read"), ("empty", "is no kernel source")):
            with self.subTest(source):
                code, lines, message = self.run_it(source=self.root / source)
                self.assertEqual((code, lines), (2, []))
                self.assertIn(said, message)

    def test_a_patched_tree_is_refused(self) -> None:
        self.put("include/linux/tmm.h", "")
        code, _, message = self.run_it()
        self.assertEqual(code, 2)
        self.assertIn("has the series applied already", message)

    def test_a_table_with_a_mistake(self) -> None:
        for old, new, said in (("[flags]", "[used]", "a second [used]"),
                               ("relies: bit 2 is free", "because: bit 2 is free", "not understood"),
                               ("fingerprint:", "# fingerprint:", "wanted: definition, fingerprint"),
                               ("base:", "# base:", "base and folders are wanted"),
                               ("\\bset_the_idle", "\\w+idle", "does not begin with a word"),
                               ("\\bset_the_idle", "make_idle|\\bset_the_idle", "has alternatives")):
            with self.subTest(new):
                self.table.write_text(TABLE.replace(old, new))
                code, _, message = self.run_it()
                self.assertEqual(code, 2)
                self.assertIn(said, message)

    def test_update_refuses_what_is_gone(self) -> None:
        self.put("mm/swap.c", "#include <linux/mm.h>\n")
        before = self.table.read_text()
        code, _, message = self.run_it("--update")
        self.assertEqual(code, 2)
        self.assertIn("mm/swap.c:mark_used is gone: mend the table by hand", message)
        self.assertEqual(self.table.read_text(), before)

    def put_patch(self, name: str, text: str) -> None:
        series = self.root / "series"
        series.mkdir(exist_ok=True)
        (series / name).write_text(text)

    PATCH = """\
Subject: one

diff --git a/mm/swap.c b/mm/swap.c
--- a/mm/swap.c
+++ b/mm/swap.c
@@ -9,4 +9,5 @@
 \t}
 \tclear_the_idle(folio);
+\tmore(folio);
 }
 EXPORT_SYMBOL(mark_used);
"""

    def test_the_series_edits_what_the_table_lists(self) -> None:
        self.put_patch("0000-cover-letter.patch", "Subject: all of it\n")
        self.put_patch("0001-one.patch", self.PATCH)
        self.assertEqual(self.run_it("--series", str(self.root / "series"))[:2], (0, []))

    def test_the_series_edits_what_the_table_does_not_list(self) -> None:
        self.put_patch("0001-one.patch", self.PATCH)
        self.table.write_text(self.table.read_text().replace("patch: 1 4", "patch: 4"))
        code, lines, _ = self.run_it("--series", str(self.root / "series"))
        self.assertEqual((code, lines), (1, ["mm/swap.c:mark_used: edited by patch 1, listed under 4"]))
        self.table.write_text(TABLE.replace("mm/swap.c:mark_used", "mm/swap.c:mark_other").replace("fingerprint: -", "fingerprint: 0", 1))
        _, lines, _ = self.run_it("--series", str(self.root / "series"))
        self.assertIn("patch 1 edits mm/swap.c:mark_used, which has no hook", lines)

    def test_a_series_that_does_not_apply(self) -> None:
        self.put_patch("0001-one.patch", self.PATCH.replace("clear_the_idle", "clear_idle"))
        code, _, message = self.run_it("--series", str(self.root / "series"))
        self.assertEqual(code, 2)
        self.assertIn("0001-one.patch does not apply", message)


class DefinitionsTest(unittest.TestCase):
    def names(self, text: str) -> list[str]:
        return [definition.name for definition in check_hooks.definitions(text)]

    def test_kinds(self) -> None:
        self.assertEqual(self.names("struct a {\n\tint b;\n};\n"), ["struct a"])
        self.assertEqual(self.names("static const char * const text[] = {\n\t\"a\", \"}\",\n};\n"), ["text"])
        self.assertEqual(self.names("#define SHIFT\t(A + \\\n\t\t B)\nint x;\n"), ["SHIFT"])
        self.assertEqual(self.names("static inline void stub(void) { }\nint f(void)\n{\n}\n"), ["stub", "f"])
        self.assertEqual(self.names("static unsigned long\nf(int a,\n  int b)\n\t__acquires(&lock)\n{\n}\n"), ["f"])
        self.assertEqual(self.names("struct folio *get(struct a *a)\n{\n\treturn a->f;\n}\n"), ["get"])
        self.assertEqual(self.names("int f(int a);\nextern int x;\n"), [])

    def test_a_directive_that_unbalances_braces(self) -> None:
        text = "int f(void)\n{\n#ifdef A\n\tif (a) {\n#else\n\tif (b) {\n#endif\n\t}\n}\n\nint g(void)\n{\n}\n"
        self.assertEqual(self.names(text), ["f", "g"])

    def test_two_of_a_name(self) -> None:
        text = "#ifdef A\nint f(void)\n{\n\treturn 1;\n}\n#else\nint f(void)\n{\n\treturn 0;\n}\n#endif\n"
        found = check_hooks.definitions(text)
        self.assertEqual([definition.name for definition in found], ["f", "f"])
        self.assertNotEqual(check_hooks.fingerprint(found), check_hooks.fingerprint(found[:1]))


if __name__ == "__main__":
    unittest.main()
