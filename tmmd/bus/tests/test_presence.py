# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Desktops tell tmmd, by logind, whether somebody is there."""
import time
import unittest

from bus_fixture import LOGIND, OTHER, OWNER, BusFixture, await_true

MANAGER = "/org/freedesktop/login1"
SESSION = MANAGER + "/session/7"


class Desktops(unittest.TestCase):
    def setUp(self) -> None:
        self.fixture = BusFixture()
        self.addCleanup(self.fixture.close)
        self.root = self.fixture.client()
        # No counter of input moves here, so without a desktop nothing tells of people.
        self.root.call("SetCaps", {"only-when-idle": ["b", True]}, signature="a{sv}")
        self.await_reason("presence-unknown")

    def reason(self) -> str:
        return self.root.get("ReasonCode").value

    def await_reason(self, code: str) -> None:
        await_true(f"reason {code}", lambda: self.reason() == code)

    def ask_logind(self, member: str, *arguments, path: str = MANAGER, signature: str) -> None:
        answer = self.root.call(member, *arguments, path=path, destination=LOGIND, signature=signature)
        self.assertEqual(answer.error, "", answer)

    def set(self, name: str, value) -> None:
        """Changes a property of the session, of which the bus then tells everybody."""
        self.ask_logind("org.freedesktop.DBus.Properties.Set", LOGIND + ".Session", name, value, path=SESSION, signature="ssv")

    def begin_session(self) -> None:
        self.ask_logind("org.freedesktop.DBus.Mock.AddSession", "7", "seat0", OWNER, "owner", True, signature="ssusb")
        self.ask_logind("org.freedesktop.DBus.Mock.EmitSignal", LOGIND + ".Manager", "SessionNew", "so", ["7", SESSION],
                        signature="sssav")

    def test_an_idle_desktop_is_a_witness(self) -> None:
        self.fixture.start_logind()
        self.begin_session()
        self.set("Type", "tty")
        self.set("IdleHint", True)
        # Nothing is to follow, so there is nothing to wait for. tmmd asks within a second.
        time.sleep(3)
        self.assertEqual(self.reason(), "presence-unknown", "a terminal is no desktop")
        self.set("Type", "wayland")
        self.await_reason("in-use")

    def test_many_sessions_of_a_user_hide_nobodys(self) -> None:
        self.fixture.start_logind()
        for number in range(100):
            self.ask_logind("org.freedesktop.DBus.Mock.AddSession", f"1{number:02}", "seat1", OTHER, "other", True, signature="ssusb")
        self.begin_session()
        self.set("Type", "x11")
        self.set("IdleHint", True)
        self.await_reason("in-use")

    def test_a_logind_that_answers_late_is_asked_again(self) -> None:
        # Its signals do not reach tmmd.
        self.fixture.start_logind(OTHER)
        self.begin_session()
        self.set("Type", "x11")
        self.set("IdleHint", True)
        self.await_reason("in-use")

    def test_sessions_that_are_there_already_are_asked_for(self) -> None:
        self.fixture.start_logind()
        self.begin_session()
        self.set("Type", "x11")
        self.set("IdleHint", True)
        self.await_reason("in-use")
        self.fixture.kill("tmmd")
        self.fixture.start_tmmd()
        self.await_reason("in-use")
