# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hostile callers: tmmd survives, stays small, and answers others."""
import os
import select
import subprocess
import time
import xml.etree.ElementTree as ET
from pathlib import Path

from test_interface import CONTRIBUTION, Case
from bus_fixture import CGROUPS, OTHER, OWNER, PATH, TMM, TREE, await_true

MAX_LEFT_KIB = 16 * 1024  # after an attack
MAX_MORE_KIB = 48 * 1024  # during one: the bus lets messages of 32 MiB through, and one is in memory at a time


class Hostile(Case):
    def setUp(self) -> None:
        self.fixture.forget_max_memory()
        self.before_kib, _ = self.fixture.memory_kib()

    def tearDown(self) -> None:
        self.assertTrue(self.fixture.is_alive(), self.fixture.log())
        # What it has not read yet of the bus, and what it gives back a moment later, is not left over.
        await_true("memory given back", lambda: self.fixture.memory_kib()[0] - self.before_kib < MAX_LEFT_KIB)
        now_kib, max_kib = self.fixture.memory_kib()
        print(f"# {self.before_kib} KiB before, {now_kib} KiB after, at most {max_kib} KiB")
        self.assertLess(max_kib - self.before_kib, MAX_MORE_KIB)
        self.assert_done(self.owner.get("State"))

    def test_wrong_types(self) -> None:
        wrong = (("Pause", "s", "soon"), ("Pause", ""), ("Pause", "tt", 1, 2), ("SetOn", "s", "yes"), ("SetCaps", "s", "x"),
                 ("GetHistory", "u", 1), ("GetDecisions", "d", 1.0), ("RegisterContribution", "t", 1), ("Resume", "b", True))
        for member, signature, *arguments in wrong:
            answer = self.other.call(member, *arguments, signature=signature)
            self.assertEqual(answer.error, "org.freedesktop.DBus.Error.InvalidArgs", member)
        self.assertEqual(self.other.call("NoSuchMethod").error, "org.freedesktop.DBus.Error.UnknownMethod")
        self.assertNotEqual(self.other.call(CONTRIBUTION + ".Stop", path=PATH + "/contributions/999999999999").error, "")

    def test_the_bus_lets_nothing_else_through(self) -> None:
        denied = "org.freedesktop.DBus.Error.AccessDenied"
        self.assertEqual(self.other.call("org.freedesktop.DBus.Properties.Set", TMM, "State", "off", signature="sss").error, denied)
        self.assertEqual(self.other.call("org.freedesktop.DBus.ObjectManager.GetManagedObjects").error, denied)
        self.assertEqual(self.other.ask(op="own", name=TMM).error, denied)

    def test_huge_strings(self) -> None:
        for size in (1 << 16, 1 << 20, 24 << 20):
            answer = self.other.call("RegisterContribution", "x" * size, signature="s")
            self.assert_error(answer, "InvalidArgument", "64 characters")
            self.assert_error(self.other.call("GetHistory", "x" * size, signature="s"), "InvalidArgument")
            answer = self.other.call("SetCaps", {"x" * size: ["s", "y" * 1000]}, signature="a{sv}")
            self.assert_error(answer, "InvalidArgument", "a key is unknown")
            self.assertLess(len(answer.message), 1000)

    def test_no_string_of_any_method_is_kept_whole(self) -> None:
        for interface in (TMM, CONTRIBUTION):
            for method in ET.parse(TREE / f"dbus/{interface}.xml").getroot().iter("method"):
                inputs = [one.get("type") for one in method.findall("arg") if one.get("direction") == "in"]
                self.assertTrue(set("".join(inputs)) <= set("stub") or inputs == ["a{sv}"], "a shape without a test here")
                if inputs == ["s"]:
                    answer = self.other.call(f"{interface}.{method.get('name')}", "x" * (31 << 20), signature="s")
                    self.assert_error(answer, "InvalidArgument")

    def test_hostile_dictionaries(self) -> None:
        for shape, key, count, words in (("keys", None, 1_000_000, "'0' is unknown"), ("bytes", "max-bytes", 31 << 20, "of type t"),
                                         ("string", "quiet-hours", 31 << 20, "22:00-07:00"), ("depth", "max-bytes", 60, "of type t"),
                                         ("bytes", "x", 31 << 20, "'x' is unknown")):
            with self.subTest(shape=shape, key=key):
                self.other.send(op="hostile", shape=shape, key=key, count=count, path=PATH)
                self.assert_others_are_answered_until(self.other)
                answer = self.other.answer()
                self.assert_error(answer, "InvalidArgument", words)
                print(f"# {shape} of {count}: refused within {answer.ms:.0f} ms")

    def test_ten_thousand_registrations_are_one_contribution(self) -> None:
        member = self.fixture.client(OTHER, "transparent.slice/greedy.scope")
        subprocess.run(["chown", "-R", str(OTHER), CGROUPS / "transparent.slice/greedy.scope"], check=True)
        self.assert_done(member.call("RegisterContribution", "greedy", signature="s"))
        member.send(op="flood", member=TMM + ".RegisterContribution", arguments=["greedy"], signature="s", path=PATH, count=10000)
        self.assert_others_are_answered(10)
        self.assert_done(member.answer())
        # Its own calls are still under way.
        await_true("another one", lambda: not member.call("RegisterContribution", "last", signature="s").error)
        self.assertEqual([one[1] for one in self.root.call("ListContributions").value if one[1] in ("greedy", "last")], ["last"])

    def test_a_hundred_contributions_of_a_user_are_sixty_four(self) -> None:
        sleepers = []
        for number in range(100):
            cgroup = CGROUPS / f"transparent.slice/many-{number:02}.scope"
            cgroup.mkdir(parents=True, exist_ok=True)
            os.chown(cgroup, OTHER, OTHER)
            sleepers.append(subprocess.Popen(["sleep", "1000"], user=OTHER, group=OTHER, extra_groups=[]))
            (cgroup / "cgroup.procs").write_text(str(sleepers[-1].pid))
        try:
            # Looked for once in an epoch, a second.
            await_true("64 of them", lambda: self.count_of(OTHER) >= 64)
            member = self.fixture.client(OTHER, "transparent.slice/many-99.scope")
            self.assert_error(member.call("RegisterContribution", "the last", signature="s"), "TooMany", "64")
            self.assertEqual(self.count_of(OTHER), 64)
        finally:
            for sleeper in sleepers:
                sleeper.kill()
                sleeper.wait()

    def count_of(self, user: int) -> int:
        return sum(one[2] == user for one in self.root.call("ListContributions").value)

    def test_a_flood_of_calls(self) -> None:
        for member, arguments, signature in (("GetHistory", ["minutes"], "s"), ("Pause", [1], "t"), ("ListContributions", [], "")):
            with self.subTest(member):
                flood = {"member": f"{TMM}.{member}", "arguments": arguments, "signature": signature, "path": PATH}
                self.other.send(op="flood", **flood, count=10000)
                self.assert_others_are_answered(10)
                self.assert_done(self.other.answer())

    def test_the_share_of_tmmd_in_the_wait_under_a_flood(self) -> None:
        """A flood also delays calls that never reach tmmd. The difference is the part of tmmd; only the figures are printed."""
        floods = [self.other, self.fixture.client(OTHER)]
        before = self.fixture.processor_seconds()
        for flood in floods:
            flood.send(op="flood", member=f"{TMM}.Pause", arguments=["no number"], signature="s", path=PATH, count=12000)
        waits = {"tmmd": [], "the bus itself": []}
        for _ in range(200):
            waits["tmmd"].append(self.root.get("State").ms)
            waits["the bus itself"].append(self.root.call("org.freedesktop.DBus.GetId", path="/org/freedesktop/DBus",
                                                          destination="org.freedesktop.DBus").ms)
        for flood in floods:
            self.assert_done(flood.answer())
        for name, times in waits.items():
            times.sort()
            print(f"# under 24000 malformed calls of a user, {name} answered within {times[100]:.0f} ms (p50), "
                  f"{times[198]:.0f} ms (p99)")
        used = self.fixture.processor_seconds() - before
        print(f"# tmmd used {used:.2f} s of a processor: {used / 24400 * 1e6:.0f} us a call")
        self.assertTrue(self.fixture.is_alive())

    def test_a_slow_sender_holds_up_nobody(self) -> None:
        before_kib, _ = self.fixture.memory_kib()
        self.assert_done(self.other.ask(op="slow", member=TMM + ".RegisterContribution", path=PATH, count=24 << 20))
        self.assert_others_are_answered(10)
        self.assertLess(self.fixture.memory_kib()[0] - before_kib, 1024, "tmmd holds a part of a message")
        self.assertEqual(self.other.ask(op="finish").value, TMM + ".Error.InvalidArgument")

    def test_a_caller_who_never_reads_holds_up_nobody(self) -> None:
        # The answers to all calls take more than the bus keeps for a connection.
        size = len(self.other.call("org.freedesktop.DBus.Introspectable.Introspect").value)
        count = (160 << 20) // size
        deaf = self.fixture.client(OTHER)
        deaf.send(op="deaf", member="org.freedesktop.DBus.Introspectable.Introspect", path=PATH, count=count)
        self.assert_others_are_answered_until(deaf)
        self.assert_done(deaf.answer())
        self.assert_others_are_answered(10)
        # Its unread answers are those of the user until it leaves.
        deaf.close()
        await_true("an answer", lambda: not self.other.get("State", timeout=2).error)

    def test_a_crowd_of_connections_denies_nobody_a_pause(self) -> None:
        crowd = {"op": "crowd", "connections": 60, "member": TMM + ".Pause", "arguments": [1], "signature": "t", "path": PATH}
        for _ in range(6):
            # tmmd does not know this connection yet.
            owner = self.fixture.client(OWNER)
            self.other.send(**crowd, count=50)
            self.other.send(**crowd, count=100)
            self.assert_done(self.other.answer())
            answer = owner.call("Pause", 0, signature="t")  # amid the second flood
            self.assert_done(answer)
            print(f"# the owner's pause took {answer.ms:.0f} ms")
            self.assertEqual(owner.get("State").value, "paused")
            self.assert_done(owner.call("Resume"))
            self.assert_done(self.other.answer())
            owner.close()

    def test_empty_cgroups_of_a_user_hide_nobodys_contribution(self) -> None:
        crowded = CGROUPS / f"user.slice/user-{OTHER}.slice/transparent.slice"
        hidden = CGROUPS / f"user.slice/user-{OTHER + 1}.slice/transparent.slice/hidden.scope"
        empty = [crowded / f"empty-{number}" for number in range(4200)]
        for directory, user in ((crowded, OTHER), (hidden.parent, OTHER + 1), (hidden, OTHER + 1), *((one, OTHER) for one in empty)):
            directory.mkdir(parents=True)
            os.chown(directory, user, user)
        sleeper = subprocess.Popen(["sleep", "1000"], user=OTHER + 1, group=OTHER + 1, extra_groups=[])
        try:
            (hidden / "cgroup.procs").write_text(str(sleeper.pid))
            await_true("it is listed", lambda: self.count_of(OTHER + 1) == 1)
            began, cpu_before_s = time.monotonic(), self.cpu_s()
            time.sleep(5)
            share = (self.cpu_s() - cpu_before_s) / (time.monotonic() - began)
            print(f"# beside {len(empty)} empty cgroups tmmd takes {100 * share:.1f} % of a processor, with an epoch of a second")
            self.assertEqual(self.count_of(OTHER + 1), 1)
        finally:
            sleeper.kill()
            sleeper.wait()
            for one in (*empty, crowded):
                one.rmdir()

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.fixture.processes['tmmd'].pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def assert_others_are_answered_until(self, attacker) -> None:
        """Until the attacker has its answer; a call fails after the 150 s of client.py."""
        times_ms = []
        while not times_ms or not select.select([attacker.process.stdout], [], [], 0)[0]:
            answer = self.owner.get("State")
            self.assert_done(answer)
            times_ms.append(answer.ms)
            time.sleep(0.001)
        times_ms.sort()
        print(f"# answered others {len(times_ms)} times, the median within {times_ms[len(times_ms) // 2]:.1f} ms, "
              f"all within {times_ms[-1]:.0f} ms")

    def assert_others_are_answered(self, times: int) -> None:
        answers = [self.owner.get("State") for _ in range(times)]
        for answer in answers:
            self.assert_done(answer)
        print(f"# answered others within {max(one.ms for one in answers):.0f} ms")
