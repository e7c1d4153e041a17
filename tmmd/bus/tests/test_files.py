# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""dbus/: the files for other programs are well-formed, and both generators accept them."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from bus_fixture import BUILD, TREE, BusFixture

DBUS = TREE / "dbus"
INTERFACES = sorted(DBUS.glob("*.xml"))
QT_GENERATOR = "/usr/lib/qt6/bin/qdbusxml2cpp"


def output_of(*command) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


class Files(unittest.TestCase):
    def test_all_are_well_formed(self) -> None:
        files = [*INTERFACES, *DBUS.glob("*.conf"), DBUS / "org.transparentmemory.tmm1.policy"]
        self.assertEqual(len(files), 6)
        subprocess.run(["xmllint", "--noout", *files], check=True)

    def test_every_member_is_commented(self) -> None:
        for file in INTERFACES:
            lines = file.read_text().splitlines()
            members = [number for number, line in enumerate(lines) if re.match(r"    <(method|signal|property)", line)]
            # A few that go together share a comment.
            bare = [lines[number] for number in members if not lines[number - 1].endswith(("-->", "/>", "</signal>"))]
            self.assertEqual(bare, [], file.name)
            self.assertGreater(len(members), 6)

    def test_qt_makes_a_proxy_and_an_adaptor(self) -> None:
        if not shutil.which(QT_GENERATOR):
            self.skipTest("no qdbusxml2cpp of Qt 6")
        with TemporaryDirectory() as folder:
            for file in INTERFACES:
                for kind in "-p", "-a":
                    output_of(QT_GENERATOR, kind, Path(folder) / "glue", file)
                    self.assertGreater((Path(folder) / "glue.h").stat().st_size, 1000)


class Unit(unittest.TestCase):
    def test_a_hundred_users_can_have_all_files_that_the_bounds_allow(self) -> None:
        unit = (TREE / "tmmd/app/tmmd.service.in").read_text()
        (limit,) = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
        bounds = dict(re.findall(r"size_t (max_opaque_\w+) = (\d+);", (TREE / "tmmd/os/reading/counters/pressure.hpp").read_text()))
        # OpaquePressure and StallAlarm keep a file for each cgroup, and as many are left for all else.
        files = 2 * (int(bounds["max_opaque_of_root"]) + 100 * int(bounds["max_opaque_per_user"]))
        self.assertGreaterEqual(int(limit), 2 * files)


class DropIns(unittest.TestCase):
    """--check-config finds a mistake in a drop-in, wherever that is."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(TemporaryDirectory()))

    def check(self) -> None:
        (self.folder / "tmmd.conf").write_text("[Pressure]\nMaxStall = 0.2\n")
        done = subprocess.run([BUILD / "tmmd/tmmd", "--check-config", "-c", self.folder / "tmmd.conf"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("NoSuchKey", done.stderr)

    def add(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("[Owner]\nNoSuchKey = 1\n")

    def test_behind_a_link(self) -> None:
        self.add(self.folder / "srv/site.conf")
        (self.folder / "tmmd.conf.d").mkdir()
        (self.folder / "tmmd.conf.d/10-site.conf").symlink_to("../srv/site.conf")
        self.check()

    def test_on_a_file_system_without_types_of_files(self) -> None:
        image = Path(self.enterContext(TemporaryDirectory())) / "image"
        with image.open("wb") as file:
            file.truncate(8 << 20)
        subprocess.run(["mkfs.ext2", "-q", "-F", "-O", "^filetype", image], check=True)
        if subprocess.run(["mount", "-o", "loop", image, self.folder], capture_output=True, check=False).returncode != 0:
            self.skipTest("no loop device")
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)
        self.add(self.folder / "tmmd.conf.d/10.conf")
        self.check()


class AppArmor(unittest.TestCase):
    def test_the_profile_is_not_wider_than_the_unit(self) -> None:
        profile = (TREE / "packaging/apparmor/usr.sbin.tmmd").read_text()
        unit = (TREE / "tmmd/app/tmmd.service.in").read_text()
        (allowed,) = re.findall("^CapabilityBoundingSet=(.*)$", unit, re.MULTILINE)
        self.assertEqual({f"CAP_{name.upper()}" for name in re.findall(r"^  capability (\w+),$", profile, re.MULTILINE)},
                         set(allowed.split()))
        self.assertIn(f"name={re.findall('^BusName=(.*)$', unit, re.MULTILINE)[0]},", profile)
        self.assertNotRegex(profile, r"(?m)^\s*network\b", "tmmd has no network")

    def test_the_parser_accepts_it(self) -> None:
        output_of("apparmor_parser", "--skip-kernel-load", "--skip-cache", TREE / "packaging/apparmor/usr.sbin.tmmd")


class Polkit(unittest.TestCase):
    def test_polkit_knows_every_action_that_the_daemon_asks_for(self) -> None:
        asked = set(re.findall(r'"(org\.transparentmemory\.tmm1\.[a-z-]+)"', (TREE / "tmmd/bus/access/polkit_client.hpp").read_text()))
        named = set(re.findall(r"org\.transparentmemory\.tmm1\.[a-z-]+", "".join(file.read_text() for file in INTERFACES)))
        fixture = BusFixture()
        try:
            # polkitd ignores a bad file without a message.
            self.assertEqual(set(output_of("pkaction").split()), asked)
        finally:
            fixture.close()
        self.assertEqual(named - {"org.transparentmemory.tmm1.policy"}, asked, "the interfaces name other actions")
