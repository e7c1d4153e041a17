# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""`meson install` puts everything into its place, and each file is in one Debian package. Needs the programs compiled in build/ (or
$TMM_BUILD). The build of the packages finds lines of debian/*.install that match nothing."""
import fnmatch
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TMM_BUILD", TOP / "build"))
sys.path.insert(0, str(TOP / "packaging"))

import staged  # noqa: E402


def expand_braces(pattern: str) -> list[str]:
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    return [each for word in found[1].split(",") for each in expand_braces(pattern[: found.start()] + word + pattern[found.end() :])]


def install_patterns() -> dict[str, list[str]]:
    """By package: what its debian/PACKAGE.install names."""
    patterns = {}
    for file in sorted((TOP / "debian").glob("*.install")):
        lines = [line.split()[0] for line in file.read_text().splitlines() if line and not line.startswith("#")]
        patterns[file.stem] = [pattern for line in lines for pattern in expand_braces(line)]
    return patterns


def matches(path: str, pattern: str) -> bool:
    """As dh_install(1): * stays within a folder, and a folder stands for all in it."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(fnmatch.fnmatchcase(part, want) for part, want in zip(parts, wanted))


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        if not (BUILD / "build.ninja").exists():
            raise RuntimeError(f"{BUILD} holds no build: ./run build")
        cls.root = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.root)
        # Whoever installs may have any umask.
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", cls.root], check=True, umask=0o077)
        values = staged.options(BUILD)
        cls.prefix = Path(values["prefix"])
        cls.sysconfdir = cls.prefix / values["sysconfdir"]
        cls.folders = [path for path in cls.root.rglob("*") if path.is_dir() and not path.is_symlink()]
        cls.files = [path for path in cls.root.rglob("*") if path.is_symlink() or not path.is_dir()]

    def installed(self, path: Path) -> Path:
        return self.root / path.relative_to("/")

    def programs(self) -> list[Path]:
        return [path for folder in ("bin", "sbin") for path in self.installed(self.prefix / folder).iterdir()]

    def test_nothing_lies_outside_prefix_and_configuration(self) -> None:
        outside = [
            path for path in self.files
            if not any(path.is_relative_to(self.installed(folder)) for folder in (self.prefix, self.sysconfdir))
        ]
        self.assertEqual(outside, [])
        self.assertTrue(self.files)

    def test_all_goes_below_destdir(self) -> None:
        log = (BUILD / "meson-logs/install-log.txt").read_text().splitlines()
        written = [line for line in log if line and not line.startswith("#")]
        self.assertEqual([line for line in written if not line.startswith(f"{self.root}/")], [])
        self.assertGreaterEqual(len(written), len(self.files))

    def test_modes_are_those_of_a_system(self) -> None:
        for path in self.folders:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o755, path)
        for path in self.files:
            if path.is_symlink():
                self.assertFalse(os.readlink(path).startswith("/"), path)
                self.assertTrue(path.exists(), f"{path} leads nowhere")
                continue
            # Programs that units alone start: the script of lib/tmm-boinc, and the helper of far memory.
            is_program = (path.parent.name in ("bin", "sbin", "tmm-boinc") or path.name == "tmm-far-helper"
                          or re.search(r"\.so(\.|$)", path.name))
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o755 if is_program else 0o644, path)

    def test_every_file_is_in_one_package(self) -> None:
        patterns = install_patterns()
        for path in self.files:
            name = staged.as_packaged("/" / path.relative_to(self.root), str(self.prefix), str(self.sysconfdir))
            packages = [package for package, wanted in patterns.items() if any(matches(name, pattern) for pattern in wanted)]
            self.assertEqual(len(packages), 1, f"{name} is in {packages or 'no package'}: debian/*.install")

    def test_places_that_programs_know(self) -> None:
        for path in ("tmmd.conf", "tmmd.conf.d", "maketransparent.conf", "maketransparent.conf.d"):
            self.assertTrue(self.installed(self.sysconfdir / "tmm" / path).exists(), path)
        # Below the prefix, also where systemd has another.
        for path in ("sbin/tmmd", "lib/systemd/system/tmmd.service", "lib/systemd/system/transparent.slice",
                     "lib/systemd/user/transparent.slice", "share/doc/tmm/owners.md"):
            self.assertTrue(self.installed(self.prefix / path).exists(), path)

    def test_the_unit_starts_the_installed_daemon(self) -> None:
        unit = self.installed(self.prefix / "lib/systemd/system/tmmd.service").read_text()
        self.assertIn(f"\nExecStart={self.prefix}/sbin/tmmd\n", unit)

    def test_each_program_has_a_manual_page(self) -> None:
        pages = {path.name for path in self.installed(self.prefix / "share/man").rglob("*.[18]")}
        for program in self.programs():
            self.assertTrue({f"{program.name}.1", f"{program.name}.8"} & pages, f"{program.name} has no manual page")


class BuildDependencies(unittest.TestCase):
    def test_run_installs_what_the_packages_need(self) -> None:
        field = re.search(r"^Build-Depends:(.*(?:\n .*)*)", (TOP / "debian/control").read_text(), re.MULTILINE)[1]
        alternatives = [[re.split(r"[\s:(<]", name.strip())[0] for name in each.split("|")] for each in field.split(",")]
        lines = (TOP / "scripts/packages").read_text()
        there = set(re.search(r"^packages:(.*)", lines, re.MULTILINE)[1].split())
        # debhelper provides it.
        there.add("debhelper-compat")
        self.assertEqual([names for names in alternatives if not there & set(names)], [])


class Versions(unittest.TestCase):
    def test_programs_and_packages_have_the_same(self) -> None:
        program = re.search(r"^ +version: '(.*)',$", (TOP / "meson.build").read_text(), re.MULTILINE)[1]
        package = re.match(r"tmm \((.*)\)", (TOP / "debian/changelog").read_text())[1]
        self.assertEqual(program, package)


if __name__ == "__main__":
    unittest.main()
