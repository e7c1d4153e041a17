# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every command of tmmctl against a stand-in for the daemon, made from the interface's XML."""
import csv
import io
import json
import os
import pty
import signal
import subprocess

from ctl_fixture import TMMCTL, CtlFixture

STATUS_KEYS = {"state", "reason", "reason_code", "reason_values", "paused_until_unix_us", "total_bytes", "opaque_bytes",
               "transparent_bytes", "free_bytes", "soft_bytes", "opaque_limit_bytes", "transparent_limit_bytes",
               "expected_slowdown_share", "measured_stall_share", "last_return_faults", "given_byte_seconds", "caps", "source", "source_reason", "daemon_version"}
NO_LIMIT = 2**64 - 1


class Status(CtlFixture):
    def test_text(self) -> None:
        text = self.out("status")
        reason = "opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB"
        self.assertTrue(text.startswith(f"giving: {reason}\n["), text)
        self.assertIn("given (+)    9.0 GiB  10.0 GiB\n", text)
        self.assertIn("After last return:  120 faults", text)
        self.assertIn("povray\\x1b[2J größer  root        4.0 GiB + 2.0 GiB far  running     100\n", text)
        self.assertIn("-                     4000000000                1.0 GiB  paused       50\n", text)
        self.assertNotIn("\x1b", text)
        self.assertEqual(text, self.out(), "it is the default")

    def test_json(self) -> None:
        status = self.json("status")
        self.assertEqual(set(status), STATUS_KEYS | {"contributions"})
        self.assertEqual(status["transparent_bytes"], 9 << 30)
        self.assertIsNone(status["measured_stall_share"])
        self.assertEqual(status["caps"], {"max_bytes": None, "max_percent": 100, "only_when_idle": False, "only_on_mains": False,
                                          "quiet_hours": None})
        self.assertEqual([c["name"] for c in status["contributions"]], ["povray\x1b[2J größer", None])

    def test_quiet(self) -> None:
        for state, code in {"giving": 0, "waiting": 10, "paused": 11, "off": 12, "trouble": 13, "dreaming": 14}.items():
            self.daemon.order(set={"State": state})
            done = self.run_ctl("status", "--quiet")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (code, "", ""), state)

    def test_a_full_disk_is_no_success(self) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run([TMMCTL, "status"], env=self.environment, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output: No space left on device", done.stderr)


class Changes(CtlFixture):
    def test_pause(self) -> None:
        self.daemon.order(set={"State": "paused", "PausedUntil": NO_LIMIT})
        self.assertTrue(self.out("pause").startswith("paused until 'tmmctl resume': "))
        self.out("pause", "1h30min")
        self.out("pause", "2", "h")
        self.assertEqual(self.json("pause", "30min")["state"], "paused")
        self.assertEqual([call[:2] for call in self.changes()], [["Pause", [s]] for s in (0, 5400, 7200, 1800)])
        for words in (["until", "07:00"], ["tomorrow"], ["until", "tomorrow"]):
            self.out("pause", *words)
            (call,) = self.changes()
            self.assertTrue(0 < call[1][0] <= 28 * 3600, call)
        self.fails(1, "there is no contribution 'soon'", "pause", "soon")
        self.fails(1, "written like 30min", "pause", "soon")
        self.fails(2, "'30' is no time", "pause", "30")
        self.assertEqual(self.changes(), [])

    def test_switches(self) -> None:
        for word, call in {"resume": ["Resume", []], "off": ["SetOn", [False]], "on": ["SetOn", [True]]}.items():
            self.assertTrue(self.out(word).startswith("giving: "))
            self.assertEqual(set(self.json(word)), STATUS_KEYS)
            self.assertEqual([c[:2] for c in self.changes()], [call, call])

    def test_limit(self) -> None:
        self.assertIn("Quiet hours:        none\n", self.out("limit"))
        self.assertEqual(self.changes(), [], "looking is no change")
        set_now = {"max-bytes": 4 << 30, "max-percent": 25, "only-when-idle": True, "quiet-hours": "22:00-07:00"}
        self.daemon.order(set={"Caps": set_now | {"only-on-mains": False}})
        self.assertEqual(self.json("limit", "--max=4G", "--max=25%", "--only-when-idle", "--quiet-hours", "22:00-07:00"),
                         {key.replace("-", "_"): value for key, value in (set_now | {"only-on-mains": False}).items()})
        types = {"max-bytes": "t", "max-percent": "d", "only-when-idle": "b", "quiet-hours": "s"}
        self.assertEqual(self.changes(), [["SetCaps", [set_now], [["a{sv}", types]]]])
        self.out("limit", "--none")
        self.assertEqual(self.changes()[0][1], [{"max-bytes": NO_LIMIT, "max-percent": 100, "only-when-idle": False,
                                                 "only-on-mains": False, "quiet-hours": ""}])

    def test_soft(self) -> None:
        self.assertIn("All together may have at most 2.0 GiB.\nUser 1000 has weight 300; 100 is usual.\n", self.out("soft"))
        self.assertEqual(self.json("soft")["weights"], [{"user": 1000, "weight": 300}])
        self.assertEqual(self.changes(), [], "looking is no change")
        for words, call in ((("cap", "none"), ["SetSoftCap", [NO_LIMIT]]), (("cap", "4G"), ["SetSoftCap", [4 << 30]]),
                            (("weight", "1000", "50"), ["SetSoftWeight", [1000, 50]]),
                            (("weight", "root", "50"), ["SetSoftWeight", [0, 50]])):
            self.out("soft", *words)
            self.assertEqual([c[:2] for c in self.changes()], [call])
        self.fails(1, "tmmctl: there is no user 'nobody-at-all'\n", "soft", "weight", "nobody-at-all", "5")

    def test_errors(self) -> None:
        methods = {"Pause": ["pause"], "Resume": ["resume"], "SetOn": ["off"], "SetCaps": ["limit", "--none"],
                   "SetSoftCap": ["soft", "cap", "none"], "SetSoftWeight": ["soft", "weight", "0", "5"]}
        errors = {"NotAuthorized": "polkit is not there", "InvalidArgument": "too long", "Failed": "cannot be saved"}
        for error, message in errors.items():
            for method, words in methods.items():
                self.daemon.order(fail=[method, error, message])
                self.fails(1, f"tmmctl: {message}\n", *words)
        self.daemon.order(fail=["GetHistory", "org.freedesktop.DBus.Error.AccessDenied", "policy"])
        self.fails(1, "the bus does not let this user talk to tmmd: policy", "history")
        self.daemon.order(fail=["GetHistory", "org.example.Odd", "hm"])
        self.fails(1, "tmmctl: hm", "history")


class Records(CtlFixture):
    def test_history(self) -> None:
        text = self.out("history")
        self.assertRegex(text.splitlines()[1], r"^2026-11-21 12:00  10 min  5\.0 GiB .* 0\.10 % +12$")
        self.assertRegex(text.splitlines()[2], r"not known +0$")
        for words in ([], ["minutes"], ["hours"], ["days"]):
            history = self.json("history", *words)
            self.assertEqual(history["resolution"], words[0] if words else "hours")
            self.assertEqual([row["stall_share"] for row in history["rows"]], [0.001, None])
        asked = [call[1][0] for call in self.daemon.order(calls=None) if call[0] == "GetHistory"]
        self.assertEqual(asked, ["hours", "hours", "minutes", "hours", "days"])
        rows = list(csv.DictReader(io.StringIO(self.out("history", "days", "--csv"))))
        self.assertEqual([row["stall_share"] for row in rows], ["0.001", ""])
        self.assertEqual(set(rows[0]), set(history["rows"][0]), "the same names in both forms")
        self.daemon.order(answer=["GetHistory", [[]]])
        self.assertEqual(self.out("history"), "There is no history yet.\n")

    def test_explain(self) -> None:
        self.assertIn("      7  measured  because\n", self.out("explain"))
        decisions = self.json("explain", "-n", "3")["decisions"]
        self.assertEqual(decisions, [{"first_unix_us": 1_795_262_400_000_000, "last_unix_us": 1_795_262_460_000_000, "times": 7,
                                      "kind": "measured", "reason": "because"}])
        asked = [call[1][0] for call in self.daemon.order(calls=None) if call[0] == "GetDecisions"]
        self.assertEqual(asked, [20, 3])


class OneContribution(CtlFixture):
    NAME = "povray\x1b[2J größer"

    def test_it_is_steered_by_its_name(self) -> None:
        self.assertEqual(self.out("pause", self.NAME), "povray\\x1b[2J größer: running\n", "the stand-in changes nothing")
        self.out("resume", "povray\\x1b[2J größer")  # as it is shown
        self.out("stop", "/org/transparentmemory/Tmm1/contributions/2")
        self.assertEqual(self.changes(), [["Pause", "/contributions/1"], ["Resume", "/contributions/1"],
                                          ["Stop", "/contributions/2"]])

    def test_json(self) -> None:
        answer = self.json("pause", self.NAME)
        self.assertEqual((answer["name"], answer["state"], answer["weight"]), (self.NAME, "running", 100))

    def test_errors(self) -> None:
        self.fails(1, "there is no contribution 'vim'", "stop", "vim")
        self.daemon.order(fail=["Stop", "NotAuthorized", "not allowed"])
        self.fails(1, "not allowed", "stop", self.NAME)
        self.daemon.order(fail=["Stop", "Vanished", "it ended"])
        self.fails(1, "ended in the meantime", "stop", self.NAME)
        self.fails(2, "which contribution?", "stop")
        self.assertEqual(len(self.changes()), 2)


class Top(CtlFixture):
    def test_one_table_without_a_terminal(self) -> None:
        text = self.out("top")
        self.assertIn("\nOPAQUE PROCESS ", text)
        self.assertNotIn("\x1b", text)

    def test_json_is_an_object_a_line(self) -> None:
        lines = self.out("top", "--json", "--count=2", "--delay=0.1").splitlines()
        self.assertEqual(len(lines), 2)
        look = json.loads(lines[1])
        self.assertEqual(set(look), {"status", "contributions", "opaque_processes", "transparent_processes"})
        self.assertEqual(set(look["status"]), STATUS_KEYS)
        sizes = [process["memory_bytes"] for process in look["opaque_processes"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertTrue(sizes[0] > 1 << 20, sizes)

    def on_terminal(self, *words: str) -> str:
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, controller)
        with subprocess.Popen([TMMCTL, *words], env=self.environment, stdin=terminal, stdout=terminal, stderr=terminal) as process:
            os.close(terminal)
            text = b""
            while True:
                try:
                    text += os.read(controller, 65536)
                except OSError:  # all has been read, and nobody writes any more
                    break
        self.assertEqual(process.returncode, 0)
        return text.decode().replace("\r\n", "\n")

    def test_a_terminal_is_refreshed(self) -> None:
        text = self.on_terminal("top", "-n2", "-d0.1")
        self.assertEqual(text.count("\x1b[H\x1b[2J"), 2)
        self.assertIn("\x1b[32mgiving\x1b[0m", text)

    def test_no_color(self) -> None:
        self.environment["NO_COLOR"] = "1"
        self.assertNotIn("\x1b", self.on_terminal("status"))
        self.environment |= {"NO_COLOR": "", "TERM": "dumb"}
        self.assertNotIn("\x1b", self.on_terminal("status"))


class Watch(CtlFixture):
    def watch(self, *words: str) -> subprocess.Popen:
        # A shell's background has interrupts ignored, and so would the program.
        process = subprocess.Popen([TMMCTL, "watch", *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_lines(self) -> None:
        watch = self.watch()
        line = watch.stdout.readline
        self.assertRegex(line(), r"^\d\d:\d\d:\d\d  giving: opaque 5\.0 GiB of 6\.0 GiB, given 9\.0 GiB of 10\.0 GiB, free 2\.0 GiB: ")
        self.daemon.order(set={"State": "waiting", "Reason": "still learning"})
        self.assertRegex(line(), r"waiting: .*: still learning\n$")
        self.daemon.order(emit=["Notice", ["pressure", "held\x1b"]])
        self.assertRegex(line(), r"  notice \(pressure\): held\\x1b\n$")
        self.daemon.order(emit=["ContributionAdded", ["/c/7"]])
        self.assertRegex(line(), r"  contribution /c/7 has started\n$")
        self.daemon.order(emit=["ContributionRemoved", ["/org/transparentmemory/Tmm1/contributions/1"]])
        self.assertRegex(line(), r"  contribution povray\\x1b\[2J größer has ended\n$")
        self.daemon.end()
        self.assertRegex(line(), r"  tmmd is gone: ")
        self.start_daemon()
        self.assertRegex(line(), r"  tmmd is back, giving: ")

    def test_json(self) -> None:
        watch = self.watch("--json")
        first = json.loads(watch.stdout.readline())
        self.assertEqual(first["event"], "changed")
        self.assertEqual(set(first["status"]), STATUS_KEYS)
        self.daemon.order(emit=["Notice", ["trouble", "text"]])
        notice = json.loads(watch.stdout.readline())
        self.assertEqual((notice["event"], notice["kind"], notice["text"]), ("notice", "trouble", "text"))
        self.daemon.end()
        self.assertEqual(json.loads(watch.stdout.readline())["event"], "daemon-gone")

    def test_ends_with_its_reader(self) -> None:
        watch = self.watch()
        watch.stdout.readline()
        watch.stdout.close()
        self.daemon.order(set={"State": "waiting"})
        self.assertEqual(watch.wait(30), -13, "of SIGPIPE")

    def test_ends_with_an_interrupt(self) -> None:
        watch = self.watch()
        watch.stdout.readline()
        watch.send_signal(2)
        self.assertEqual(watch.wait(30), -2)


class Absence(CtlFixture):
    COMMANDS = (["status"], ["status", "--quiet"], ["status", "--json"], ["top"], ["watch"], ["pause"], ["resume"], ["off"], ["on"],
                ["limit"], ["history"], ["explain"])

    def test_without_a_daemon(self) -> None:
        self.daemon.end()
        for words in self.COMMANDS:
            self.fails(3, "tmmd does not run: start it with 'systemctl start tmmd' (package tmm-daemon)", *words)
        self.assertFalse((self.directory / "started").exists(), "nobody started it")

    def test_without_a_bus(self) -> None:
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={self.directory}/nothing"
        for words in self.COMMANDS:
            self.fails(3, "the system bus cannot be reached", *words)

    def test_a_daemon_that_dies_meanwhile(self) -> None:
        self.daemon.order(fail=["Pause", None, None])
        process = subprocess.Popen([TMMCTL, "pause"], env=self.environment, stderr=subprocess.PIPE, text=True)
        while not self.changes():
            self.assertIsNone(process.poll())
        self.daemon.end()
        message = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 3)
        self.assertIn("tmmd does not", message)

    def test_wrong_usage(self) -> None:
        self.fails(2, "there is no command 'dance'; see tmmctl --help", "dance")


class Doctor(CtlFixture):
    def test_checks(self) -> None:
        done = self.run_ctl("doctor", "--json")
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1 if report["problems"] else 0)
        results = {check["check"]: check for check in report["checks"]}
        self.assertEqual(set(results), {"kernel", "cgroups", "slice", "pressure", "swap", "configuration", "bus", "polkit",
                                        "daemon"})
        self.assertEqual(results["daemon"]["finding"], "tmmd 0.1.0 runs: giving")
        for check in report["checks"]:
            self.assertEqual(check["advice"] is None, check["result"] == "ok", check)
        lines = self.run_ctl("doctor").stdout.splitlines()
        self.assertEqual(len(lines), len(results) + 1)

    def test_without_a_daemon(self) -> None:
        self.daemon.end()
        done = self.run_ctl("doctor")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nproblem  daemon: tmmd does not run; ", done.stdout)

    def test_without_a_bus(self) -> None:
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={self.directory}/nothing"
        done = self.run_ctl("doctor")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nproblem  bus: the system bus cannot be reached", done.stdout)
