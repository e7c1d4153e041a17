# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

lint_prose = programs.load("lint-prose")

WIDE = "word " * 16 + "end"


def wide(text: str) -> list[int]:
    return [number for number, _ in lint_prose.wide_in_markdown(text)]


class Markdown(unittest.TestCase):
    def test_paragraphs_and_lists(self):
        self.assertEqual(wide(f"# Title\n\nA word.\n{WIDE}\n\n- {WIDE}\n"), [4, 6])
        self.assertEqual(wide("x" * 40 + " " + "y" * 39), [])
        self.assertEqual(wide("x" * 40 + " " + "y" * 40), [1])

    def test_lines_that_cannot_be_wrapped(self):
        link = f"[{WIDE}](https://example.org)"
        for line in (f"# {WIDE}", f"| {WIDE} |", f"![{WIDE}](picture.png)", link, f"- {link}.", "https://example.org/" + "x" * 80):
            self.assertEqual(wide(line), [], line)
        self.assertEqual(wide(f"See {link}"), [1])

    def test_code(self):
        self.assertEqual(wide(f"```\n{WIDE}\n```\n{WIDE}\n"), [4])
        self.assertEqual(wide(f"So:\n\n    {WIDE}\n    {WIDE}\n\nThen:\n    {WIDE}\n"), [7])

    def test_a_paragraph_of_a_list_is_no_code(self):
        self.assertEqual(wide(f"1. One.\n\n    {WIDE}\n\nText.\n\n    {WIDE}\n"), [3])


class Page(unittest.TestCase):
    def test_only_text_lines_count(self):
        text = f".TH X 1\n.\\\" {WIDE}\n.BR {WIDE}\n{WIDE}\nshort\n"
        self.assertEqual([number for number, _ in lint_prose.wide_in_page(text)], [4])


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        (self.top / "scripts").mkdir()
        (self.top / "README.md").write_text(f"{WIDE}\n")
        (self.top / "tool.1").write_text(f"{WIDE}\n")
        (self.top / "report.template.md").write_text(f"{WIDE}\n")
        subprocess.run(["git", "init", "-q", self.top], check=True)
        subprocess.run(["git", "-C", self.top, "add", "."], check=True)

    def lint(self, *exempt):
        (self.top / "scripts/prose-exempt").write_text("# Later.\n" + "".join(f"{name}\n" for name in exempt))
        done = subprocess.run([programs.SCRIPTS / "lint-prose", self.top], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 1 if done.stdout else 0)
        return done.stdout.splitlines()

    def test_names_each_wide_line(self):
        self.assertEqual([line.partition(" ")[0] for line in self.lint()], ["README.md:1:", "tool.1:1:"])

    def test_exempt_files_pass(self):
        self.assertEqual(self.lint("README.md", "tool.1"), [])

    def test_an_exemption_without_need_is_a_fault(self):
        (self.top / "README.md").write_text("short\n")
        self.assertEqual(self.lint("README.md", "tool.1", "gone.md"),
                         ["scripts/prose-exempt: README.md needs no exemption", "scripts/prose-exempt: gone.md needs no exemption"])


if __name__ == "__main__":
    unittest.main()
