# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The interface as its callers see it."""
import json
import os
import re
import subprocess
import time
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

from bus_fixture import BUILD, CGROUPS, OTHER, OWNER, PATH, ROOT, TMM, TREE, WORK, BusFixture, Client, await_true

CONTRIBUTION = TMM + ".Contribution1"
NO_LIMIT = 2**64 - 1


def members(node: ET.Element, interface: str) -> list:
    """All that an interface consists of, in an order of its own."""
    found = node.find(f"interface[@name='{interface}']")
    arguments = {one: [(arg.get("name"), arg.get("type"), arg.get("direction")) for arg in one.findall("arg")] for one in found}
    return sorted((one.tag, one.get("name"), one.get("type"), one.get("access"), arguments[one])
                  for one in found if one.tag != "annotation")


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.fixture = BusFixture()
        cls.root, cls.owner, cls.other = (cls.fixture.client(user) for user in (0, OWNER, OTHER))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.fixture.close()

    def assert_error(self, answer, error: str, words: str = "") -> None:
        self.assertEqual(answer.error, error, answer)
        self.assertIn(words, answer.message)

    def assert_done(self, answer) -> None:
        self.assertEqual(answer.error, "", answer)


class Interface(Case):
    def test_it_is_what_the_xml_says(self) -> None:
        live = ET.fromstring(self.other.call("org.freedesktop.DBus.Introspectable.Introspect").value)
        self.assertEqual(members(live, TMM), members(ET.parse(TREE / f"dbus/{TMM}.xml").getroot(), TMM))

    def test_everybody_reads_the_numbers(self) -> None:
        self.fixture.await_state(self.other, "giving")
        numbers = self.other.call("org.freedesktop.DBus.Properties.GetAll", TMM, signature="s").value
        self.assertEqual(numbers["TotalBytes"], 1 << 30)
        self.assertEqual(numbers["OpaqueBytes"], 1 << 28)
        self.assertEqual(numbers["TransparentBytes"], 1 << 26)
        self.assertEqual(numbers["FreeBytes"], (1 << 30) - (1 << 28) - (1 << 26))
        self.assertEqual(numbers["SoftBytes"], 0)
        self.assertLess(numbers["OpaqueLimitBytes"], 1 << 30)
        self.assertEqual(numbers["OpaqueLimitBytes"] + numbers["TransparentLimitBytes"], 1 << 30)
        self.assertRegex(numbers["Reason"], "opaque")
        self.assertIn(numbers["ReasonCode"], ("measured", "corrected"))
        values = numbers["ReasonValues"]
        self.assertEqual(values["total-bytes"], 1 << 30)
        self.assertEqual(values["opaque-limit-bytes"] + values["allowed-bytes"], 1 << 30)
        self.assertLessEqual(values["need-bytes"], values["opaque-limit-bytes"])
        self.assertRegex(numbers["Version"], r"^\d+\.\d+")
        self.assertNotEqual(numbers["SourceReason"], "")

    def test_a_pause_counts_at_once_and_ends(self) -> None:
        before = time.time()
        self.assert_done(self.root.call("Pause", 60, signature="t"))
        self.assertEqual(self.other.get("State").value, "paused")
        until = self.other.get("PausedUntil").value / 1e6
        self.assertTrue(before + 59 < until < time.time() + 61, until)
        self.assert_done(self.root.call("Pause", 0, signature="t"))
        self.assertEqual(self.other.get("PausedUntil").value, NO_LIMIT)
        self.assert_done(self.root.call("Resume"))
        self.assertNotEqual(self.other.get("State").value, "paused")
        self.assertEqual(self.other.get("PausedUntil").value, 0)
        self.assert_error(self.root.call("Pause", 31536001, signature="t"), "InvalidArgument", "31536000")

    def test_off_and_on(self) -> None:
        self.assert_done(self.root.call("SetSoftCap", 1 << 31, signature="t"))
        self.assert_done(self.root.call("SetSoftWeight", 1000, 300, signature="uu"))
        self.assert_done(self.root.call("SetOn", False, signature="b"))
        self.assertEqual(self.other.get("ReasonCode").value, "off")
        self.assertEqual(self.other.get("ReasonValues").value, {})
        self.assertIs(self.other.get("OwnerDecided").value, True)
        self.assertEqual(self.other.get("State").value, "off")
        self.assert_done(self.root.call("SetOn", True, signature="b"))
        self.assertNotEqual(self.other.get("State").value, "off")

    def test_caps_change_one_by_one(self) -> None:
        none = {"max-bytes": NO_LIMIT, "max-percent": 100, "only-when-idle": False, "only-on-mains": False, "quiet-hours": ""}
        self.assertEqual(self.other.get("Caps").value, none)
        changed = {"max-bytes": ["t", 1 << 20], "quiet-hours": ["s", "22:00-07:00"]}
        self.assert_done(self.root.call("SetCaps", changed, signature="a{sv}"))
        self.assertEqual(self.other.get("Caps").value, none | {"max-bytes": 1 << 20, "quiet-hours": "22:00-07:00"})
        back = {key: [kind, none[key]] for key, kind in (("max-bytes", "t"), ("quiet-hours", "s"))}
        self.assert_done(self.root.call("SetCaps", back, signature="a{sv}"))
        self.assertEqual(self.other.get("Caps").value, none)

    def test_wrong_caps_are_named_and_change_nothing(self) -> None:
        before = self.other.get("Caps").value
        wrong = (("max-bytes", ["i", 1], "'max-bytes' must be of type t"), ("max-percent", ["d", 101], "0 to 100"),
                 ("colour", ["s", "x"], "'colour' is unknown"), ("quiet-hours", ["s", "25:00-07:00"], "quiet-hours"),
                 ("quiet-hours", ["s", "x" * 100000], "22:00-07:00"))
        for key, value, words in wrong:
            answer = self.root.call("SetCaps", {key: value, "only-on-mains": ["b", True]}, signature="a{sv}")
            self.assert_error(answer, "InvalidArgument", words)
        self.assertEqual(self.other.get("Caps").value, before)

    def test_history_and_decisions(self) -> None:
        self.fixture.await_state(self.other, "giving")
        rows = await_true("a row of history", lambda: self.other.call("GetHistory", "minutes", signature="s").value)
        self.assertEqual(len(rows[0]), 9)
        self.assertAlmostEqual(rows[0][2], 1 << 28, delta=1)
        self.assertEqual(len(self.other.call("GetHistory", "days", signature="s").value), 1)
        self.assert_error(self.other.call("GetHistory", "weeks", signature="s"), "InvalidArgument", "minutes, hours or days")
        newest = self.other.call("GetDecisions", 1, signature="u").value
        self.assertEqual(len(newest), 1)
        self.assertLessEqual(newest[0][0], newest[0][1])
        listed = self.other.call("ListDecisions", 1, signature="u").value
        self.assertEqual(listed[0][0], newest[0][0])
        self.assertEqual(listed[0][5], self.other.get("ReasonCode").value)
        self.assertIsInstance(listed[0][6], dict)
        self.assertEqual(self.other.call("GetSoftHeaps").value, [])
        self.assertEqual(self.other.call("GetSoftShares").value, [NO_LIMIT, []])
        for weight in (0, 10001):
            self.assert_error(self.root.call("SetSoftWeight", 1000, weight, signature="uu"), "InvalidArgument", "1 to 10000")
        self.assertEqual(self.other.call("GetDecisions", 0, signature="u").value, [])
        self.assertLessEqual(len(self.other.call("GetDecisions", 2**32 - 1, signature="u").value), 100)


class Kept(Case):
    def test_the_will_of_the_owner_outlives_a_restart(self) -> None:
        self.assert_done(self.root.call("SetCaps", {"max-percent": ["d", 12.5]}, signature="a{sv}"))
        self.assert_done(self.root.call("SetSoftCap", 1 << 31, signature="t"))
        self.assert_done(self.root.call("SetSoftWeight", 1000, 300, signature="uu"))
        self.assert_done(self.root.call("SetOn", False, signature="b"))
        self.assertEqual(self.fixture.stop("tmmd"), 0)
        self.fixture.start_tmmd()
        self.fixture.await_name(TMM)
        self.assertEqual(self.other.get("State").value, "off")
        self.assertEqual(self.other.get("Caps").value["max-percent"], 12.5)
        self.assertEqual(self.other.call("GetSoftShares").value, [1 << 31, [[1000, 300]]])


class Killed(Case):
    def test_what_it_held_is_released_afterwards(self) -> None:
        held = CGROUPS / "transparent.slice/held.scope"
        self.fixture.client(OTHER, "transparent.slice/held.scope")
        self.assert_done(self.root.call("Pause", 0, signature="t"))
        await_true("it is frozen", lambda: "frozen 1" in (held / "cgroup.events").read_text())
        self.fixture.kill("tmmd")
        self.assertIn("frozen 1", (held / "cgroup.events").read_text())
        subprocess.run([BUILD / "tmmd/tmmd", "--release", f"--root={ROOT}"], check=True)
        await_true("it goes on", lambda: "frozen 0" in (held / "cgroup.events").read_text())


class Signals(Case):
    def watch(self, seconds: float, during=lambda: None) -> list[str]:
        """The signals of tmmd meanwhile, as dbus-monitor shows them."""
        log = WORK / "signals"
        with open(log, "w") as out:
            watcher = subprocess.Popen(["dbus-monitor", "--system", f"type='signal',path_namespace='{PATH}'"], stdout=out)
        await_true("a monitor", lambda: "NameAcquired" in log.read_text() or "NameLost" in log.read_text())
        during()
        time.sleep(seconds)
        watcher.terminate()
        watcher.wait()
        return [one for one in re.split(r"^signal ", log.read_text(), flags=re.MULTILINE) if f"path={PATH}" in one]

    def test_changes_are_told_at_most_once_a_second(self) -> None:
        def pause_and_resume() -> None:
            for _ in range(20):
                self.assert_done(self.root.call("Pause", 60, signature="t"))
                self.assert_done(self.root.call("Resume"))
            self.assert_done(self.root.call("Pause", 0, signature="t"))

        began = time.monotonic()
        seen = [one for one in self.watch(3, pause_and_resume) if f"path={PATH}; interface=org.freedesktop.DBus.Properties" in one]
        self.assertGreaterEqual(len(seen), 1)
        self.assertLessEqual(len(seen), time.monotonic() - began + 1)
        # The last value is published, however late.
        self.assertEqual(self.other.get("State").value, "paused")

        # Paused and unchanged, with nothing that is only now known: silence.
        await_true("the stall is known", lambda: self.other.get("MeasuredStall").value == 0)
        time.sleep(1.5)
        self.assertEqual(self.watch(5), [])
        self.assert_done(self.root.call("Resume"))


class Contributions(Case):
    def setUp(self) -> None:
        self.slice = CGROUPS / "transparent.slice"

    def start(self, name: str, user: int) -> tuple[str, Client]:
        """A contribution of a user; its path and a client in it."""
        member = self.fixture.client(user, f"transparent.slice/{name}")
        subprocess.run(["chown", "-R", str(user), self.slice / name], check=True)
        answer = member.call("RegisterContribution", name.removesuffix(".scope"), signature="s")
        self.assert_done(answer)
        return answer.value, member

    def state(self, path: str) -> str:
        return self.other.get("State", path, CONTRIBUTION).value

    def test_its_interface_is_what_the_xml_says(self) -> None:
        path, _ = self.start("like-xml.scope", OTHER)
        live = ET.fromstring(self.owner.call("org.freedesktop.DBus.Introspectable.Introspect", path=path).value)
        self.assertEqual(members(live, CONTRIBUTION), members(ET.parse(TREE / f"dbus/{CONTRIBUTION}.xml").getroot(), CONTRIBUTION))

    def test_names_and_processes_are_told_to_those_who_may_know(self) -> None:
        path, member = self.start("secret.scope", OWNER)
        names = {who: {one[0]: one[1] for one in client.call("ListContributions").value}[path]
                 for who, client in (("root", self.root), ("owner", self.owner), ("other", self.other))}
        self.assertEqual(names, {"root": "secret", "owner": "secret", "other": ""})
        self.assertEqual(self.owner.call(CONTRIBUTION + ".GetDetails", path=path).value["pids"], [member.process.pid])
        self.assertEqual(self.root.call(CONTRIBUTION + ".GetDetails", path=path).value["name"], "secret")
        self.assert_error(self.other.call(CONTRIBUTION + ".GetDetails", path=path), "NotAuthorized")
        told = [self.other.call("org.freedesktop.DBus.Properties.GetAll", name, signature="s", path=where).value
                for where, name in ((PATH, TMM), (path, CONTRIBUTION))]
        told.append(self.other.call("GetDecisions", 100, signature="u").value)
        self.assertNotIn("secret", json.dumps(told))

    def test_its_far_memory_is_what_its_pager_said(self) -> None:
        path, _ = self.start("far.scope", OWNER)
        self.assertEqual(self.other.get("FarBytes", path, CONTRIBUTION).value, 0)
        os.setxattr(self.slice / "far.scope", "user.tmm.far", b"1073741824")
        await_true("it is told", lambda: self.other.get("FarBytes", path, CONTRIBUTION).value == 1 << 30)
        self.assertEqual([one[6] for one in self.other.call("ListContributions").value if one[0] == path], [1 << 30])

    def test_its_owner_steers_it(self) -> None:
        path, member = self.start("steered.scope", OWNER)
        frozen = self.slice / "steered.scope/cgroup.freeze"
        self.assert_done(self.owner.call(CONTRIBUTION + ".Pause", path=path))
        self.assertEqual((frozen.read_text(), self.state(path)), ("1\n", "paused"))
        self.assert_done(self.owner.call(CONTRIBUTION + ".Resume", path=path))
        self.assertEqual((frozen.read_text(), self.state(path)), ("0\n", "running"))
        for weight in (0, 10001, 2**32 - 1):
            answer = self.owner.call(CONTRIBUTION + ".SetWeight", weight, signature="u", path=path)
            self.assert_error(answer, "InvalidArgument", "1 to 10000")
        self.assert_done(self.owner.call(CONTRIBUTION + ".Stop", path=path))
        await_true("its end", lambda: member.process.poll() is not None)
        await_true("its object to go", lambda: path not in self.other.get("Contributions").value)
        self.assertNotEqual(self.owner.call(CONTRIBUTION + ".Pause", path=path).error, "")

    def test_all_are_frozen_by_a_pause(self) -> None:
        path, _ = self.start("all.scope", OTHER)
        events = self.slice / "all.scope/cgroup.events"
        self.addCleanup(self.owner.call, "Resume")
        self.assert_done(self.owner.call("Pause", 0, signature="t"))
        self.assertEqual(self.state(path), "paused")
        await_true("they stand still", lambda: "frozen 1" in events.read_text())
        self.assert_done(self.owner.call("Resume"))
        self.assertEqual(self.state(path), "running")
        await_true("they go on", lambda: "frozen 0" in events.read_text())

    def test_only_what_is_transparent_is_registered(self) -> None:
        self.assert_error(self.owner.call("RegisterContribution", "opaque", signature="s"), "NotTransparent", "maketransparent")

    def test_another_users_cgroup_is_not_registered(self) -> None:
        self.start("theirs.scope", OWNER)
        intruder = self.fixture.client(OTHER, "transparent.slice/theirs.scope")
        self.assert_error(intruder.call("RegisterContribution", "mine", signature="s"), "NotTransparent", "another user")

    def test_a_name_can_be_read_by_people(self) -> None:
        _, member = self.start("named.scope", OWNER)
        self.assert_done(member.call("RegisterContribution", "Фолдинг 🧬", signature="s"))
        for name in ("", "x" * 65, "two\nlines", "\x1b[2J"):
            self.assert_error(member.call("RegisterContribution", name, signature="s"), "InvalidArgument", "the name must")
        self.assertIn("Фолдинг 🧬", [one[1] for one in self.owner.call("ListContributions").value])
