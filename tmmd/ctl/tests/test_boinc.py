# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmmctl boinc against a stand-in for tmm-boinc, made from the interface's XML, and one for systemd."""
from ctl_fixture import HERE, SOURCE, CtlFixture, Daemon

XML = SOURCE / "dbus/org.transparentmemory.TmmBoinc1.xml"


class Boinc(CtlFixture):
    def setUp(self) -> None:
        super().setUp()
        self.daemon.end()  # tmmctl boinc asks tmm-boinc only
        self.boinc = Daemon(self.environment, HERE / "boinc_stand_in.py", XML)
        self.addCleanup(self.boinc.end)

    def test_text(self) -> None:
        self.boinc.order(run=True)
        lines = self.out("boinc").splitlines()
        self.assertEqual(lines[0], "working: BOINC 7.20.5 follows tmmd")
        self.assertRegex(lines[3], r"^Einstein@Home +Gamma-ray search +LATeah_1\\x1b\[2J +42\.3 % +1\.0 GiB +running$")
        self.assertRegex(lines[4], r"waits for 1\.2 GiB$")
        self.assertRegex(lines[-1], r"^2026-11-23 +5\.2 h +1\.5 GiB hours$")

    def test_json(self) -> None:
        self.boinc.order(run=True, set={"TasksOutside": 1, "State": "read-only", "Message": "the password is not known",
                                        "OtherClients": ["Another BOINC client runs."]})
        report = self.json("boinc")
        self.assertEqual(set(report), {"state", "message", "client_version", "tasks_outside", "other_clients", "tasks", "days",
                                       "adapter_version"})
        self.assertEqual(report["other_clients"], ["Another BOINC client runs."])
        self.assertEqual((report["state"], report["message"]), ("read-only", "the password is not known"))
        self.assertEqual((report["tasks_outside"], report["client_version"], report["adapter_version"]), (1, "7.20.5", "0.1.0"))
        self.assertEqual(report["tasks"][1],
                         {"project": "Rosetta", "application": "mini", "name": "fold_7", "state": "waiting", "progress_share": 0,
                          "memory_bytes": 0, "swap_bytes": 1 << 30, "needed_bytes": 1288490188, "outside": False})
        self.assertEqual(report["days"], [{"date": "2026-11-23", "checkpointed_s": 18720, "given_byte_seconds": 5400 * 2**30}])

    def test_absence_is_told_with_its_remedy(self) -> None:
        for unit, message in {None: "tmm-boinc is not installed: its package is tmm-boinc",
                              "disabled": "'systemctl start tmm-boinc-enable' lets BOINC use idle memory",
                              "enabled": "tmm-boinc does not run: start it with 'systemctl start tmm-boinc'"}.items():
            with self.subTest(unit):
                self.boinc.order(unit=unit)
                self.fails(3, message, "boinc")
                self.fails(3, message, "boinc", "--json")
        self.boinc.end()
        self.fails(3, "tmm-boinc does not run", "boinc")

    def test_failures(self) -> None:
        self.boinc.order(run=True, fail=["org.freedesktop.DBus.Error.AccessDenied", "policy"])
        self.fails(1, "the bus does not let this user talk to tmm-boinc: policy", "boinc")
        self.boinc.order(fail=["org.freedesktop.DBus.Error.NoReply", "it hangs"])
        self.fails(3, "tmm-boinc does not answer", "boinc")
        self.boinc.order(fail=["org.example.Odd", "hm"])
        self.fails(1, "tmm-boinc: hm", "boinc")
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={self.directory}/nothing"
        self.fails(3, "the system bus cannot be reached", "boinc")

    def test_values_of_a_later_version_do_no_harm(self) -> None:
        self.boinc.order(run=True, set={"Tasks": [{"name": "only a name"}], "Days": []})
        lines = self.out("boinc").splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[3], r"only a name +- +-$")
