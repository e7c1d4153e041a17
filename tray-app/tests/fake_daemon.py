#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A fake tmmd for tests: implements the interfaces of dbus/*.xml with invented numbers on the bus of $DBUS_SYSTEM_BUS_ADDRESS.

Usage: fake_daemon.py XML_DIRECTORY [REPLAY.csv]
With REPLAY.csv, such as office-hour.csv, the last hour is that of the file, and nothing in it is invented.
It prints "ready" once it owns the bus name. Tests control it by the interface org.transparentmemory.FakeDaemon on /FakeDaemon,
which passes properties and values as JSON.
"""
import csv
import json
import math
import os
import sys
import time
from pathlib import Path

from gi.repository import Gio, GLib

NAME = "org.transparentmemory.Tmm1"
OBJECT = "/org/transparentmemory/Tmm1"
CONTRIBUTION = NAME + ".Contribution1"
GB = 1 << 30
MB = 1 << 20
NO_LIMIT = 2**64 - 1

CONTROL_XML = """<node><interface name="org.transparentmemory.FakeDaemon">
  <method name="Set"><arg name="properties" type="s" direction="in"/></method>
  <method name="SetContribution"><arg name="number" type="u" direction="in"/><arg name="values" type="s" direction="in"/></method>
  <method name="RemoveContribution"><arg name="number" type="u" direction="in"/></method>
  <method name="Refuse"><arg name="method" type="s" direction="in"/><arg name="error" type="s" direction="in"/></method>
  <method name="Notice"><arg name="kind" type="s" direction="in"/><arg name="text" type="s" direction="in"/></method>
  <method name="TakeCalls"><arg name="calls" type="s" direction="out"/></method>
  <method name="CountLists"><arg name="number" type="u" direction="out"/></method>
</interface></node>"""

VALUE_TYPES = {"max-bytes": "t", "max-percent": "d", "only-when-idle": "b", "only-on-mains": "b", "quiet-hours": "s",
               "need-bytes": "t", "total-bytes": "t", "opaque-limit-bytes": "t", "allowed-bytes": "t",
               "expected-misses-per-second": "d", "by-administrator": "b", "idle-after-seconds": "t", "swap-bytes": "t", "lack-bytes": "t"}


def first_status():
    return {
        "Version": "0.1.0",
        "State": "giving",
        "Reason": "opaque programs need 4.3 GiB of 16.0 GiB, limit 6.2 GiB; contributions are allowed 9.8 GiB; expected misses 0.4/s",
        "ReasonCode": "measured",
        "ReasonValues": {"need-bytes": int(4.3 * GB), "total-bytes": 16 * GB, "opaque-limit-bytes": int(6.2 * GB),
                         "allowed-bytes": int(9.8 * GB), "expected-misses-per-second": 0.4},
        "PausedUntil": 0,
        "TotalBytes": 16 * GB,
        "OpaqueBytes": int(5.1 * GB),
        "TransparentBytes": int(9.2 * GB),
        "FreeBytes": int(1.7 * GB),
        "SoftBytes": 0,
        "OpaqueLimitBytes": int(6.2 * GB),
        "TransparentLimitBytes": int(9.8 * GB),
        "ExpectedSlowdown": 0.004,
        "MeasuredStall": 0.0002,
        "LastReturnFaults": 12,
        "OwnerDecided": False,
        "Caps": {"max-bytes": NO_LIMIT, "max-percent": 100.0, "only-when-idle": False, "only-on-mains": False, "quiet-hours": ""},
        "Source": "tmm",
        "SourceReason": "the kernel has /dev/tmm",
        "GivenByteSeconds": 812 * 3.6e12,
    }


def first_contributions():
    return {
        1: {"name": "povray", "User": os.getuid(), "MemoryBytes": int(5.6 * GB), "State": "running", "Weight": 100},
        2: {"name": "einstein@home", "User": os.getuid(), "MemoryBytes": int(3.1 * GB), "State": "running", "Weight": 20},
        3: {"name": "", "User": 1234, "MemoryBytes": int(0.5 * GB), "State": "paused", "Weight": 100},
    }


def history_row(start, seconds):
    """Returns a row of a working day on a machine of 16 GB, with a break at noon. The present time counts as 15:00."""
    hour = (15 - (time.time() - start) / 3600) % 24
    busy = max(0.0, math.sin((hour - 6) / 16 * math.pi)) if 6 <= hour <= 22 else 0.0
    if 12 <= hour < 13:
        busy *= 0.4
    opaque = (2.2 + 2.9 * busy + (0.2 * math.sin(start / 800) + 0.1 * math.sin(start / 290)) * (0.3 + busy)) * GB
    limit = (3.5 + 2.7 * busy) * GB
    given = min(16 * GB - limit, 16 * GB - opaque) - 0.6 * GB
    stall = 0.0006 * busy
    faults = 12 if 12.99 <= hour <= 13.1 else 0
    free = 16 * GB - opaque - given
    sizes = map(int, (opaque, given, free, limit, 16 * GB - limit))
    return (start * 1_000_000, seconds, *sizes, stall, faults)


def history(resolution):
    step, span = {"minutes": (60, 7200), "hours": (900, 2 * 86400), "days": (3 * 3600, 31 * 86400)}[resolution]
    now = int(time.time())
    rows = [history_row(start, step) for start in range((now - span) // step * step, now // step * step + 1, step)]
    # A gap, as if the machine had slept.
    return [row for row in rows if not 30 * 3600 < now - row[0] / 1_000_000 < 40 * 3600]


class Replay:
    """An hour that the real policy decided, as rows of a minute; between two rows of the file, amounts change evenly."""

    def __init__(self, path):
        lines = (line for line in Path(path).read_text().splitlines() if not line.startswith("#"))
        self.rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]
        self.total = 16384

    def at(self, second, name):
        later = next((number for number, row in enumerate(self.rows) if row["second"] >= second), len(self.rows) - 1)
        one, other = self.rows[max(later - 1, 0)], self.rows[later]
        span = other["second"] - one["second"]
        part = (second - one["second"]) / span if span else 0
        return one[name] + part * (other[name] - one[name])

    def amounts(self, second):
        """Opaque, transparent and free memory and the opaque limit, in MB. The contribution takes all that it may have."""
        limit, opaque = self.at(second, "limit_mb"), self.at(second, "resident_mb")
        given = self.total - max(limit, opaque)
        return opaque, given, self.total - opaque - given, limit

    def history(self):
        now = int(time.time()) // 60 * 60
        first, last = (int(self.rows[number]["second"]) for number in (0, -1))
        rows = []
        for second in range(first, last + 1, 60):
            opaque, given, free, limit = self.amounts(second)
            sizes = (int(amount * MB) for amount in (opaque, given, free, limit, self.total - limit))
            stall = (self.at(second, "waited_s") - self.at(max(second - 60, first), "waited_s")) / 60
            rows.append(((now - last + second) * 1_000_000, 60, *sizes, stall, 0))
        return rows

    def status(self):
        opaque, given, free, limit = (int(amount * MB) for amount in self.amounts(self.rows[-1]["second"]))
        total = self.total * MB
        need = limit - total // 20  # without the margin
        words = f"limit {limit / GB:.1f} GiB; contributions are allowed {(total - limit) / GB:.1f} GiB; expected misses 0.0/s"
        return {
            "OpaqueBytes": opaque, "TransparentBytes": given, "FreeBytes": free, "OpaqueLimitBytes": limit,
            "TransparentLimitBytes": total - limit, "ExpectedSlowdown": 0.0, "MeasuredStall": 0.0, "LastReturnFaults": 0,
            "Reason": f"opaque programs need {need / GB:.1f} GiB of 16.0 GiB, {words}",
            "ReasonValues": {"need-bytes": need, "total-bytes": total, "opaque-limit-bytes": limit,
                             "allowed-bytes": total - limit},
            "GivenByteSeconds": float(sum(row[3] * 60 for row in self.history())),
        }

    def contributions(self):
        given = self.status()["TransparentBytes"]
        return {1: {"name": "povray", "User": os.getuid(), "MemoryBytes": given * 2 // 3, "State": "running", "Weight": 100},
                2: {"name": "einstein@home", "User": os.getuid(), "MemoryBytes": given // 3, "State": "running", "Weight": 20},
                3: {"name": "", "User": 1234, "MemoryBytes": 0, "State": "paused", "Weight": 100}}


class Refusal(Exception):
    pass


class Daemon:
    def __init__(self, connection, xml_directory, replay):
        self.connection = connection
        self.replay = replay
        self.status = first_status() | (replay.status() if replay else {})
        self.contributions = {}
        self.registered = {}
        self.refusals = {}
        self.calls = []
        self.nr_lists = 0
        self.soft_cap = NO_LIMIT
        self.soft_weights = {}
        self.interfaces = {}
        for name in (NAME, CONTRIBUTION):
            node = Gio.DBusNodeInfo.new_for_xml((Path(xml_directory) / f"{name}.xml").read_text())
            self.interfaces[name] = node.lookup_interface(name)
        control = Gio.DBusNodeInfo.new_for_xml(CONTROL_XML).interfaces[0]
        connection.register_object("/FakeDaemon", control, self.on_control, None, None)
        connection.register_object(OBJECT, self.interfaces[NAME], self.on_call, self.get_property, None)
        for number, values in (replay.contributions() if replay else first_contributions()).items():
            self.set_contribution(number, values)

    # Values with the types of the XML.

    @staticmethod
    def variants(values):
        return {key: GLib.Variant(VALUE_TYPES[key], item) for key, item in values.items()}

    def typed(self, interface, name, value):
        signature = self.interfaces[interface].lookup_property(name).signature
        if name in ("Caps", "ReasonValues"):
            value = self.variants(value)
        return GLib.Variant(signature, value)

    def get_property(self, _connection, _sender, path, interface, name):
        if interface == CONTRIBUTION:
            return self.typed(interface, name, self.contributions[self.number_of(path)].get(name, 0))
        if name == "Contributions":
            return GLib.Variant("ao", [self.path_of(number) for number in sorted(self.contributions)])
        return self.typed(interface, name, self.status[name])

    def changed(self, path, interface, names):
        values = {name: self.get_property(None, None, path, interface, name) for name in names}
        body = GLib.Variant("(sa{sv}as)", (interface, values, []))
        self.connection.emit_signal(None, path, "org.freedesktop.DBus.Properties", "PropertiesChanged", body)

    def set_status(self, **values):
        self.status |= values
        self.changed(OBJECT, NAME, values)

    # Contributions.

    @staticmethod
    def path_of(number):
        return f"{OBJECT}/contributions/{number}"

    @staticmethod
    def number_of(path):
        return int(path.rsplit("/", 1)[1])

    def set_contribution(self, number, values):
        path = self.path_of(number)
        if number in self.contributions:
            self.contributions[number] |= values
            self.changed(path, CONTRIBUTION, [name for name in values if name != "name"])
            return
        self.contributions[number] = values
        self.registered[number] = self.connection.register_object(
            path, self.interfaces[CONTRIBUTION], self.on_call, self.get_property, None)
        self.signal_contributions("ContributionAdded", path)

    def remove_contribution(self, number):
        del self.contributions[number]
        self.connection.unregister_object(self.registered.pop(number))
        self.signal_contributions("ContributionRemoved", self.path_of(number))

    def signal_contributions(self, signal, path):
        self.connection.emit_signal(None, OBJECT, NAME, signal, GLib.Variant("(o)", (path,)))
        self.changed(OBJECT, NAME, ["Contributions"])

    # Calls.

    def on_call(self, _connection, _sender, path, interface, method, arguments, invocation):
        arguments = arguments.unpack()
        if not method.startswith(("Get", "List")):
            self.calls.append([path.removeprefix(OBJECT), method, *arguments])
        try:
            refusal = self.refusals.get(method)
            if refusal:
                raise Refusal(refusal)
            owner = self if interface == NAME else None
            handler = getattr(self, ("do_" if owner else "contribution_") + method)
            result = handler(*arguments) if owner else handler(self.number_of(path), *arguments)
        except Refusal as refusal:
            invocation.return_dbus_error(str(refusal), f"the fake daemon was told to refuse {method}")
            return
        invocation.return_value(result)

    def do_Pause(self, seconds):
        until = int((time.time() + seconds) * 1_000_000) if seconds else NO_LIMIT
        self.set_status(State="paused", PausedUntil=until, Reason="the owner asked for a pause", ReasonCode="paused", ReasonValues={},
                        TransparentBytes=0)

    def do_Resume(self):
        first = first_status()
        self.set_status(**{name: first[name] for name in ("State", "PausedUntil", "Reason", "ReasonCode", "ReasonValues", "TransparentBytes")})

    def do_SetOn(self, on):
        if on:
            self.do_Resume()
        else:
            self.set_status(State="off", Reason="switched off by the owner", ReasonCode="off", ReasonValues={}, TransparentBytes=0)

    def do_SetCaps(self, caps):
        self.set_status(Caps=self.status["Caps"] | caps)

    def do_GetHistory(self, resolution):
        rows = self.replay.history() if self.replay and resolution == "minutes" else history(resolution)
        return GLib.Variant("(a(tttttttdt))", (rows,))

    def do_GetSoftHeaps(self):
        heaps = [(os.getpid(), os.getuid(), 1 * GB, int(0.9 * GB), 3 * GB, 0.25, 0.01, 0.8, 0.82),
                 (os.getppid(), os.getuid(), 300 * MB, 280 * MB, 2 * GB, 1.5, 0.5, 0.4, 0.45)]
        return GLib.Variant("(a(uutttdddd))", (heaps,))

    def do_GetSoftShares(self):
        return GLib.Variant("((ta(uu)))", ((self.soft_cap, sorted(self.soft_weights.items())),))

    def do_SetSoftCap(self, max_bytes):
        self.soft_cap = max_bytes

    def do_SetSoftWeight(self, user, weight):
        self.soft_weights[user] = weight

    def do_ListDecisions(self, max_rows):
        now = int(time.time()) * 1_000_000
        minute = 60_000_000
        decisions = [
            (now - 25 * minute, now, 25, "measured", self.status["Reason"], "measured", self.variants(self.status["ReasonValues"])),
            (now - 26 * minute, now - 26 * minute, 1, "corrected",
             "opaque programs need 5.2 GiB of 16.0 GiB, limit 7.1 GiB; contributions are allowed 8.9 GiB; corrected at once, "
             "since misses exceeded the goal", "corrected",
             self.variants({"need-bytes": int(5.2 * GB), "total-bytes": 16 * GB, "opaque-limit-bytes": int(7.1 * GB),
                             "allowed-bytes": int(8.9 * GB)})),
            (now - 90 * minute, now - 27 * minute, 60, "learning",
             "learning the needs of opaque programs; contributions get only free memory", "learning", {}),
        ]
        return GLib.Variant("(a(ttusssa{sv}))", (decisions[:max_rows],))

    def do_ListContributions(self):
        self.nr_lists += 1
        rows = [(self.path_of(number), c["name"], c["User"], c["MemoryBytes"], c["State"], c["Weight"], c.get("FarBytes", 0))
                for number, c in sorted(self.contributions.items())]
        return GLib.Variant("(a(osutsut))", (rows,))

    def contribution_Pause(self, number):
        self.set_contribution(number, {"State": "paused"})

    def contribution_Resume(self, number):
        self.set_contribution(number, {"State": "running"})

    def contribution_Stop(self, number):
        self.set_contribution(number, {"State": "stopping"})

    def contribution_SetWeight(self, number, weight):
        self.set_contribution(number, {"Weight": weight})

    def on_control(self, _connection, _sender, _path, _interface, method, arguments, invocation):
        arguments = arguments.unpack()
        result = None
        if method == "Set":
            self.set_status(**json.loads(arguments[0]))
        elif method == "SetContribution":
            self.set_contribution(arguments[0], json.loads(arguments[1]))
        elif method == "RemoveContribution":
            self.remove_contribution(arguments[0])
        elif method == "Refuse":
            self.refusals[arguments[0]] = arguments[1]
        elif method == "Notice":
            self.connection.emit_signal(None, OBJECT, NAME, "Notice", GLib.Variant("(ss)", arguments))
        elif method == "TakeCalls":
            result = GLib.Variant("(s)", (json.dumps(self.calls),))
            self.calls = []
        elif method == "CountLists":
            result = GLib.Variant("(u)", (self.nr_lists,))
        invocation.return_value(result)


def main():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    connection = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SYSTEM_BUS_ADDRESS"], flags, None, None)
    daemon = Daemon(connection, sys.argv[1], Replay(sys.argv[2]) if len(sys.argv) > 2 else None)
    loop = GLib.MainLoop()
    connection.connect("closed", lambda *_: loop.quit())
    Gio.bus_own_name_on_connection(
        connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), lambda *_: loop.quit())
    loop.run()
    return daemon


if __name__ == "__main__":
    main()
