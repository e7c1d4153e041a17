# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of packaging/installed: which of Debian's packages a guest gets for ours."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import installed  # noqa: E402


class Dependencies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def deb(self, name: str, depends: str) -> pathlib.Path:
        tree = self.folder / name
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN/control").write_text(f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\n"
                                             f"Depends: {depends}\nDescription: a package\n", encoding="utf-8")
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, self.folder / f"{name}.deb"], check=True,
                       stdout=subprocess.DEVNULL)
        return self.folder / f"{name}.deb"

    def test_a_dependency_is_named_without_its_version(self):
        self.assertEqual(installed.dependencies([self.deb("one", "libc6 (>= 2.36), dbus")]), {"libc6", "dbus"})

    def test_alternatives_become_a_pattern(self):
        self.assertEqual(installed.dependencies([self.deb("one", "a1 | a2 (>= 2)")]), {"?or(?name(^a1$),?name(^a2$))"})

    def test_our_own_packages_are_left_out(self):
        self.assertEqual(installed.dependencies([self.deb("one", "two | other"), self.deb("two", "dbus")]), {"dbus"})

    def test_nothing_takes_the_place_of_systemd(self):
        self.assertEqual(installed.dependencies([self.deb("one", "systemd | systemd-standalone-sysusers | systemd-sysusers, dbus")]), {"dbus"})


if __name__ == "__main__":
    unittest.main()
