# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import subprocess
import tempfile
import unittest

from . import dataset, fakes, guest, scene
from .errors import CoffeeError


class PackTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.rig = guest.Guest(self.folder / "build", self.folder / "work")

    def build(self, *programs: str) -> None:
        for program in programs:
            path = self.rig.programs / program
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(program.encode())

    def test_programs_that_are_not_built_are_named(self) -> None:
        self.build(*guest.RIG_PROGRAMS)
        self.rig.check([fakes.run(), fakes.run(system="none")])
        with self.assertRaisesRegex(CoffeeError, "not built: .*tmmd/tmmd, .*maketransparent/maketransparent; build with: meson"):
            self.rig.check([fakes.run(), fakes.run(system="tmm")])

    def test_packs_programs_scripts_and_a_scene_for_each_process(self) -> None:
        self.build(*guest.RIG_PROGRAMS)
        names = sorted(path.name for path in self.rig.pack(fakes.run()).iterdir())
        self.assertEqual(names, ["owner-gnuplot", "owner-workload", "povray-contribution", "recorder", "scenario", "scene-1.pov",
                                 "scene-2.pov", "tmmd.conf"])

    def test_the_data_set_goes_where_it_is_plotted(self) -> None:
        self.build(*guest.RIG_PROGRAMS)
        folder = self.rig.pack(fakes.run(workload="gnuplot", ram_mb=1))
        self.assertEqual((folder / "gnuplot.bin").stat().st_size, 4 * dataset.points_for(0.35))


class SettingsTest(unittest.TestCase):
    def test_a_shell_reads_the_same_commands_back(self) -> None:
        command = "printf '%s\\n' \"it's $HOME\" `x`; $(y)"
        text = guest.settings_text(fakes.run(opaque=command, contributor="c d"))
        script = text + 'printf "%s|%s|%s" "$OWNER_COMMAND" "$CONTRIBUTOR_COMMAND" "$OWNER_SIGNALS_READY"'
        said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, f"{command}|c d|0")


class SceneTest(unittest.TestCase):
    def test_each_process_has_a_scene_of_its_own(self) -> None:
        self.assertNotEqual(scene.scene(10, 1), scene.scene(10, 2))
        self.assertIn("#while (I < 10)", scene.scene(10, 1))

    def test_all_processes_together_have_the_size_asked_for(self) -> None:
        self.assertAlmostEqual(2 * scene.patches_for(800, 2) * scene.BYTES_PER_PATCH / 2**20, 800, delta=0.5)


class DatasetTest(unittest.TestCase):
    def test_is_the_same_each_time_and_kept_when_complete(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "d.bin"
            dataset.make_data(path, 1000)
            first = path.read_bytes()
            self.assertEqual(len(first), 4000)
            path.write_bytes(first[:100])  # As an interruption would leave it.
            dataset.make_data(path, 1000)
            self.assertEqual(path.read_bytes(), first)


if __name__ == "__main__":
    unittest.main()
