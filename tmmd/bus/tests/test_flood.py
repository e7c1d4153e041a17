# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A user floods tmmd with calls and reads no answers, or reads them all. tmmd stays small, and the owner's pause is heard.
FLOOD_SECONDS: the length of each flood."""
import os
import re
import select
import unittest
from pathlib import Path

from bus_fixture import BUILD, OTHER, OWNER, PATH, TMM, WORK, BusFixture, await_true

SECONDS = float(os.environ.get("FLOOD_SECONDS", "5"))
MAX_KIB = 40 * 1024
INTROSPECT = {"member": "org.freedesktop.DBus.Introspectable.Introspect"}  # the longest answer here: 15 KB
HISTORY = {"member": TMM + ".GetHistory", "signature": "s"}
PAUSE = {"member": TMM + ".Pause", "signature": "t"}
MANY, SOME = 200, 20  # connections; the bus lets a user have 256


class Flood(unittest.TestCase):
    def setUp(self) -> None:
        self.fixture = BusFixture()
        self.addCleanup(self.fixture.close)
        self.owner = self.fixture.client(OWNER)
        self.other = self.fixture.client(OTHER)

    def flood(self, connections: int, call: dict, reads: bool, user: int = OTHER) -> None:
        """The owner pauses and resumes as long as it lasts, over a connection that tmmd knows and over new ones."""
        self.assertEqual(self.owner.call("Resume").error, "")
        attacker = self.fixture.client(user)
        attacker.send(op="drown", path=PATH, connections=connections, seconds=SECONDS, reads=reads, **call)
        times_ms = {"pauses over a known connection": [], "pauses over a new connection": [], "the bus itself": []}
        while not times_ms["the bus itself"] or not select.select([attacker.process.stdout], [], [], 0)[0]:
            newcomer = self.fixture.client(OWNER)
            for who, caller in (("known", self.owner), ("new", newcomer)):
                for answer in (caller.call("Pause", 0, signature="t"), caller.call("Resume")):
                    self.assertEqual(answer.error, "", answer)
                    times_ms[f"pauses over a {who} connection"].append(answer.ms)
            times_ms["the bus itself"].append(newcomer.call("org.freedesktop.DBus.GetId", path="/org/freedesktop/DBus",
                                                            destination="org.freedesktop.DBus").ms)
            newcomer.close()
        count = attacker.answer().value
        _, max_kib = self.fixture.memory_kib()
        for who, times in times_ms.items():
            times.sort()
            print(f"# {who}: {len(times)} answers, the median within {times[len(times) // 2]:.0f} ms, all within {times[-1]:.0f} ms")
        print(f"# {count} calls from {connections} connections in {SECONDS:.0f} s; tmmd took at most {max_kib / 1024:.1f} MiB")
        self.assertTrue(self.fixture.is_alive(), self.fixture.log())
        self.assertLess(max_kib, MAX_KIB)

    def test_200_connections_that_read_no_answers(self) -> None:
        self.flood(MANY, INTROSPECT, reads=False)

    def test_200_connections_that_ask_for_history(self) -> None:
        self.flood(MANY, HISTORY, reads=False)

    def test_20_connections_that_read_no_answers(self) -> None:
        self.flood(SOME, INTROSPECT, reads=False)

    def test_20_connections_that_read_all_answers(self) -> None:
        self.flood(SOME, INTROSPECT, reads=True)

    def test_a_deaf_program_of_the_owner(self) -> None:
        self.flood(SOME, INTROSPECT, reads=False, user=OWNER)

    def test_20_connections_that_pause(self) -> None:
        self.flood(SOME, PAUSE, reads=True)

    def test_a_user_who_reads_nothing_gets_no_further_answers(self) -> None:
        deaf = self.fixture.client(OTHER)

        def has_no_answer_beside_more_deaf_calls() -> bool:
            # The kernel keeps some answers for the caller, which count as read.
            deaf.ask(op="deaf", path=PATH, count=8, **INTROSPECT)
            return self.other.get("State", timeout=2).error == "org.freedesktop.DBus.Error.NoReply"

        await_true("no answer", has_no_answer_beside_more_deaf_calls)
        self.assertEqual(self.owner.get("State").error, "")
        self.assertEqual(self.owner.call("Pause", 0, signature="t").error, "")
        await_true("a line in the log", lambda: f"leaves calls of user {OTHER} unanswered" in self.fixture.log())
        deaf.close()
        await_true("an answer", lambda: not self.other.get("State", timeout=2).error)

    def test_a_user_who_reads_gets_all_answers(self) -> None:
        for _ in range(20):
            for _ in range(16):
                self.other.ask(op="begin", member="org.freedesktop.DBus.Properties.Get", arguments=[TMM, "State"], signature="ss", path=PATH)
            self.assertEqual([one.error for one in self.other.ask(op="end")], [""] * 16)


class BoincFlood(unittest.TestCase):
    """The same against tmm-boinc."""
    NAME, OBJECT = "org.transparentmemory.TmmBoinc1", "/org/transparentmemory/TmmBoinc1"

    def test_200_connections_that_read_no_answers(self) -> None:
        fixture = BusFixture()
        self.addCleanup(fixture.close)
        for name in ("data", "adapter"):
            (WORK / name).mkdir(exist_ok=True)
        fixture.start("tmm-boinc", BUILD / "boinc-adapter/app/tmm-boinc", f"--data={WORK}/data", f"--state={WORK}/adapter",
                      "--bus=unix:path=/run/dbus/system_bus_socket")
        fixture.await_name(self.NAME)
        attacker = fixture.client(OTHER)
        attacker.ask(op="drown", destination=self.NAME, path=self.OBJECT, connections=MANY, seconds=SECONDS, reads=False, **INTROSPECT)
        process = fixture.processes["tmm-boinc"]
        max_kib = int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1])
        print(f"# tmm-boinc took at most {max_kib / 1024:.1f} MiB")
        self.assertIsNone(process.poll(), fixture.log("tmm-boinc"))
        self.assertLess(max_kib, MAX_KIB)
        asker = fixture.client()
        await_true("it answers again", lambda: not asker.call("org.freedesktop.DBus.Properties.Get", self.NAME, "State", signature="ss",
                                                              path=self.OBJECT, destination=self.NAME, timeout=5).error)
