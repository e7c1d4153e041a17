# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of packaging/staged: files that meson installed with any prefix get the places that packages have."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import staged  # noqa: E402


class Places(unittest.TestCase):
    def check(self, path: str, prefix: str, sysconfdir: str, expected: str) -> None:
        self.assertEqual(staged.as_packaged(pathlib.PurePosixPath(path), prefix, sysconfdir), expected)

    def test_the_prefix_is_that_of_packages(self):
        self.check("/usr/local/sbin/tmmd", "/usr/local", "etc", "usr/sbin/tmmd")
        self.check("/usr/sbin/tmmd", "/usr", "/etc", "usr/sbin/tmmd")

    def test_configuration_below_the_prefix_is_not_taken_for_a_part_of_it(self):
        self.check("/usr/local/etc/tmm/tmmd.conf", "/usr/local", "etc", "etc/tmm/tmmd.conf")
        self.check("/etc/tmm/tmmd.conf", "/usr/local", "/etc", "etc/tmm/tmmd.conf")

    def test_what_lies_elsewhere_stays(self):
        self.check("/lib/systemd/system/tmmd.service", "/usr", "/etc", "lib/systemd/system/tmmd.service")


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.installed, self.tree = pathlib.Path(folder.name, "installed"), pathlib.Path(folder.name, "tree")

    def add(self, name: str, text: str, mode: int = 0o644) -> None:
        path = self.installed / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def place(self, unit_dir: str = "lib/systemd/system") -> None:
        staged.place(self.installed, self.tree, "/usr/local", "etc", unit_dir)

    def test_a_unit_goes_where_systemd_has_them_and_starts_the_packaged_program(self):
        self.add("usr/local/lib/systemd/system/tmmd.service", "[Service]\nExecStart=/usr/local/sbin/tmmd\nExecStopPost=-/usr/local/sbin/tmmd --release\n")
        self.add("usr/local/lib/systemd/system/system.slice.d/tmm.conf", "[Slice]\n")
        self.add("usr/local/lib/systemd/user/transparent.slice", "[Slice]\n")
        self.place()
        self.assertEqual((self.tree / "lib/systemd/system/tmmd.service").read_text(encoding="utf-8"),
                         "[Service]\nExecStart=/usr/sbin/tmmd\nExecStopPost=-/usr/sbin/tmmd --release\n")
        self.assertTrue((self.tree / "lib/systemd/system/system.slice.d/tmm.conf").exists())
        self.assertTrue((self.tree / "usr/lib/systemd/user/transparent.slice").exists())

    def test_modes_links_and_empty_folders_stay(self):
        self.add("usr/local/sbin/tmmd", "program", 0o755)
        (self.installed / "usr/local/sbin/link").symlink_to("tmmd")
        (self.installed / "usr/local/etc/tmm/tmmd.conf.d").mkdir(parents=True)
        self.place()
        self.assertEqual((self.tree / "usr/sbin/tmmd").stat().st_mode & 0o777, 0o755)
        self.assertEqual((self.tree / "usr/sbin/link").readlink(), pathlib.Path("tmmd"))
        self.assertTrue((self.tree / "etc/tmm/tmmd.conf.d").is_dir())
        self.assertFalse((self.tree / "usr/local").exists())


if __name__ == "__main__":
    unittest.main()
