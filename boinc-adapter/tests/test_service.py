# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The units of tmm-boinc and the script that they start, in a temporary tree with a stand-in for systemctl."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TMM_BUILD", SOURCE / "build")).resolve()
UNITS = [BUILD / f"boinc-adapter/service/{name}.service" for name in ("tmm-boinc", "tmm-boinc-enable", "tmm-boinc-disable")]
# Ends when its cgroup is thawed, as the client it talks to could not answer before; somebody freezes it again once.
PROCESS = """
import pathlib, signal, sys, time
freeze = pathlib.Path(sys.argv[1])
asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
print("ready", flush=True)
for _ in range(2):
    while not asked or freeze.read_text().strip() == "1":
        time.sleep(0.05)
    if _ == 0:
        freeze.write_text("1")
"""


class Switch(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="tmm-switch-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.calls_file = self.root / "calls"
        self.systemctl("exit 0")
        self.folder = self.root / "etc/systemd/system/boinc-client.service.d"
        self.dropin = self.folder / "50-tmm-boinc.conf"

    def systemctl(self, ending: str) -> None:
        program = self.root / "bin/systemctl"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\necho "$*" >>{self.calls_file}\n{ending}\n')
        program.chmod(0o755)

    def switch(self, word: str, **more: str) -> int:
        environment = {"PATH": f"{self.root}/bin:/usr/bin:/bin", "ROOT": str(self.root), **more}
        return subprocess.run([SOURCE / "boinc-adapter/service/switch", word], env=environment, check=False, timeout=60).returncode

    @property
    def calls(self) -> list[str]:
        calls = self.calls_file.read_text().splitlines() if self.calls_file.exists() else []
        self.calls_file.unlink(missing_ok=True)
        return calls

    def test_on_puts_the_client_into_the_slice_and_does_not_restart_it(self) -> None:
        for _ in range(2):
            self.assertEqual(self.switch("on"), 0)
            self.assertEqual(self.calls, ["daemon-reload", "reset-failed tmm-boinc.service", "enable --now tmm-boinc.service"])
            self.assertIn("[Service]\n", self.dropin.read_text())
            self.assertIn("\nSlice=transparent.slice\nOOMScoreAdjust=900\nOOMPolicy=continue\n", self.dropin.read_text())
            self.assertEqual(self.dropin.stat().st_mode & 0o777, 0o644)
            self.assertEqual([path.name for path in self.folder.iterdir()], [self.dropin.name])

    def test_off_undoes_it_in_any_order(self) -> None:
        for word in ("off", "on", "off", "off"):
            self.assertEqual(self.switch(word), 0)
        self.assertFalse(self.folder.exists())
        # The service ends before the rest: it gives the client its preferences back.
        self.assertEqual(self.calls[-2:], ["disable --now tmm-boinc.service", "daemon-reload"])

    def test_off_removes_only_its_own_segment_of_idle_times(self) -> None:
        segment = self.root / "dev/shm/idle_detect_shmem"
        segment.parent.mkdir(parents=True)
        stat = self.root / "bin/stat"
        for owner, stays in ("event_detect", True), ("tmm-boinc", False):
            segment.write_bytes(bytes(16))
            stat.write_text(f"#!/bin/sh\necho {owner}\n")
            stat.chmod(0o755)
            self.assertEqual(self.switch("off"), 0)
            self.assertEqual(segment.exists(), stays, owner)

    def test_off_leaves_others_drop_ins(self) -> None:
        self.switch("on")
        (self.folder / "own.conf").write_text("[Service]\nNice=19\n")
        self.switch("off")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["own.conf"])

    def test_a_service_that_does_not_stop_is_an_error_but_the_rest_is_undone(self) -> None:
        self.switch("on")
        self.systemctl('case "$1" in disable) exit 5 ;; esac')
        self.assertEqual(self.switch("off"), 5)
        self.assertFalse(self.folder.exists())

    def test_a_service_that_does_not_start_is_an_error(self) -> None:
        self.systemctl('case "$1" in enable) exit 5 ;; esac')
        self.assertEqual(self.switch("on"), 5)

    def test_other_words_do_nothing(self) -> None:
        self.assertEqual(self.switch("onward"), 2)
        self.assertEqual(self.calls, [])

    def test_end_keeps_the_client_thawed_until_the_process_is_gone(self) -> None:
        slice_freeze = self.root / "sys/fs/cgroup/transparent.slice/cgroup.freeze"
        freeze = slice_freeze.parent / "boinc-client.service/cgroup.freeze"
        freeze.parent.mkdir(parents=True)
        slice_freeze.write_text("1\n")
        freeze.write_text("1\n")
        with subprocess.Popen([sys.executable, "-c", PROCESS, freeze], stdout=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            # Its parent must reap it, as systemd does.
            switch = subprocess.Popen([SOURCE / "boinc-adapter/service/switch", "end"],
                                      env={"PATH": "/usr/bin:/bin", "ROOT": str(self.root), "MAINPID": str(process.pid)})
            self.assertEqual(process.wait(timeout=60), 0)
            self.assertEqual(switch.wait(timeout=60), 0)
        self.assertEqual((slice_freeze.read_text(), freeze.read_text()), ("0\n", "0\n"))

    def test_end_without_cgroups_or_without_a_process_only_ends(self) -> None:
        self.assertEqual(self.switch("end"), 0)
        with subprocess.Popen(["sleep", "60"]) as process:
            switch = subprocess.Popen([SOURCE / "boinc-adapter/service/switch", "end"],
                                      env={"PATH": "/usr/bin:/bin", "ROOT": str(self.root), "MAINPID": str(process.pid)})
            self.assertEqual(process.wait(timeout=60), -signal.SIGTERM)
            self.assertEqual(switch.wait(timeout=60), 0)

    def program(self, name: str, script: str) -> None:
        path = self.root / "bin" / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)

    def test_restore_works_with_a_thawed_client_and_then_with_a_stopped_one(self) -> None:
        freeze = self.root / "sys/fs/cgroup/transparent.slice/cgroup.freeze"
        freeze.parent.mkdir(parents=True)
        freeze.write_text("1\n")
        state = self.root / "var/lib/tmm-boinc/state"
        state.parent.mkdir(parents=True)
        self.program("runuser", 'while [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
        # It waits for the thaw, as a client that is asked does.
        self.program("tmm-boinc", f"""case $1 in
  --restore) until [ "$(cat {freeze})" = 0 ]; do sleep 0.1; done; exit 1 ;;
esac
echo "tmm-boinc $1" >>{self.calls_file}
""")
        state.write_text("tmm-boinc state 1\n")
        self.assertEqual(self.switch("restore"), 0)
        self.assertEqual((self.calls, freeze.read_text()), ([], "1\n"), "nothing is left, nothing is touched")
        state.write_text("tmm-boinc state 1\nheld http://p/ a_1\n")
        self.assertEqual(self.switch("restore"), 0)
        self.assertEqual((self.calls, freeze.read_text()), (["tmm-boinc --release"], "0\n"))

    def test_end_leaves_frozen_what_nobody_talks_to(self) -> None:
        freeze = self.root / "sys/fs/cgroup/transparent.slice/cgroup.freeze"
        freeze.parent.mkdir(parents=True)
        freeze.write_text("1\n")
        self.assertEqual(self.switch("end"), 0)
        self.assertEqual(freeze.read_text(), "1\n")


class Units(unittest.TestCase):
    def test_systemd_accepts_them(self) -> None:
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze")
        with tempfile.TemporaryDirectory() as folder:
            for unit in UNITS:
                text = unit.read_text()
                # The programs are not installed here.
                lines = ["=/bin/true".join(line.partition("=")[::2][:1] + ("",)) if line.startswith("Exec") else line for line in text.splitlines()]
                (Path(folder) / unit.name).write_text("\n".join(lines) + "\n")
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", *(str(Path(folder) / unit.name) for unit in UNITS)],
                                  capture_output=True, text=True, check=False)
        self.assertEqual([line for line in done.stderr.splitlines() if "tmm-boinc" in line], [])

    def test_the_client_can_get_the_files_that_tmm_boinc_makes(self) -> None:
        filters = [line.partition("=")[2] for line in UNITS[0].read_text().splitlines() if line.startswith("SystemCallFilter=")]
        # The set @privileged, which goes before, has fchown(2) too. No right to give files to others comes with it.
        self.assertEqual(filters, ["@system-service", "~@privileged @resources", "@chown"])

    def test_only_the_two_that_need_root_have_it(self) -> None:
        texts = [unit.read_text() for unit in UNITS]
        self.assertIn("\nUser=tmm-boinc\n", texts[0])
        self.assertIn("\nSupplementaryGroups=boinc\n", texts[0])
        self.assertIn("\nCapabilityBoundingSet=\n", texts[0])
        as_root = [line.rpartition("/")[2] for line in texts[0].splitlines() if line.startswith("Exec") and "+" in line]
        self.assertEqual(as_root, ["switch end", "tmm-boinc --release"])
        for text in texts:
            self.assertNotIn("@", re.sub("@(system-service|privileged|resources|chown)", "", text))
        # Nothing of these comes from their caller.
        for text in texts[1:]:
            self.assertNotIn("%", text)


if __name__ == "__main__":
    unittest.main()
