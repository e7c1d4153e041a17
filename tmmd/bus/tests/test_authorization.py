# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Permissions of callers, with polkit present, absent and hung."""
import signal
import subprocess
import unittest

from test_interface import CONTRIBUTION, NO_LIMIT, Case
from bus_fixture import CGROUPS, OTHER, OWNER, PATH, TMM, WORK, BusFixture, await_true

# The callers that may make each call. The owner is the active local user; the contribution that is steered belongs to the other one.
MATRIX = {
    ("Pause", 60): {"root", "owner"},
    ("Resume",): {"root", "owner"},
    ("SetOn", True): {"root"},
    ("SetCaps", ("max-bytes", NO_LIMIT)): {"root"},
    ("SetSoftCap", NO_LIMIT): {"root"},
    ("SetSoftWeight", 1000, 100): {"root"},
    ("theirs.Pause",): {"root", "other"},
    ("theirs.Resume",): {"root", "other"},
    ("theirs.SetWeight", 10): {"root", "other"},
    ("theirs.GetDetails",): {"root", "other"},
}
SIGNATURES = {"Pause": "t", "SetOn": "b", "SetCaps": "a{sv}", "SetWeight": "u", "SetSoftCap": "t", "SetSoftWeight": "uu"}


class Authorization(Case):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        member = cls.fixture.client(OTHER, "transparent.slice/theirs.scope")
        subprocess.run(["chown", "-R", str(OTHER), CGROUPS / "transparent.slice/theirs.scope"], check=True)
        answer = member.call("RegisterContribution", "theirs", signature="s")
        assert not answer.error, answer
        cls.theirs = answer.value
        cls.callers = {"root": cls.root, "owner": cls.owner, "other": cls.other}

    def do(self, caller: str, call: tuple):
        name, *arguments = call
        member = name.removeprefix("theirs.")
        if member == "SetCaps":
            arguments = [{arguments[0][0]: ["t", arguments[0][1]]}]
        path, interface = (self.theirs, CONTRIBUTION) if name != member else (PATH, TMM)
        signature = SIGNATURES[member] if arguments else ""
        return self.callers[caller].call(f"{interface}.{member}", *arguments, signature=signature, path=path)

    def assert_matrix(self, may, words: str) -> None:
        """may: whether a caller may make a call; words: in the error for those who may not."""
        for call in MATRIX:
            for caller in self.callers:
                with self.subTest(call=call[0], caller=caller):
                    answer = self.do(caller, call)
                    if may(caller, call):
                        # A machine without the processor controller has no weights to set, but may answer so.
                        self.assertIn(answer.error, ("", "Failed") if "theirs.SetWeight" == call[0] else ("",), answer)
                    else:
                        self.assert_error(answer, "NotAuthorized", words)

    def test_polkit_decides(self) -> None:
        self.assert_matrix(lambda caller, call: caller in MATRIX[call], "is not allowed")

    def test_without_polkit_only_root_may(self) -> None:
        self.fixture.stop("polkitd")
        try:
            # polkit is not asked about a caller's own details.
            own_details = ("other", "theirs.GetDetails")
            self.assert_matrix(lambda caller, call: caller == "root" or (caller, call[0]) == own_details, "polkit is not running")
            self.assert_done(self.other.get("State"))
            self.assertTrue(self.other.call("ListContributions").value)
        finally:
            self.fixture.start_polkit()

    def test_a_hung_polkit_denies_and_holds_up_nobody(self) -> None:
        self.fixture.processes["polkitd"].send_signal(signal.SIGSTOP)
        try:
            for _ in range(40):
                self.other.ask(op="begin", member=TMM + ".Pause", arguments=[60], signature="t", path=PATH)
            answer = self.owner.get("State")
            self.assert_done(answer)
            print(f"# answered others within {answer.ms:.0f} ms while 40 calls waited for polkit")
            self.assert_done(self.root.call("Resume"))
            answers = self.other.ask(op="end")
            self.assertEqual({one.error for one in answers}, {"NotAuthorized", "TooMany"})
            self.assertEqual(sum(one.error == "NotAuthorized" for one in answers), 16)
            self.assertTrue(all("does not answer" in one.message for one in answers if one.error == "NotAuthorized"))
        finally:
            self.fixture.processes["polkitd"].send_signal(signal.SIGCONT)
        await_true("polkit works again", lambda: not self.do("owner", ("Resume",)).error)


class PolkitBeforehand(Case):
    """The owner's session is active at the seat. Nobody sees when polkit has answered about it, so these tests try again."""

    def may_pause_while_polkit_hangs(self, caller) -> bool:
        polkit = self.fixture.processes["polkitd"]
        polkit.send_signal(signal.SIGSTOP)
        try:
            return not caller.call("Resume", timeout=2).error
        finally:
            polkit.send_signal(signal.SIGCONT)
            # The next pause does not wait behind this one.
            await_true("polkit answers", lambda: not self.owner.call("Resume").error)

    def set_rule(self, text: str) -> None:
        """Replaces the administrator's rules. polkitd reads them again, and tells everybody, once it sees the change."""
        rule = WORK / "rules/50-test.rules"
        rule.write_text(text)

    def test_a_pause_of_the_owner_waits_for_nobody(self) -> None:
        await_true("no need of polkit", lambda: self.may_pause_while_polkit_hangs(self.owner))
        newcomer = self.fixture.client(OWNER)
        self.assertTrue(self.may_pause_while_polkit_hangs(newcomer))
        newcomer.close()
        self.assertFalse(self.may_pause_while_polkit_hangs(self.other))
        outside = self.fixture.client(OWNER, "system.slice/cron.service")
        self.assert_error(outside.call("Pause", 60, signature="t"), "NotAuthorized")

    def test_rules_of_an_administrator_count(self) -> None:
        await_true("no need of polkit", lambda: self.may_pause_while_polkit_hangs(self.owner))
        self.set_rule('polkit.addRule(function(action, subject) {'
                      ' if (action.id == "org.transparentmemory.tmm1.pause") return "no"; });')
        try:
            await_true("the rule counts", lambda: self.owner.call("Resume").error == "NotAuthorized")
        finally:
            self.set_rule("")
        await_true("it counts no more", lambda: not self.owner.call("Resume").error)


class NobodyActive(unittest.TestCase):
    def test_a_user_outside_of_every_session_may_not_pause(self) -> None:
        fixture = BusFixture()
        try:
            answer = fixture.client(OWNER, "system.slice/cron.service").call("Pause", 60, signature="t")
            self.assertEqual(answer.error, "NotAuthorized", answer)
        finally:
            fixture.close()
