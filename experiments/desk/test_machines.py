# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import re
import subprocess
import tempfile
import unittest

from . import dataset, fakes, machines, scene
from .errors import DeskError
from .fakes import FolderTest


class PackTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "work").mkdir()
        self.machines = machines.Machines(self.folder / "build", self.folder / "work")

    def build(self, *programs: str) -> None:
        for program in programs:
            path = self.machines.programs / program
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(program.encode())

    def test_programs_that_are_not_built_are_named(self) -> None:
        self.build(*machines.GUEST_PROGRAMS, machines.CURVE_PROGRAM)
        self.machines.check([fakes.run(), fakes.run(system="none")])
        with self.assertRaisesRegex(DeskError, "not built: .*maketransparent/maketransparent, .*tmmd/tmmd; build with: ./run build"):
            self.machines.check([fakes.run(), fakes.run(system="tmm")])
        with self.assertRaisesRegex(DeskError, "not built: .*/limit-holder"):
            self.machines.check([fakes.run(system="static-25")])

    def tmmd(self, script: str) -> None:
        path = self.machines.programs / machines.TMMD
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def test_a_tmmd_that_does_not_know_the_objective_is_named(self) -> None:
        self.build(*machines.GUEST_PROGRAMS, machines.CURVE_PROGRAM, machines.LAUNCHER, machines.TMMD)
        self.tmmd("grep -q paper $3 && { echo 'tmm-paper.conf:2: unknown key Objective' >&2; exit 1; } || exit 0")
        self.machines.check([fakes.run(system="tmm"), fakes.run(system="tmm-stock")])
        with self.assertRaisesRegex(DeskError, "configuration of the system tmm-paper is refused: .*: tmm-paper.conf:2: unknown key"):
            self.machines.check([fakes.run(system="tmm-paper")])

    def test_packs_programs_scripts_and_a_scene_for_each_process(self) -> None:
        self.build(*machines.GUEST_PROGRAMS)
        names = sorted(path.name for path in self.machines.pack(fakes.run()).iterdir())
        self.assertEqual(names, ["in-session", "lib.bash", "owner-break", "owner-gnuplot", "owner-hands", "owner-workload", "povray-contribution",
                                 "read-once", "recorder", "scenario", "scene-1.pov", "scene-2.pov"])

    def test_packs_what_another_experiment_adds(self) -> None:
        self.build(*machines.GUEST_PROGRAMS)
        (self.folder / "data/slots").mkdir(parents=True)
        (self.folder / "setup").write_text("exit 0\n", encoding="ascii")
        more = machines.Machines(self.machines.programs, self.machines.work, more=(self.folder / "data", self.folder / "setup"))
        packed = more.pack(fakes.run())
        self.assertTrue((packed / "data/slots").is_dir())
        self.assertEqual((packed / "setup").read_text(encoding="ascii"), "exit 0\n")

    def test_a_name_that_the_guest_has_already_is_refused(self) -> None:
        self.build(*machines.GUEST_PROGRAMS)
        (self.folder / "scene-1.pov").write_text("", encoding="ascii")
        more = machines.Machines(self.machines.programs, self.machines.work, more=(self.folder / "scene-1.pov",))
        with self.assertRaisesRegex(DeskError, "scene-1.pov: the guest has another file of that name"):
            more.pack(fakes.run())

    def test_systems_differ_in_who_sets_the_limits(self) -> None:
        self.build(*machines.GUEST_PROGRAMS, machines.LAUNCHER, machines.TMMD, machines.LIMIT_HOLDER)
        folder = self.machines.pack(fakes.run(system="tmm-paper"))
        self.assertEqual((folder / "tmmd.conf").read_text(encoding="utf-8"), "[Policy]\nObjective=paper\n")
        self.assertFalse((folder / "limit-holder").exists())
        folder = self.machines.pack(fakes.run(system="static-25"))
        self.assertTrue((folder / "limit-holder").exists())
        self.assertFalse((folder / "tmmd").exists())
        names = {path.name for path in self.machines.pack(fakes.run(system="priority")).iterdir()}
        self.assertIn("maketransparent", names)
        self.assertFalse({"tmmd", "limit-holder", "tmmd.conf"} & names)

    def test_a_recording_has_short_epochs(self) -> None:
        self.build(*machines.GUEST_PROGRAMS, machines.LAUNCHER, machines.TMMD)
        texts = [machines.tmmd_conf(system, record) for system in ("tmm", "tmm-paper") for record in (False, True)]
        self.assertEqual(texts, ["# tmmd's defaults\n", "[Sampling]\nEpoch=10s\n", "[Policy]\nObjective=paper\n",
                                 "[Sampling]\nEpoch=10s\n[Policy]\nObjective=paper\n"])
        packed = self.machines.pack(fakes.run(system="tmm", record=True))
        self.assertEqual((packed / "tmmd.conf").read_text(encoding="utf-8"), texts[1])

    def test_a_desktop_has_its_driver_and_a_larger_root(self) -> None:
        self.build(*machines.GUEST_PROGRAMS)
        run = fakes.run(workload="small")
        folder = self.machines.pack(run)
        self.assertTrue((folder / "owner-desktop").exists() and (folder / "desktop/marionette.py").exists())
        self.assertFalse((self.machines.pack(fakes.run()) / "desktop").exists())
        self.assertTrue(self.machines.machine(run, ()).desktop)
        self.assertFalse(self.machines.machine(fakes.run(), ()).desktop)

    def test_a_machine_has_time_for_the_maximum_break(self) -> None:
        longer = self.machines.machine(fakes.run(max_break_s=900), ()).timeout_s - self.machines.machine(fakes.run(), ()).timeout_s
        self.assertEqual(longer, 898)

    def test_kernels_of_ones_own(self) -> None:
        other = machines.Machines(self.folder, self.folder, pathlib.Path("/k"))
        self.assertEqual([other.machine(fakes.run(system=system), ()).kernel for system in ("plain", "static-50")],
                         ["/k/plain.bzImage", "/k/tmm.bzImage"])

    def test_debians_kernel_is_a_package_of_the_guest(self) -> None:
        machine = self.machines.machine(fakes.run(debian_kernel=True), ())
        self.assertEqual((machine.kernel, machine.packages), ("debian", ("linux-image-amd64",)))
        self.assertEqual(self.machines.machine(fakes.run(), ()).packages, ())

    def test_packages_of_a_user_come_beside_those_of_the_kernel(self) -> None:
        own = machines.Machines(self.folder, self.folder, packages=("mpv",))
        self.assertEqual(own.machine(fakes.run(debian_kernel=True), ()).packages, ("linux-image-amd64", "mpv"))
        self.assertEqual(own.machine(fakes.run(), ()).packages, ("mpv",))

    def test_packages_of_a_system_stand_for_those_of_the_kernel(self) -> None:
        machine = self.machines.machine(fakes.run(debian_kernel=True, packages=("linux-image-6.12-amd64", "earlyoom")), ())
        self.assertEqual((machine.kernel, machine.packages), ("debian", ("linux-image-6.12-amd64", "earlyoom")))
        machine = self.machines.machine(fakes.run(system="tmm", packages=("earlyoom",)), ())
        self.assertEqual((machine.kernel, machine.packages, machine.systemd), ("tmm", ("earlyoom",), False))

    def test_a_session_needs_systemd(self) -> None:
        self.assertEqual(machines.scenario_command(fakes.run()), ["/opt/tmm/scenario"])
        in_session = fakes.run(in_session=True, packages=("systemd-sysv",))
        self.assertTrue(self.machines.machine(in_session, ()).systemd)
        self.assertEqual(machines.scenario_command(in_session), ["/opt/tmm/in-session", "/opt/tmm/scenario"])

    def test_a_machine_that_counts_instructions_has_one_cpu(self) -> None:
        self.assertEqual(self.machines.machine(fakes.run(), ()).cpus, machines.CPUS)
        machine = self.machines.machine(fakes.run(count_instructions=True), ())
        self.assertEqual((machine.cpus, machine.count_instructions), (1, True))

    def test_the_curve_begins_with_the_past(self) -> None:
        fakes.write_run(self.folder)
        path = self.folder / "samples.csv"
        path.write_text(path.read_text(encoding="utf-8").replace("\n9.5,load", "\n8.5,past"), encoding="utf-8")
        log = self.folder / "latencies.csv"
        log.write_text(log.read_text(encoding="utf-8").replace("\n10,2", "\n9,3,1.0,2.0,9.1\n10,2"), encoding="utf-8")
        self.assertEqual(machines.touches_of_work(self.folder), 5 * 256)

    def test_the_curve_is_of_touches_in_the_work(self) -> None:
        fakes.write_run(self.folder)
        self.assertEqual(machines.touches_of_work(self.folder), 2 * 256)
        program = self.machines.programs / machines.CURVE_PROGRAM
        program.parent.mkdir(parents=True)
        program.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        self.machines.write_curve(fakes.run(), machines.touches_of_work(self.folder), self.folder)
        self.assertEqual((self.folder / "curve.csv").read_text(encoding="utf-8"), "512 --pattern loop --mb 179 --batch 256\n")
        program.write_text("#!/bin/sh\necho no >&2; exit 2\n", encoding="utf-8")
        with self.assertRaisesRegex(DeskError, "owner-curve 512 --pattern loop .*: exit status 2: no"):
            self.machines.write_curve(fakes.run(), machines.touches_of_work(self.folder), self.folder)

    def test_the_data_set_goes_where_it_is_plotted(self) -> None:
        self.build(*machines.GUEST_PROGRAMS)
        folder = self.machines.pack(fakes.run(workload="gnuplot", ram_mb=1))
        self.assertEqual((folder / "gnuplot.bin").stat().st_size, 4 * dataset.points_for(0.35))


class SettingsTest(unittest.TestCase):
    def test_a_shell_reads_the_same_commands_back(self) -> None:
        command = "printf '%s\\n' \"it's $HOME\" `x`; $(y)"
        text = machines.settings_text(fakes.run(opaque=command, contributor="c d"))
        script = text + 'printf "%s|%s|%s" "$OWNER_COMMAND" "$CONTRIBUTOR_COMMAND" "$OWNER_SIGNALS_READY"'
        said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, f"{command}|c d|0")

    def test_the_break_waits_for_more_than_the_machine_has(self) -> None:
        lines = machines.settings_text(fakes.run(break_s=90, max_break_s=900)).splitlines()
        self.assertLessEqual({"BREAK_S=90", "MAX_BREAK_S=900", "EXCEED_MB=513"}, set(lines))
        self.assertIn("EXCEED_MB=0", machines.settings_text(fakes.run(system="none")).splitlines())

    def test_limits_and_class_of_the_systems(self) -> None:
        self.assertEqual(machines.limiter_command(fakes.run()), "")
        self.assertIn("--opaque-percent 75 ", machines.limiter_command(fakes.run(system="static-75")))
        self.assertIn("/opt/tmm/tmmd --config ", machines.limiter_command(fakes.run(system="tmm")))
        self.assertNotIn("--record", machines.limiter_command(fakes.run(system="tmm")))
        self.assertIn(" --record /results/trace", machines.limiter_command(fakes.run(system="tmm", record=True)))
        self.assertEqual(machines.limiter_command(fakes.run(system="priority")), "")
        self.assertNotIn("--time-lapse", machines.limiter_command(fakes.run(system="tmm")))
        self.assertIn(" --time-lapse 30", machines.limiter_command(fakes.run(system="tmm", time_lapse=30)))
        systems = ("none", "plain", "static-25", "tmm", "priority")
        classes = [machines.settings_text(fakes.run(system=system)).splitlines()[0] for system in systems]
        self.assertEqual([line.removeprefix("CONTRIBUTION_CLASS=") for line in classes],
                         ["none", "ordinary", "transparent", "transparent", "transparent"])

    def test_a_source_of_samples_is_named_only_if_one_is_wanted(self) -> None:
        self.assertNotIn("--source", machines.limiter_command(fakes.run(system="tmm-stock")))
        self.assertIn(" --source footprint", machines.limiter_command(fakes.run(system="tmm-stock", source="footprint")))

    def test_a_lived_in_machine_is_filled(self) -> None:
        def settings(**changes: object) -> set[str]:
            return set(machines.settings_text(fakes.run(**changes)).splitlines())

        self.assertLessEqual({"PAST_S=0", "LEFT_COMMAND=''", "FILES_MB=0", "NIGHTLY_MB=0", "NEW_PROGRAM_COMMAND=''"}, settings())
        self.assertLessEqual({"PAST_S=7", "FILES_MB=230", "NIGHTLY_MB=307"},
                             settings(machine="lived-in", past_s=7, during="nightly"))

    def test_a_night_and_several_returns(self) -> None:
        self.assertLessEqual({"NIGHT=0", "RETURNS=1"}, set(machines.settings_text(fakes.run()).splitlines()))
        self.assertLessEqual({"NIGHT=1", "RETURNS=20"}, set(machines.settings_text(fakes.run(night=True, returns=20)).splitlines()))


class ScenarioTest(unittest.TestCase):
    def test_only_a_system_that_kills_may_end_a_program(self) -> None:
        text = "".join((machines.HERE / "guest" / name).read_text(encoding="utf-8") for name in ("lib.bash", "scenario"))
        functions = "".join(re.findall(r"^(?:fail|must_run|must_run_unless_killed)\(\) {.*?^}\n", text, re.DOTALL | re.MULTILINE))
        with tempfile.TemporaryDirectory() as results:
            script = f"results={results}\n{functions}\ntrue & wait $!; declare -A pid_of=([ended]=$! [living]=$$)\n"

            def status(command: str) -> int:
                return subprocess.run(["bash", "-uc", script + command], capture_output=True, check=False).returncode

            self.assertEqual(status("MAY_KILL=0; must_run_unless_killed ended"), 1)
            self.assertEqual(status("MAY_KILL=1; must_run_unless_killed living"), 0)
            self.assertFalse((pathlib.Path(results) / "killed").exists())
            self.assertEqual(status("MAY_KILL=1; must_run_unless_killed ended"), 0)
            self.assertEqual((pathlib.Path(results) / "killed").read_text(encoding="ascii"), "ended\n")


class ReadOnceTest(unittest.TestCase):
    def call(self, *arguments: object) -> int:
        return subprocess.run([machines.HERE / "guest/read-once", *map(str, arguments)], capture_output=True, check=False).returncode

    def test_makes_a_file_and_leaves_it(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "photographs"
            self.assertEqual(self.call(path, 9), 0)
            self.assertEqual(path.stat().st_size, 9 * 2**20)

    def test_fails_where_it_cannot_write(self) -> None:
        self.assertNotEqual(self.call("/nonexistent/photographs", 1), 0)


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
