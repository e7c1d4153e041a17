# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmm-boinc with a real BOINC client, offline, and a stand-in for tmmd. Needs root: the client's user is boinc."""
import json
import os
import random
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(SOURCE / "tmmd/ctl/tests")]

import ctl_fixture  # noqa: E402
from offline_client import MEBIBYTE, OWN_PREFERENCES, PROJECT, OfflineClient, Task  # noqa: E402

BUILD = Path(os.environ.get("TMM_BUILD", SOURCE / "build")).resolve()
TMM_BOINC = BUILD / "boinc-adapter/app/tmm-boinc"
MEMORY_TASK = BUILD / "boinc-adapter/tests/memory_task"
# Another client, as the words of a command.
PROGRAM = tuple(shlex.split(os.environ.get("TMM_BOINC_CLIENT", "boinc")))
HOLD_S = 30  # so long a task is held at least
SQUEEZES = int(os.environ.get("TMM_BOINC_SQUEEZES", "6"))

SUSPENDED, EXECUTING, NONE = "9", "1", "0"
CGROUPS = Path("/sys/fs/cgroup")
SMALL, LARGE = "small_0", "large_0"
NAME, OBJECT = "org.transparentmemory.TmmBoinc1", "/org/transparentmemory/TmmBoinc1"


def plain(value: object) -> object:
    """Of busctl's JSON, without the types of variants."""
    if isinstance(value, dict):
        return plain(value["data"]) if value.keys() == {"type", "data"} else {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


class Boinc(ctl_fixture.CtlFixture):
    def setUp(self) -> None:
        super().setUp()
        self.daemon.order(set={"State": "giving", "TransparentLimitBytes": 4096 * MEBIBYTE, "TransparentBytes": 0})
        self.state = self.directory / "state"
        self.state.mkdir(mode=0o700)
        self.client = self.make_client(self.directory / "boinc", MEMORY_TASK, [Task("small", 60), Task("large", 400)])
        self.adapter: subprocess.Popen | None = None
        self.addCleanup(self.client.stop)
        self.addCleanup(self.stop_adapter)
        self.client.start()

    def make_client(self, *words: object) -> OfflineClient:
        return OfflineClient(*words, program=PROGRAM)

    def arguments(self, *more: str) -> list[str]:
        return [str(TMM_BOINC), f"--data={self.client.data}", f"--state={self.state}",
                f"--socket={self.client.socket}" if self.client.socket else f"--port={self.client.port}",
                f"--bus=unix:path={self.directory}/bus", "--verbose", *more]

    def start_adapter(self, *more: str) -> None:
        with (self.directory / "log").open("a") as log:
            self.adapter = subprocess.Popen(self.arguments(*more), stderr=log, stdout=log)

    def stop_adapter(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.adapter is not None:
            self.adapter.send_signal(how)
            self.adapter.wait(timeout=60)
            self.adapter = None

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    def give(self, megabytes: int) -> None:
        self.daemon.order(set={"State": "giving", "TransparentLimitBytes": megabytes * MEBIBYTE})

    def client_version(self) -> tuple[int, ...]:
        answer = self.client.ask("<exchange_versions/>")
        return tuple(int(re.search(rf"<{part}>(\d+)", answer)[1]) for part in ("major", "minor", "release"))

    def prefer(self, text: str) -> None:
        """As the user."""
        self.client.preferences.write_text(text)
        self.client.ask("<read_global_prefs_override/>")

    def limit(self, megabytes: int) -> None:
        percent = megabytes * MEBIBYTE / self.memory() * 100
        self.prefer(re.sub(r"80(\.0*)?</ram", f"{percent}</ram", OWN_PREFERENCES))

    def memory(self) -> float:
        return float(re.search(r"<m_nbytes>([^<]*)", self.client.ask("<get_host_info/>"))[1])

    def task_state(self, name: str) -> str:
        return self.client.tasks()[name].findtext("active_task/active_task_state", NONE)

    def is_held(self, name: str) -> bool:
        return self.client.tasks()[name].find("suspended_via_gui") is not None

    def wait(self, condition, what: str, seconds: float = 120) -> None:
        try:
            self.client.wait_for(condition, what, seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log[-3000:]}") from None

    def hold_large(self) -> None:
        """The adapter works, and the donation is too small for the large task."""
        self.wait_until_large()
        self.start_adapter()
        self.give(200)
        self.wait(lambda: self.is_held(LARGE), "the large task is held")

    def wait_until_large(self) -> None:
        """The client has measured it."""
        self.wait(lambda: float(self.client.tasks()[LARGE].findtext("active_task/working_set_size", "0")) > 390 * MEBIBYTE, "the task has grown")

    def assert_unharmed(self) -> None:
        self.assertNotRegex(self.client.log, r"Aborting task|exceeded memory limit|Computation for task .* finished")
        for name, task in self.client.tasks().items():
            self.assertEqual(task.findtext("state"), "2", name)

    def assert_clean(self) -> None:
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        self.assertFalse(self.is_held(SMALL) or self.is_held(LARGE))
        self.assertFalse((self.state / "override").exists())


class Donation(Boinc):
    def test_a_large_task_waits_and_goes_on(self) -> None:
        """It stays in memory, for its user's preferences keep tasks there."""
        self.keep_in_memory()
        self.hold_large()
        self.wait(lambda: self.task_state(LARGE) == SUSPENDED, "it stays in memory")
        self.wait(lambda: "limit memory to" in self.log.split("suspend large_0")[1], "only then the limit falls")
        self.assertEqual(self.task_state(SMALL), EXECUTING)
        self.give(2000)
        self.wait(lambda: not self.is_held(LARGE) and self.task_state(LARGE) == EXECUTING, "it goes on")
        self.stop_adapter()
        self.assertEqual(self.client.preferences.read_text(), self.own)
        self.assertFalse(self.is_held(SMALL) or self.is_held(LARGE))
        self.assert_unharmed()

    def keep_in_memory(self) -> None:
        self.own = OWN_PREFERENCES.replace("memory>0", "memory>1")
        self.prefer(self.own)

    def test_a_task_that_saved_its_work_a_moment_ago_ends_and_goes_on_from_there(self) -> None:
        """Its checkpoints come each second."""
        self.hold_large()
        self.wait(lambda: self.task_state(LARGE) == NONE, "it ends")
        self.wait(lambda: "<leave_apps_in_memory>1" in self.client.preferences.read_text(), "the next ones stay in memory")
        self.assertEqual(self.task_state(SMALL), EXECUTING)
        saved = float(self.client.tasks()[LARGE].findtext("active_task/checkpoint_cpu_time"))
        self.assertGreater(saved, 0)
        self.give(2000)
        self.wait(lambda: not self.is_held(LARGE) and self.task_state(LARGE) == EXECUTING, "it goes on")
        self.wait(lambda: float(self.client.tasks()[LARGE].findtext("active_task/current_cpu_time")) > saved, "from its checkpoint")
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()

    def test_a_limit_pushed_at_once_would_have_aborted_it(self) -> None:
        self.wait_until_large()
        self.limit(200)
        self.wait(lambda: self.client.tasks()[LARGE].findtext("state") != "2", "the client aborts the task")

    def test_a_limit_below_the_sum_would_have_ended_one_or_suspended_it(self) -> None:
        """Each of them is below the limit. Clients from 8.2.15 keep the one that waits in memory."""
        self.wait_until_large()
        self.wait(lambda: self.task_state(SMALL) == EXECUTING, "both run")
        self.limit(430)
        self.wait(lambda: sorted((self.task_state(SMALL), self.task_state(LARGE))) ==
                  sorted((EXECUTING, SUSPENDED if self.client_version() >= (8, 2, 15) else NONE)), "one waits", 240)
        self.assert_unharmed()


class KeptInMemory(Boinc):
    """Its user's preferences do not keep tasks in memory, and both have a checkpoint."""

    def has_checkpoint(self, name: str) -> bool:
        return float(self.client.tasks()[name].findtext("active_task/checkpoint_cpu_time", "0")) > 0

    def process(self, name: str) -> str:
        return self.client.tasks()[name].findtext("active_task/pid")

    def test_other_preferences_would_have_ended_what_stands_still(self) -> None:
        self.prefer(OWN_PREFERENCES.replace("memory>0", "memory>1"))
        self.wait(lambda: self.has_checkpoint(SMALL), "it has a checkpoint")
        self.client.task_op("suspend", SMALL)
        self.wait(lambda: self.task_state(SMALL) == SUSPENDED, "it stands still in memory")
        self.prefer(OWN_PREFERENCES)
        self.wait(lambda: self.task_state(SMALL) == NONE, "the client ends it")

    def test_none_that_stands_still_is_ended(self) -> None:
        """Not for another, which would end if it were alone, nor after a kill, nor at the end."""
        self.wait_until_large()
        self.wait(lambda: self.has_checkpoint(SMALL) and self.has_checkpoint(LARGE), "both have a checkpoint")
        self.start_adapter()
        self.wait(lambda: "<leave_apps_in_memory>1" in self.client.preferences.read_text(), "TMM keeps tasks in memory")
        processes = {name: self.process(name) for name in (SMALL, LARGE)}
        self.client.task_op("suspend", SMALL)
        self.wait(lambda: self.task_state(SMALL) == SUSPENDED, "it stands still")
        self.give(200)
        self.wait(lambda: self.is_held(LARGE) and self.task_state(LARGE) == SUSPENDED, "the large task is held, too")
        self.stop_adapter(signal.SIGKILL)
        (self.directory / "log").unlink()
        self.start_adapter()
        self.wait(lambda: "limit memory to" in self.log, "another adapter has begun its work")
        self.assertEqual({name: self.task_state(name) for name in processes}, {SMALL: SUSPENDED, LARGE: SUSPENDED})
        self.stop_adapter()
        self.wait(lambda: self.task_state(LARGE) == EXECUTING, "it goes on")
        self.assertEqual(self.process(LARGE), processes[LARGE], "as the same process")
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        self.assert_unharmed()


class AddressSpace(Boinc):
    """From 8.2.14 on, a client ends tasks that run for the address space of an urgent one, though they are to stay in memory."""
    SWAP_MB, PERCENT = 800, 56  # the large task fits, and not beside the small one

    def make_client(self, *words: object) -> OfflineClient:
        text = re.sub(r"(Swap\w+:\s*)\d+", lambda match: f"{match[1]}{self.SWAP_MB << 10}", Path("/proc/meminfo").read_text())
        meminfo = self.directory / "meminfo"
        meminfo.write_text(text)
        subprocess.run(["mount", "--bind", meminfo, "/proc/meminfo"], check=True)
        self.addCleanup(subprocess.run, ["umount", "/proc/meminfo"], check=True)
        return super().make_client(*words[:-1], [Task("small", 60), Task("large", 400, deadline=int(time.time()) + 3600)])

    def setUp(self) -> None:
        super().setUp()
        if self.client_version() < (8, 2, 14):
            self.skipTest("this client has no such limit")
        self.prefer_swap(100)
        self.wait_until_large()
        self.wait(lambda: self.task_state(SMALL) == EXECUTING, "both run")
        self.processes = {name: self.process(name) for name in (SMALL, LARGE)}

    def process(self, name: str) -> str:
        return self.client.tasks()[name].findtext("active_task/pid")

    def prefer_swap(self, percent: int) -> None:
        self.prefer(OWN_PREFERENCES.replace("memory>0", "memory>1").replace(
            "</global_preferences>", f"<vm_max_used_pct>{percent}</vm_max_used_pct></global_preferences>"))

    def test_one_that_is_resumed_at_once_would_have_ended_another(self) -> None:
        self.client.task_op("suspend", LARGE)
        self.wait(lambda: self.task_state(LARGE) == SUSPENDED, "it stands still in memory")
        self.prefer_swap(self.PERCENT)
        self.client.task_op("resume", LARGE)
        self.wait(lambda: self.task_state(LARGE) == EXECUTING, "it goes on")
        self.wait(lambda: self.task_state(SMALL) == NONE, "the client has ended the other one")

    def test_a_held_task_waits_until_it_ends_no_other(self) -> None:
        self.start_adapter()
        self.give(200)
        self.wait(lambda: self.is_held(LARGE) and self.task_state(LARGE) == SUSPENDED, "the large task is held")
        self.prefer_swap(self.PERCENT)
        self.wait(lambda: "other preferences" in self.log or "somebody changed" in self.log, "the adapter reads what the user changed")
        self.give(2000)
        time.sleep(HOLD_S + 10)
        self.assertTrue(self.is_held(LARGE))
        self.assertEqual(self.task_state(SMALL), EXECUTING)
        self.client.task_op("suspend", SMALL)
        self.wait(lambda: self.task_state(LARGE) == EXECUTING, "it goes on once the other one stands still")
        self.assertEqual({name: self.process(name) for name in (SMALL, LARGE)}, self.processes, "none was ended")
        self.assert_unharmed()


class AtAUnixSocket(Boinc):
    def make_client(self, *words: object) -> OfflineClient:
        return OfflineClient(*words, program=PROGRAM, unix=True)

    def test_a_task_waits_and_all_is_given_back(self) -> None:
        self.hold_large()
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()


class Overrides(Boinc):
    """What the client reads back decides, and tmm-boinc must know it before it writes."""

    def working(self) -> tuple[float, float, int]:
        answer = self.client.ask("<get_global_prefs_working/>")
        busy, idle, leave = (float(re.search(rf"<{name}>([^<]*)", answer)[1])
                             for name in ("ram_max_used_busy_pct", "ram_max_used_idle_pct", "leave_apps_in_memory"))
        return busy, idle, int(leave)

    def read_override(self, text: bytes, *ours: str) -> subprocess.CompletedProcess:
        return subprocess.run([BUILD / "boinc-adapter/tests/read_override", *ours], input=text, capture_output=True, check=False)

    def client_reads(self, text: bytes) -> tuple[float, float, int]:
        self.client.preferences.write_bytes(text)
        self.client.ask("<read_global_prefs_override/>")
        return self.working()

    def test_our_reading_is_the_clients(self) -> None:
        files = sorted((HERE.parent / "rpc/overrides").glob("*.xml"))
        self.assertGreater(len(files), 13)
        for file in files:
            with self.subTest(file.stem):
                text = file.read_bytes()
                busy, idle, leave = self.read_override(text).stdout.split()
                clients = self.client_reads(text)
                # It keeps a number below 0; that is no limit to write.
                self.assertEqual((float(busy), float(idle), int(leave)), (max(clients[0], 0.01), max(clients[1], 0.01), clients[2]))
                merged = self.read_override(text, "12.5", "13.25", "1")
                if merged.returncode == 0:
                    self.assertEqual(self.client_reads(merged.stdout), (12.5, 13.25, 1))
                else:
                    self.assertIn(file.stem, ("behind_the_end", "empty_flag", "nameless_venue"), merged.stderr)


class SeveralClients(Boinc):
    def second_client(self, port: int) -> OfflineClient:
        second = OfflineClient(self.directory / "second", MEMORY_TASK, [Task("small", 60)], port=port, program=PROGRAM)
        self.addCleanup(second.stop)
        second.start()
        return second

    def test_the_other_one_is_told_and_left_alone(self) -> None:
        second = self.second_client(31502)
        self.hold_large()
        self.wait(lambda: f"in {second.data} (process {second.process.pid})" in self.log, "the owner reads of it")
        self.daemon.order(set={"State": "paused"})
        self.wait(lambda: "stop all tasks" in self.log, "the own one stops")
        self.assertIn("<task_mode>2<", second.ask("<get_cc_status/>"))
        self.assertEqual(second.preferences.read_text(), OWN_PREFERENCES)

    def test_an_other_one_at_the_port_is_not_touched(self) -> None:
        """The own one is stopped, and the other one is at its port, with the same password."""
        self.client.stop()
        second = self.second_client(self.client.port)
        self.start_adapter()
        self.daemon.order(set={"State": "paused"})
        self.wait(lambda: f"is the BOINC client of {second.data}" in self.log, "the adapter says why it waits")
        time.sleep(5)
        self.assertIn("<task_mode>2<", second.ask("<get_cc_status/>"))
        self.assertEqual(second.preferences.read_text(), OWN_PREFERENCES)
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        second.stop()
        self.client.start()
        self.wait(lambda: "stop all tasks" in self.log, "the own one is found")


class OwnerStops(Boinc):
    def test_a_pause_stops_all_and_its_end_lets_it_go_on(self) -> None:
        self.wait(lambda: self.task_state(SMALL) == EXECUTING, "a task runs")
        self.start_adapter()
        self.wait(lambda: "limit memory" in self.log, "the adapter works")
        self.daemon.order(set={"State": "paused"})
        self.wait(lambda: self.task_state(SMALL) == SUSPENDED and self.task_state(LARGE) == SUSPENDED, "all stand still, in memory")
        self.assertFalse(self.is_held(SMALL))
        self.assertIn("<task_mode>3<", self.client.ask("<get_cc_status/>"))
        self.assertIn("<task_mode_perm>2<", self.client.ask("<get_cc_status/>"))
        self.daemon.order(set={"State": "giving"})
        self.wait(lambda: self.task_state(SMALL) == EXECUTING and self.task_state(LARGE) == EXECUTING, "all go on")
        self.assert_unharmed()

    def test_without_tmmd_the_client_is_its_users_alone(self) -> None:
        self.hold_large()
        self.daemon.end()
        self.wait(lambda: not self.is_held(LARGE), "it goes on")
        self.wait(lambda: self.client.preferences.read_text() == OWN_PREFERENCES, "the preferences are the user's")
        self.assert_unharmed()


class UserIdle(Boinc):
    """The keyboard is a file here, which clients do not read. All that they or the adapter read besides is hidden."""

    SEGMENT = Path("/dev/shm/idle_detect_shmem")
    FIRST_READER = (8, 2, 10)
    IN_USE = "2"

    def setUp(self) -> None:
        super().setUp()
        version = self.client_version()
        if version < self.FIRST_READER:
            self.skipTest(f"the client {'.'.join(map(str, version))} detects idle users by itself; those from 8.2.10 read the segment")
        self.interrupts = self.directory / "interrupts"
        self.presses = 0
        self.press_a_key()
        self.mount("--bind", self.interrupts, "/proc/interrupts")
        for folder in ("/dev/pts", "/sys/bus/usb/devices"):
            if Path(folder).is_dir():
                self.mount("-t", "tmpfs", "none", folder)
        self.prefer(OWN_PREFERENCES.replace("active>1", "active>0").replace("<suspend_cpu", "<idle_time_to_run>0.2</idle_time_to_run>\n  <suspend_cpu"))

    def mount(self, *words: object) -> None:
        subprocess.run(["mount", *words], check=True)
        self.addCleanup(subprocess.run, ["umount", words[-1]], check=True)

    def press_a_key(self) -> None:
        self.presses += 1
        self.interrupts.write_text(f"  1: {self.presses} IO-APIC 1-edge i8042\n")

    def is_in_use(self) -> bool:
        """As the client takes it: its user lets no task run then."""
        return f"<task_suspend_reason>{self.IN_USE}<" in self.client.ask("<get_cc_status/>")

    def test_the_client_learns_when_somebody_touched_the_machine(self) -> None:
        self.wait(lambda: self.task_state(SMALL) == EXECUTING and not self.is_in_use(), "by itself it notices nobody")
        self.start_adapter()

        def touched() -> bool:
            self.press_a_key()
            return self.is_in_use()

        self.wait(touched, "it hears that somebody is there")
        self.wait(lambda: not self.is_in_use() and self.task_state(SMALL) == EXECUTING, "nobody was for 12 seconds")
        # It would find out by itself after a minute without an update.
        self.assertLess(time.time() - struct.unpack("qq", self.SEGMENT.read_bytes())[0], 60)
        self.assertIn(str(self.SEGMENT), Path(f"/proc/{self.client.process.pid}/maps").read_text())
        self.press_a_key()
        self.wait(self.is_in_use, "somebody is back")
        self.assert_unharmed()


class UsersChoices(Boinc):
    def test_what_the_user_suspended_stays_suspended(self) -> None:
        self.client.task_op("suspend", SMALL)
        self.hold_large()
        self.give(4000)
        self.wait(lambda: not self.is_held(LARGE), "it goes on")
        self.stop_adapter()
        self.assertTrue(self.is_held(SMALL))

    def test_a_users_pause_stays(self) -> None:
        self.client.ask("<set_run_mode>\n<never/>\n<duration>3600</duration>\n</set_run_mode>")
        self.start_adapter()
        self.wait(lambda: "limit memory" in self.log, "the adapter works")
        self.daemon.order(set={"State": "paused"})
        time.sleep(5)
        self.daemon.order(set={"State": "giving"})
        time.sleep(5)
        self.stop_adapter()
        self.assertRegex(self.client.ask("<get_cc_status/>"), r"<task_mode_delay>3[0-9]{3}\.")

    def test_a_wrong_password_changes_nothing_and_says_so(self) -> None:
        (self.client.data / "gui_rpc_auth.cfg").write_text("wrong\n")
        self.start_adapter()
        self.wait(lambda: "wants a password" in self.log, "the adapter says it")
        time.sleep(3)
        self.assertEqual(self.log.count("wants a password"), 1)
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)

    def test_a_dry_run_changes_nothing(self) -> None:
        self.start_adapter("--dry-run")
        self.daemon.order(set={"State": "paused"})
        self.wait(lambda: "would stop all tasks" in self.log, "it says what it would do")
        self.assertIn("<task_mode>2<", self.client.ask("<get_cc_status/>"))
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)


class Failures(Boinc):
    def test_restore_undoes_what_a_killed_adapter_left(self) -> None:
        self.hold_large()
        self.stop_adapter(signal.SIGKILL)
        self.assertNotEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        subprocess.run(self.arguments("--restore"), check=True, timeout=60)
        self.assert_clean()
        self.assert_unharmed()

    def free_when_it_starts(self) -> None:
        """With the client stopped, and a task suspended by the user, too."""
        self.assertIn("<suspended_via_gui/>", (self.client.data / "client_state.xml").read_text())
        before = (self.client.data / "client_state.xml").read_text()
        subprocess.run(self.arguments("--release"), check=True, timeout=60)
        after = (self.client.data / "client_state.xml").read_text()
        self.assertEqual(before.replace("    <suspended_via_gui/>\n", ""), after.replace("    <suspended_via_gui/>\n", ""))
        self.assertNotIn("held", (self.state / "state").read_text())
        self.client.start()
        self.assertTrue(self.is_held(SMALL), "what the user suspended stays suspended")
        self.assertFalse(self.is_held(LARGE))
        self.wait(lambda: self.task_state(LARGE) == EXECUTING, "it goes on")
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        self.assert_unharmed()

    def test_a_stopped_client_gets_its_tasks_back_after_a_kill(self) -> None:
        self.client.task_op("suspend", SMALL)
        self.hold_large()
        self.stop_adapter(signal.SIGKILL)
        self.client.stop()
        subprocess.run(self.arguments("--restore"), check=True, timeout=60)
        self.free_when_it_starts()

    def test_a_stopped_client_gets_its_tasks_back_at_the_end_of_the_service(self) -> None:
        self.client.task_op("suspend", SMALL)
        self.hold_large()
        self.client.stop()
        self.stop_adapter()
        self.free_when_it_starts()

    def detach(self) -> None:
        self.client.ask(f"<project_detach>\n<project_url>{PROJECT}</project_url>\n</project_detach>")
        self.wait(lambda: not self.client.tasks(), "the client has no task any more")

    def test_a_detached_project_leaves_nothing_behind(self) -> None:
        self.hold_large()
        self.assertIn(LARGE, (self.state / "state").read_text())
        self.detach()
        self.wait(lambda: "held" not in (self.state / "state").read_text(), "its task is forgotten")
        self.wait(lambda: f"{200 * MEBIBYTE / self.memory() * 100:.1f}" in self.client.preferences.read_text(), "the limit is the donation")
        self.stop_adapter()
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        self.assertFalse((self.state / "override").exists())
        self.assertNotIn("error", self.log)

    def test_a_project_that_was_detached_after_a_kill_leaves_nothing_behind(self) -> None:
        self.hold_large()
        self.stop_adapter(signal.SIGKILL)
        self.detach()
        self.start_adapter()
        self.wait(lambda: "held" not in (self.state / "state").read_text(), "its task is forgotten")
        self.stop_adapter()
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        self.assertFalse((self.state / "override").exists())

    def test_a_client_that_forgot_that_a_task_was_to_go_on_is_told_again(self) -> None:
        """It gives up when it cannot save its state, as on a full disk."""
        self.hold_large()
        self.client.task_op("suspend", SMALL)
        saved = self.client.data / "client_state.xml"
        self.wait(lambda: saved.read_text().count("<suspended_via_gui/>") == 2, "the client has saved both suspensions")
        self.give(4000)
        end = time.monotonic() + 120
        while "resume large_0" not in self.log and time.monotonic() < end:
            time.sleep(0.002)
        # In the way of the file that it writes next, within a second.
        obstacle = self.client.data / "client_state_next.xml"
        obstacle.mkdir()
        self.wait(lambda: self.client.process.poll() is not None, "the client gives up")
        self.client.stop(signal.SIGKILL)
        obstacle.rmdir()
        self.assertEqual(saved.read_text().count("<suspended_via_gui/>"), 2, "the client forgot nothing")
        self.client.start()
        self.wait(lambda: self.task_state(LARGE) == EXECUTING, "it goes on again")
        self.assertTrue(self.is_held(SMALL), "what the user suspended stays suspended")
        self.assert_unharmed()

    def test_squeezes_with_kills_and_restarts(self) -> None:
        """The seed is fixed: a failure comes again."""
        choose = random.Random(20)
        self.wait_until_large()
        self.start_adapter()
        for squeeze in range(SQUEEZES):
            self.give(choose.choice((150, 250, 700, 2000)))
            time.sleep(choose.uniform(1, 25))
            match squeeze % 6:
                case 1:
                    self.stop_adapter(signal.SIGKILL)
                    self.start_adapter()
                case 2:
                    self.client.stop(choose.choice((signal.SIGTERM, signal.SIGKILL)))
                    self.client.start()
                case 3:
                    self.daemon.order(set={"State": "paused"})
                    time.sleep(choose.uniform(1, 8))
                case 4:
                    self.client.task_op(choose.choice(("suspend", "resume")), SMALL)
            self.assert_unharmed()
        self.client.task_op("resume", SMALL)
        self.give(4000)
        self.wait(lambda: not self.is_held(LARGE), "all go on")
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()


class Shown(Boinc):
    """On the bus, as dbus/org.transparentmemory.TmmBoinc1.xml describes it."""

    def shown(self) -> dict[str, object]:
        answer = json.loads(self.call("org.freedesktop.DBus.Properties", "GetAll", "s", NAME))
        return {name: plain(value) for name, value in answer["data"][0].items()}

    def call(self, interface: str, *words: str) -> str:
        return subprocess.run(["busctl", f"--address=unix:path={self.directory}/bus", "--json=short", "call", NAME, OBJECT, interface, *words],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout or \
            '{"data": [{}]}'

    def shows(self, **wanted: object) -> bool:
        return wanted.items() <= self.shown().items()

    def state_shown(self, name: str) -> str:
        return next((task["state"] for task in self.shown().get("Tasks", []) if task["name"] == name), "")

    def test_the_interface_is_that_of_the_file(self) -> None:
        self.start_adapter()
        self.wait(lambda: self.shows(State="working"), "it is on the bus")
        text = json.loads(self.call("org.freedesktop.DBus.Introspectable", "Introspect"))["data"][0]

        def properties(root: ET.Element) -> list[tuple[str, ...]]:
            interface = next(one for one in root.iter("interface") if one.get("name") == NAME)
            self.assertEqual({child.tag for child in interface}, {"property"})
            signals = "org.freedesktop.DBus.Property.EmitsChangedSignal"
            return [(one.get("name"), one.get("type"), one.get("access"),
                     *(note.get("value") for note in one if note.get("name") == signals)) for one in interface]

        self.assertEqual(properties(ET.fromstring(text)), properties(ET.parse(SOURCE / f"dbus/{NAME}.xml").getroot()))

    def test_tasks_and_their_states(self) -> None:
        self.start_adapter()
        self.wait(lambda: self.state_shown(SMALL) == self.state_shown(LARGE) == "running", "both run")
        self.wait_until_large()
        self.wait(lambda: any(task["memory-bytes"] > 390 * MEBIBYTE for task in self.shown()["Tasks"]), "its memory is shown")
        now = self.shown()
        self.assertRegex(now["ClientVersion"], r"^\d+\.\d+\.\d+$")
        self.assertEqual((now["State"], now["Message"], now["TasksOutside"]), ("working", "", 2))
        large = next(task for task in now["Tasks"] if task["name"] == LARGE)
        self.assertEqual((large["project"], large["application"], large["outside"]), ("offline", "Memory & time", True))
        self.give(200)
        self.wait(lambda: self.state_shown(LARGE) == "waiting", "it waits")
        self.assertGreater(next(task for task in self.shown()["Tasks"] if task["name"] == LARGE)["needed-bytes"], 400 * MEBIBYTE)
        self.daemon.order(set={"State": "paused"})
        self.wait(lambda: self.state_shown(SMALL) == "paused", "the other is paused")
        self.wait(lambda: self.state_shown(LARGE) == "waiting", "it still waits, or does so after its end")
        self.daemon.order(set={"State": "giving"})
        self.wait(lambda: self.state_shown(SMALL) == "running", "it runs again")
        self.client.task_op("suspend", SMALL)
        self.wait(lambda: self.state_shown(SMALL) == "suspended", "the user suspended it")
        self.client.stop()
        self.wait(lambda: self.shows(State="no-client", Tasks=[], ClientVersion=""), "without a client there are no tasks")

    def test_without_tmmd_it_says_so(self) -> None:
        self.daemon.end()
        self.start_adapter()
        self.wait(lambda: self.shows(State="no-tmmd"), "tmmd is missing")
        self.assertIn("tmmd", self.shown()["Message"])
        self.assertEqual(len(self.shown()["Tasks"]), 2)

    def test_days_outlive_the_adapter(self) -> None:
        self.start_adapter()
        self.wait(lambda: any(day[1] > 0 and day[2] > 0 for day in self.shown().get("Days", [])), "a checkpoint is counted")
        counted = self.shown()["Days"]
        self.stop_adapter()
        self.start_adapter()
        self.wait(lambda: self.shows(State="working"), "the next one works")
        self.assertGreaterEqual(self.shown()["Days"][0][1], counted[0][1] - 0.1)

    def test_a_second_one_shows_nothing_and_works(self) -> None:
        self.start_adapter()
        self.wait(lambda: self.shows(State="working"), "it works")
        other = self.directory / "other"
        other.mkdir(mode=0o700)
        second = subprocess.Popen([*self.arguments("--dry-run"), f"--state={other}"], stderr=subprocess.DEVNULL)
        self.addCleanup(second.wait)
        self.addCleanup(second.terminate)
        time.sleep(3)
        self.assertIsNone(second.poll())
        self.assertTrue(self.shows(State="working"))

    def test_costs(self) -> None:
        """Bounds with room: the figures are in docs/boinc.md."""
        self.start_adapter()
        self.wait(lambda: self.state_shown(SMALL) == "running", "it works")
        self.wait_until_large()
        self.wait(lambda: self.log.count("limit memory") > 1, "it has watched, and the limit is the donation")
        time.sleep(20)  # then it rests

        def costs() -> tuple[int, int]:
            status = Path(f"/proc/{self.adapter.pid}/status").read_text()
            ticks = Path(f"/proc/{self.adapter.pid}/stat").read_text().rpartition(")")[2].split()
            return int(re.search(r"voluntary_ctxt_switches:\s+(\d+)", status)[1]), int(ticks[11]) + int(ticks[12])

        before, start = costs(), time.monotonic()
        time.sleep(63)
        after, passed = costs(), time.monotonic() - start
        resident = int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.adapter.pid}/status").read_text())[1])
        print(f"# {(after[0] - before[0]) / passed:.2f} wake-ups/s, {(after[1] - before[1]) / passed:.2f} % of a core, {resident} kB", file=sys.stderr)
        self.assertLess(resident, 20_000)


class Frozen(Shown):
    """As tmmd does it: the client and its tasks are in one cgroup, and a pause or a hold freezes all of that."""

    def make_client(self, *words: object) -> OfflineClient:
        self.slice = CGROUPS / f"tmm-boinc-{self.directory.name}/transparent.slice"
        self.service = self.slice / "boinc-client.service"
        try:
            self.service.mkdir(parents=True)
            (self.service / "cgroup.freeze").write_text("0")
        except OSError as error:
            self.skipTest(f"no cgroup v2: {error}")
        # In this order: the client is thawed, it ends (setUp), its cgroups go.
        for folder in (self.slice.parent, self.slice, self.service):
            self.addCleanup(folder.rmdir)
        client = OfflineClient(*words, program=("sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', str(self.service), *PROGRAM), alone=True)
        return client

    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(self.freeze, False)
        self.wait(lambda: self.task_state(SMALL) == self.task_state(LARGE) == EXECUTING, "the tasks run")

    def freeze(self, frozen: bool) -> None:
        (self.slice / "cgroup.freeze").write_text("1" if frozen else "0")
        deadline = time.monotonic() + 60
        while f"frozen {int(frozen)}" not in (self.service / "cgroup.events").read_text():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def pause(self) -> None:
        """Like tmmd: the kernel first."""
        self.freeze(True)
        self.daemon.order(set={"State": "paused"})

    def resume(self) -> None:
        self.freeze(False)
        self.daemon.order(set={"State": "giving"})

    def cpu_us(self) -> int:
        stat = (self.service / "cpu.stat").read_text()
        return int(re.search(r"usage_usec (\d+)", stat)[1])

    def test_a_freeze_longer_than_the_clients_patience_is_no_failure(self) -> None:
        self.start_adapter()
        self.wait(lambda: self.state_shown(SMALL) == self.state_shown(LARGE) == "running", "both run")
        self.assertTrue(self.shows(TasksOutside=0))
        self.pause()
        before = self.cpu_us()
        self.wait(lambda: self.state_shown(SMALL) == self.state_shown(LARGE) == "paused", "both are paused")
        end = time.monotonic() + 45
        while time.monotonic() < end:
            self.assertTrue(self.shows(State="working", Message=""))
            time.sleep(1)
        self.assertLess(self.cpu_us() - before, 10_000)
        self.assertEqual(self.state_shown(SMALL), "paused")
        self.resume()
        self.wait(lambda: self.state_shown(SMALL) == self.state_shown(LARGE) == "running", "both run again")
        self.assertNotIn("does not answer", self.log)
        self.assertNotIn("stop all tasks", self.log)
        self.assertEqual(self.log.count("BOINC client "), 1)
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()

    def test_an_adapter_that_starts_during_a_freeze_waits_for_its_end(self) -> None:
        self.hold_large()
        self.pause()
        self.stop_adapter(signal.SIGKILL)
        self.start_adapter()
        self.wait(lambda: self.shows(State="working"), "it is no absent client")
        time.sleep(5)
        self.give(4000)
        self.resume()
        self.wait(lambda: not self.is_held(LARGE) and self.task_state(LARGE) == EXECUTING, "it goes on")
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()

    def test_the_end_of_the_service_takes_all_back_during_a_freeze(self) -> None:
        self.hold_large()
        self.pause()
        time.sleep(3)
        # As systemd stops it.
        root = self.directory / "root/sys/fs"
        root.mkdir(parents=True)
        (root / "cgroup").symlink_to(self.slice.parent)
        stopping = subprocess.Popen([SOURCE / "boinc-adapter/service/switch", "end"],
                                    env={"PATH": "/usr/bin:/bin", "ROOT": str(self.directory / "root"), "MAINPID": str(self.adapter.pid)})
        self.assertEqual(self.adapter.wait(timeout=60), 0)
        self.assertEqual(stopping.wait(timeout=60), 0)
        self.adapter = None
        self.wait(lambda: self.task_state(LARGE) == EXECUTING, "it goes on")
        self.assert_clean()
        self.assert_unharmed()

    def test_a_killed_adapter_costs_a_frozen_client_no_time(self) -> None:
        self.hold_large()
        self.pause()
        self.stop_adapter(signal.SIGKILL)
        # ExecStopPost
        subprocess.run(self.arguments("--restore"), check=True, timeout=60)
        self.assertEqual(self.client.preferences.read_text(), OWN_PREFERENCES)
        self.start_adapter()
        self.give(4000)
        self.resume()
        self.wait(lambda: not self.is_held(LARGE) and self.task_state(LARGE) == EXECUTING, "the next one knows what it held")
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()


# Only its methods are wanted above.
for inherited in [name for name in dir(Shown) if name.startswith("test_")]:
    setattr(Frozen, inherited, None)


class CommandLine(unittest.TestCase):
    def run_it(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([TMM_BOINC, *words], capture_output=True, text=True, timeout=60)

    def test_help_and_version(self) -> None:
        self.assertIn("Usage: tmm-boinc", self.run_it("--help").stdout)
        self.assertRegex(self.run_it("--version").stdout, r"^tmm-boinc \d")

    def test_mistakes(self) -> None:
        for words, message in (("--port=x",), "from 1 to 65535"), (("--data=/nonexistent",), "see --data: /nonexistent"):
            done = self.run_it(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)

    def test_without_a_client_restore_gives_back_what_a_killed_one_left(self) -> None:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
            Path(state, "override").write_text(f"tmm-boinc override 3\n10 10 1\ntold 50 90 0\ntext\n{OWN_PREFERENCES}")
            Path(state, "override").chmod(0o600)
            Path(folder, "global_prefs_override.xml").write_text(OWN_PREFERENCES[:60])  # torn by a crash
            done = self.run_it(f"--data={folder}", f"--state={state}", "--port=31502", "--restore")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(Path(folder, "global_prefs_override.xml").read_text(), OWN_PREFERENCES)

    def test_without_a_client_restore_gives_the_file_back_and_says_the_rest(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_it(f"--data={folder}", f"--state={folder}", "--port=31502", "--restore")
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
