# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""./run on suites of the tests' own, which take no time; and the suites of the repository as ./run lists them."""
import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SUITE = 'description="a suite"\npackages="build"\ncommands() {\n  %s\n}\n'


def default_names(kind: str) -> list[str]:
    return re.search(rf"^default_{kind}=\((.*)\)$", (TOP / "run").read_text(), re.MULTILINE)[1].split()


class RunTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.suites = self.top / "scripts/suites"
        self.suites.mkdir(parents=True)
        (self.top / "scripts/benches").mkdir()
        for file in ("run", "scripts/run.bash", "scripts/progress.bash", "scripts/tally", "scripts/expected-skips"):
            shutil.copy(TOP / file, self.top / file)
        installer = self.top / "scripts/install-packages"
        installer.write_text('#!/bin/sh\necho "installing $*"\n')
        installer.chmod(0o755)
        for name in default_names("suites"):
            self.add_suite(name, f"echo ok 1 - {name}")
        for name in default_names("benches"):
            (self.top / "scripts/benches" / name).write_text(SUITE % "true")

    def add_suite(self, name: str, commands: str) -> None:
        (self.suites / name).write_text(SUITE % commands)

    def run_it(self, *arguments: str, ci: str = "") -> subprocess.CompletedProcess:
        return subprocess.run([self.top / "run", *arguments], capture_output=True, text=True, env=os.environ | {"CI": ci})

    def test_a_second_run_in_one_tree_says_so_and_leaves_the_first_alone(self) -> None:
        (self.top / "out/test").mkdir(parents=True)
        log = self.top / "out/test/unit.log"
        log.write_text("ok 1 - of the first\n")
        with open(self.top / "out/test.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            second = self.run_it("test", "unit")
        self.assertEqual(second.returncode, 1)
        self.assertIn("another ./run test works in this tree", second.stderr)
        self.assertEqual(log.read_text(), "ok 1 - of the first\n")

    def test_what_a_suite_leaves_running_does_not_keep_the_next_run_out(self) -> None:
        self.add_suite("leaves", "sleep 20 >/dev/null 2>&1 & echo $! >sleeper; echo ok 1 - leaves")
        first = self.run_it("test", "leaves")
        self.addCleanup(os.kill, int((self.top / "sleeper").read_text()), signal.SIGTERM)
        self.assertEqual((first.returncode, self.run_it("test", "unit").returncode), (0, 0))

    def test_runs_all_default_suites_in_their_order(self) -> None:
        self.add_suite("special", "echo not ok 1 - special")
        done = self.run_it("test")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(re.findall(r"^ok 1 - (.*)", done.stdout, re.MULTILINE), default_names("suites"))
        self.assertEqual(done.stdout.splitlines()[-1], f"{len(default_names('suites'))} passed, 0 failed, 0 skipped")

    def test_shows_the_time_of_each_suite_before_the_sum(self) -> None:
        self.add_suite("slow", "sleep 1; echo ok 1 - slow")
        lines = self.run_it("test", "slow", "unit").stdout.splitlines()
        self.assertRegex(lines[-4], r"^ +0:0[1-9]  slow$")
        self.assertRegex(lines[-3], r"^ +0:0\d  unit$")
        self.assertRegex(lines[-2], r"^ +0:0[1-9]  in all$")
        self.assertEqual(lines[-1], "2 passed, 0 failed, 0 skipped")

    def test_installs_the_packages_of_a_suite_first(self) -> None:
        lines = self.run_it("test", "unit").stdout.splitlines()
        self.assertLess(lines.index("installing build"), lines.index("ok 1 - unit"))

    def test_a_suite_that_fails_without_a_failed_test_fails(self) -> None:
        self.add_suite("broken", "echo ok 1 - first; die 'no disk'")
        done = self.run_it("test", "broken", "unit")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run: no disk", done.stdout)
        self.assertIn("FAILED   broken: the suite ended with exit code 1", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "2 passed, 1 failed, 0 skipped")

    def test_results_of_an_earlier_run_do_not_count(self) -> None:
        """Meson reads them when a program crashes before it writes its own."""
        (self.top / "build/meson-logs").mkdir(parents=True)
        (self.top / "build/core.xml").write_text("ok 1 - of an earlier run\n")
        for name, text in (("bin/meson", "#!/bin/sh\ncat build/*.xml >build/meson-logs/testlog.junit.xml\n"),
                           ("scripts/junit-to-tap", '#!/bin/sh\ncat "$1"\n')):
            program = self.top / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(text)
            program.chmod(0o755)
        self.add_suite("crash", 'PATH="$PWD/bin:$PATH"; meson_tests_as_tap build')
        self.assertNotIn("of an earlier run", self.run_it("test", "crash").stdout)

    def test_unexpected_skips_fail_on_ci_only(self) -> None:
        self.add_suite("partial", "echo ok 1 - all; echo 'ok 2 - rest # SKIP no such device'")
        self.assertEqual(self.run_it("test", "partial").returncode, 0)
        self.assertEqual(self.run_it("test", "partial", ci="1").returncode, 1)

    def test_an_unknown_suite_is_an_error_that_names_the_others(self) -> None:
        for name in ("nonsense", "../tally", "", "."):
            done = self.run_it("test", "unit", name)
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(f"no '{name}' in scripts/suites/; there are: aarch64 ", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_suite_without_one_of_its_parts_is_an_error(self) -> None:
        for missing, message in (("description", "sets no description"), ("packages", "sets no packages"), ("commands", "defines no commands()")):
            (self.suites / "partial").write_text((SUITE % "true").replace(missing, "other"))
            for arguments in (("help",), ("test", "partial")):
                done = self.run_it(*arguments)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"run: scripts/suites/partial {message}", done.stderr)

    def test_a_part_is_not_taken_from_the_suite_before(self) -> None:
        (self.suites / "partial").write_text('description="partial"\npackages="build"\n')
        self.assertIn("defines no commands()", self.run_it("test", "unit", "partial").stderr)

    def demo(self, *arguments: str) -> list[str]:
        """The commands that a demo calls."""
        for name in ("bin/meson", "bin/ninja", "kernel/build", "experiments/01-coffee-break/coffee_break.py"):
            program = self.top / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(f'#!/bin/sh\necho "{program.name} $*" >>"$CALLS"\n')
            program.chmod(0o755)
        calls = self.top / "calls"
        calls.unlink(missing_ok=True)
        environment = os.environ | {"PATH": f"{self.top}/bin:{os.environ['PATH']}", "CALLS": str(calls)}
        subprocess.run([self.top / "run", "demo", *arguments], env=environment, capture_output=True, check=True)
        return [line for line in calls.read_text().splitlines() if not line.startswith(("meson", "ninja"))]

    def test_a_demo_builds_a_kernel_only_if_asked(self) -> None:
        for arguments, options in (((), "--kernel=debian --quick --workloads=loop --contributions=hog"), (("--quick",), "--kernel=debian --quick"),
                                   (("--kernel", "debian"), "--kernel debian")):
            self.assertEqual(self.demo(*arguments), [f"coffee_break.py --list {options}", f"coffee_break.py {options}"])
        for arguments in (("--kernel=patched",), ("--quick", "--kernel", "patched")):
            options = " ".join(arguments)
            self.assertEqual(self.demo(*arguments), [f"coffee_break.py --list {options}", "build plain", "build tmm", f"coffee_break.py {options}"])

    def answer(self, *arguments: str) -> subprocess.CompletedProcess:
        """With the real options of the demo. Nothing may be installed or compiled."""
        experiments = self.top / "experiments"
        if not experiments.exists():
            experiments.symlink_to(TOP / "experiments")
            (self.top / "packaging").symlink_to(TOP / "packaging")
        done = self.run_it(*arguments)
        self.assertNotIn("installing", done.stdout + done.stderr, arguments)
        self.assertFalse((self.top / "build").exists() or (self.top / "out").exists(), arguments)
        return done

    def test_every_command_has_a_help(self) -> None:
        for command in ("demo", "test", "bench", "build", "packages"):
            for option in ("--help", "-h"):
                done = self.answer(command, option)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, rf"\n  {command}\b")
        self.assertIn("--desktop-ram SIZE", self.answer("demo", "--quick", "--help").stdout)

    def test_a_list_installs_nothing(self) -> None:
        self.assertIn("loop-tmm-stock-hog-1: 512 MB, hdd", self.answer("demo", "--list", "--contributions=hog").stdout)
        done = self.answer("test", "--list")
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], default_names("suites"))

    def test_a_wrong_option_is_found_before_anything_is_installed(self) -> None:
        for arguments, message in ((("demo", "--nonsense"), "--nonsense"), (("demo", "--lis"), "--lis"), (("demo", "--kern=patched"), "--kern"),
                                   (("test", "--nonsense"), "no '--nonsense'"), (("test", "nonsense"), "no 'nonsense'"),
                                   (("bench", "nonsense"), "no 'nonsense'"), (("build", "nonsense"), "no argument"),
                                   (("packages", "--nonsense"), "--nonsense"), (("packages", "--release", "sid"), "not 'sid'")):
            done = self.answer(*arguments)
            self.assertIn(done.returncode, (1, 2), arguments)
            self.assertIn(message, done.stderr)

    def test_packages_tell_time_and_space_before_anything_is_installed(self) -> None:
        build = self.top / "packaging/build"
        build.parent.mkdir()
        build.write_text('#!/bin/sh\necho "build $*"\n')
        build.chmod(0o755)
        lines = self.run_it("packages", "--release", "trixie").stdout.splitlines()
        self.assertEqual(lines[:2], ["build --plan --release trixie", "installing packages"])
        self.assertIn("build --release trixie", lines)
        done = subprocess.run([TOP / "packaging/build", "--plan", "--release", "trixie"], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"Packages for Debian 13, in out/packages: \d+ minutes on two processors, and \d+ MB")

    def test_a_log_is_shown_by_its_last_line(self) -> None:
        (self.top / "log").write_text("first\n[2/401] \x1b[2Jlast\n")
        # In place of the wait: it has an input, which ends it, at the second time.
        waits = 'times=0; read() { [ $((times++)) = 1 ]; }; . scripts/progress.bash; follow log packages'
        done = subprocess.run(["bash", "-c", waits], cwd=self.top, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "   packages: [2/401] [2Jlast\n")

    def test_an_unknown_command_is_an_error(self) -> None:
        self.assertEqual(self.run_it("nonsense").returncode, 2)


class Repository(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.help = subprocess.run([TOP / "run", "help"], capture_output=True, text=True, check=True).stdout
        cls.groups = set(re.findall(r"^([a-z0-9-]+):", (TOP / "scripts/packages").read_text(), re.MULTILINE))

    def files(self) -> list[Path]:
        return [file for kind in ("suites", "benches") for file in sorted((TOP / "scripts" / kind).iterdir())]

    def test_help_lists_every_suite_and_benchmark(self) -> None:
        listed = re.findall(r"^ {6}([a-z0-9-]+) +[^ ]", self.help, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(file.name for file in self.files()))

    def test_help_fits_a_terminal(self) -> None:
        self.assertEqual([line for line in self.help.splitlines() if len(line) > 80], [])

    def test_every_default_has_a_file(self) -> None:
        for kind in ("suites", "benches"):
            for name in default_names(kind):
                self.assertTrue((TOP / "scripts" / kind / name).exists(), name)

    def test_every_group_of_packages_exists(self) -> None:
        for file in self.files():
            wanted = re.search(r'^packages="(.*)"$', file.read_text(), re.MULTILINE)[1].split()
            self.assertEqual(set(wanted) - self.groups, set(), file)


if __name__ == "__main__":
    unittest.main()
