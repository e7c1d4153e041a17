# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmmd.conf(5), the shipped tmmd.conf and tmmd --check-config agree on sections, keys, ranges and defaults."""
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

TREE = Path(__file__).resolve().parents[2]
PAGE = TREE / "tmmd/man/tmmd.conf.5"
SHIPPED = TREE / "tmmd/config/tmmd.conf"
TMMD = TREE / "build/tmmd/tmmd"


class Key(NamedTuple):
    section: str
    name: str
    range: str
    default: str


def keys_in(lines: list[str], section: str, key: str) -> list[Key]:
    """section, key: patterns of the lines that begin one. The last sentence of a key ends with '; default: VALUE.'"""
    keys: list[Key] = []
    current_section = ""
    name = ""
    for line in lines:
        if found := re.fullmatch(section, line):
            current_section, name = found[1], ""
        elif found := re.fullmatch(key, line):
            name, line = found[1], found[2]
        if name and (found := re.search(r"(?:^|[ ,])([^,]*?(?:, or \w+)?); default: (\S+)\.$", line)):
            keys.append(Key(current_section, name, found[1].strip(), found[2]))
            name = ""
    return keys


def keys_as_formatted() -> list[Key]:
    text = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=500", PAGE], check=True, capture_output=True, encoding="utf-8").stdout
    plain = re.sub(".\b", "", text)  # bold and underlined letters are printed twice
    return keys_in(plain.splitlines(), r" {1,4}\[(\w+)\]", r" {5,8}(\w+)=(.*)")


def keys_in_source() -> list[Key]:
    text = PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    unwrapped = re.sub(r"\.br\n([^.\n]*)\n(?=[^.\n])", r"\1 ", text)
    return keys_in(unwrapped.splitlines(), r"\.SS \[(\w+)\]", r"\.BR (\w+) =()")


def keys_on_page() -> list[Key]:
    return keys_as_formatted() if shutil.which("mandoc") else keys_in_source()


def without_range(keys: list[Key]) -> list[tuple[str, str, str]]:
    return [(key.section, key.name, key.default) for key in keys]


def keys_shipped() -> list[tuple[str, str, str]]:
    keys = []
    section = ""
    for line in SHIPPED.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"\[(\w+)\]", line):
            section = found[1]
        elif found := re.fullmatch(r"#(\w+)=(.+)", line):
            keys.append((section, found[1], found[2]))
    return keys


def twice(value: str) -> str:
    number, unit = re.fullmatch(r"([0-9.e]+)(\w*)", value).groups()
    return f"{2 * float(number):g}{unit}"


class ConfigPage(unittest.TestCase):
    def test_page_and_shipped_file_have_the_same_sections_keys_and_defaults(self) -> None:
        shipped = keys_shipped()
        self.assertGreater(len(shipped), 10)
        self.assertLessEqual(len(shipped), 15, "a key needs an experiment that justifies its default")
        self.assertEqual(without_range(keys_in_source()), shipped)
        # As a reader sees them: formatting may change the spelling of a section.
        self.assertEqual(without_range(keys_on_page()), shipped)


@unittest.skipUnless(TMMD.exists(), "build/tmmd/tmmd checks the values; ./run build makes it")
class CheckConfig(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "tmmd.conf"

    def check(self, text: str) -> subprocess.CompletedProcess:
        self.file.write_text(text, encoding="utf-8")
        return subprocess.run([TMMD, "--check-config", f"--config={self.file}"], capture_output=True, encoding="utf-8", check=False)

    def assert_taken(self, text: str) -> None:
        checked = self.check(text)
        self.assertEqual(checked.returncode, 0, f"{text}{checked.stderr}")

    def test_all_defaults_of_the_page_are_taken(self) -> None:
        self.assert_taken("".join(f"[{key.section}]\n{key.name}={key.default}\n" for key in keys_on_page()))

    def test_ends_of_each_range_are_taken_and_values_beyond_are_not(self) -> None:
        ranges = 0
        for key in keys_on_page():
            bounds = re.match(r"([0-9.e]+\w*) to ([0-9.e]+\w*)", key.range)
            if not bounds:
                continue
            ranges += 1
            for value in bounds.groups():
                self.assert_taken(f"[{key.section}]\n{key.name}={value}\n")
            refused = self.check(f"[{key.section}]\n{key.name}={twice(bounds[2])}\n")
            self.assertEqual(refused.returncode, 1, key)
            self.assertIn(key.name, refused.stderr)
        self.assertGreater(ranges, 6)

    def test_words_in_place_of_a_number_are_taken(self) -> None:
        for key in keys_on_page():
            if found := re.search(r", or (\w+)$", key.range):
                self.assert_taken(f"[{key.section}]\n{key.name}={found[1]}\n")

    def test_examples_of_the_page_are_taken(self) -> None:
        source = PAGE.read_text(encoding="utf-8").replace("\\-", "-")
        examples = [text for text in re.findall(r"\.EX\n(.*?)\.EE", source, re.DOTALL) if text.startswith("[")]
        self.assertEqual(len(examples), 2)
        for example in examples:
            self.assert_taken(example)


if __name__ == "__main__":
    unittest.main()
