#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A stand-in for systemd on the bus of $DBUS_SYSTEM_BUS_ADDRESS: StartUnit runs a command, or the units that switch tmm-boinc, and
RestartUnit restarts BOINC's client, once the caller allows a dialogue.

Usage: fake_systemd.py [UNIT COMMAND [ARGUMENT]...]
It prints "ready" once it owns the bus name, and ends with the bus. As systemd does, it tells the ends of jobs only if somebody has
subscribed. Tests control it by the interface org.transparentmemory.FakeSystemd on /FakeSystemd:
  SetUnits   a JSON object from units to the words of GetUnitFileState; other units do not exist
  SetResult  the result of the jobs to come, such as "done"; "early": as "done", but told before StartUnit is answered;
             "never": it is not told
  Refuse     makes StartUnit fail with a D-Bus error; an empty one ends that
  TakeCalls  the units started, restarted, or stopped ("stop UNIT") since the last time, as a JSON list"""
import json
import os
import subprocess
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.systemd1"
MANAGER = f"{NAME}.Manager"
OBJECT = "/org/freedesktop/systemd1"
ADAPTER, CLIENT = "tmm-boinc.service", "boinc-client.service"
SWITCHES = {"tmm-boinc-enable.service": "enabled", "tmm-boinc-disable.service": "disabled"}
XML = f"""<node><interface name="{MANAGER}">
  <method name="StartUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <method name="RestartUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <method name="StopUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <method name="GetUnitFileState"><arg type="s" direction="in"/><arg type="s" direction="out"/></method>
  <method name="Subscribe"/>
  <method name="Unsubscribe"/>
</interface></node>"""
CONTROL_XML = """<node><interface name="org.transparentmemory.FakeSystemd">
  <method name="SetUnits"><arg type="s" direction="in"/></method>
  <method name="SetResult"><arg type="s" direction="in"/></method>
  <method name="Refuse"><arg type="s" direction="in"/></method>
  <method name="TakeCalls"><arg type="s" direction="out"/></method>
</interface></node>"""


class Systemd:
    def __init__(self, connection, service, command):
        self.connection = connection
        self.service = service
        self.command = command
        self.units = {}
        self.result = "done"
        self.refusal = ""
        self.subscribers = set()
        self.started = []
        self.nr_jobs = 0
        for path, xml, on_call in ((OBJECT, XML, self.on_call), ("/FakeSystemd", CONTROL_XML, self.on_control)):
            connection.register_object(path, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], on_call, None, None)

    def on_call(self, _connection, sender, _path, _interface, method, arguments, invocation):
        if method == "Subscribe":
            if sender in self.subscribers:
                invocation.return_dbus_error(f"{NAME}.AlreadySubscribed", "Client is already subscribed.")
                return
            self.subscribers.add(sender)
            invocation.return_value(None)
        elif method == "Unsubscribe":
            self.subscribers.discard(sender)
            invocation.return_value(None)
        elif method == "StopUnit":
            self.started.append(f"stop {arguments.unpack()[0]}")
            invocation.return_value(GLib.Variant("(o)", (f"{OBJECT}/job/1",)))
        elif method == "GetUnitFileState":
            self.unit_file_state(*arguments.unpack(), invocation)
        else:
            self.start_unit(*arguments.unpack(), method == "RestartUnit", invocation)

    def unit_file_state(self, unit, invocation):
        if unit in self.units:
            invocation.return_value(GLib.Variant("(s)", (self.units[unit],)))
        else:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.FileNotFound", "No such file or directory")

    def start_unit(self, unit, mode, again, invocation):
        may_ask = invocation.get_message().get_flags() & Gio.DBusMessageFlags.ALLOW_INTERACTIVE_AUTHORIZATION
        exists = (unit == CLIENT and unit in self.units) if again else unit == self.service or (unit in SWITCHES and ADAPTER in self.units)
        if not may_ask:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", "polkit would ask")
        elif self.refusal:
            invocation.return_dbus_error(self.refusal, "the fake systemd was told to refuse")
        elif not exists or mode != "replace":
            invocation.return_dbus_error(f"{NAME}.NoSuchUnit", f"Unit {unit} not found.")
        else:
            self.run(unit, invocation)

    def run(self, unit, invocation):
        self.nr_jobs += 1
        self.started.append(unit)
        if unit == self.service:
            subprocess.Popen(self.command)  # ends with the bus, as this program does
        elif unit in SWITCHES and self.result in ("done", "early"):
            self.units[ADAPTER] = SWITCHES[unit]
        job = f"{OBJECT}/job/{self.nr_jobs}"
        # Another job of that unit does not end the caller's.
        self.job_removed(f"{OBJECT}/job/999", unit, "failed")
        if self.result == "early":
            self.job_removed(job, unit, "done")
        invocation.return_value(GLib.Variant("(o)", (job,)))
        if self.result not in ("early", "never"):
            self.job_removed(job, unit, self.result)

    def job_removed(self, job, unit, result):
        if self.subscribers:
            body = GLib.Variant("(uoss)", (self.nr_jobs, job, unit, result))
            self.connection.emit_signal(None, OBJECT, MANAGER, "JobRemoved", body)

    def on_control(self, _connection, _sender, _path, _interface, method, arguments, invocation):
        result = None
        if method == "SetUnits":
            self.units = json.loads(arguments.unpack()[0])
        elif method == "SetResult":
            self.result = arguments.unpack()[0]
        elif method == "Refuse":
            self.refusal = arguments.unpack()[0]
        else:
            result = GLib.Variant("(s)", (json.dumps(self.started),))
            self.started = []
        invocation.return_value(result)


def main():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    connection = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SYSTEM_BUS_ADDRESS"], flags, None, None)
    systemd = Systemd(connection, sys.argv[1] if len(sys.argv) > 1 else None, sys.argv[2:])
    loop = GLib.MainLoop()
    connection.connect("closed", lambda *_: loop.quit())
    Gio.bus_own_name_on_connection(connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True),
                                   lambda *_: loop.quit())
    loop.run()
    return systemd


if __name__ == "__main__":
    main()
