#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A fake tmm-boinc for tests: the interface of dbus/org.transparentmemory.TmmBoinc1.xml with invented tasks, on the bus of
$DBUS_SYSTEM_BUS_ADDRESS.

Usage: fake_boinc.py XML_DIRECTORY
It prints "ready" once it owns the bus name. Tests control it by the interface org.transparentmemory.FakeBoinc on /FakeBoinc:
  Set   properties as a JSON object
  Send  a property and a value of any type in GLib's text form, for values that a real one never sends"""
import datetime
import json
import os
import sys
from pathlib import Path

from gi.repository import Gio, GLib

NAME = "org.transparentmemory.TmmBoinc1"
OBJECT = "/org/transparentmemory/TmmBoinc1"
GIB = 1 << 30
CONTROL_XML = """<node><interface name="org.transparentmemory.FakeBoinc">
  <method name="Set"><arg type="s" direction="in"/></method>
  <method name="Send"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""
TASK_TYPES = {"project": "s", "application": "s", "name": "s", "state": "s", "progress": "d", "memory-bytes": "t",
              "swap-bytes": "t", "needed-bytes": "t", "outside": "b"}


def task(project, application, name, state, progress, memory, swap=0.0, needed=0.0, outside=False):
    return {"project": project, "application": application, "name": name, "state": state, "progress": progress,
            "memory-bytes": int(memory * GIB), "swap-bytes": int(swap * GIB), "needed-bytes": int(needed * GIB), "outside": outside}


def first_tasks():
    return [
        task("Einstein@Home", "Gamma-ray pulsar search #5", "LATeah1089F_1144.0_2104_-1.0_0", "running", 0.6234, 0.9),
        task("Rosetta@home", "Rosetta", "rb_11_24_20934_20687_ab_t000__h001_robetta_SAVE_ALL_OUT_1045711_217_0", "running", 0.0871, 1.4),
        task("World Community Grid", "Mapping Cancer Markers", "MCM1_0229814_2381_1", "waiting", 0.4102, 0.1, 0.7, 1.2),
        task("climateprediction.net", "Weather At Home 2 (wah2)", "wah2_eas50_a0xk_201612_24_1028_012271345_0", "suspended", 0.9312, 0.6),
        task("Einstein@Home", "Gamma-ray pulsar search #5", "LATeah1089F_1144.0_2107_-1.0_1", "queued", 0.0, 0),
    ]


def first_days():
    """A week that ends today; the hours of science and the GiB hours of each day."""
    amounts = [(3.1, 9.5), (6.4, 22.8), (11.8, 60.1), (12.3, 64.9), (5.2, 17.3), (7.7, 30.4), (2.4, 8.8)]
    today = datetime.date.today()
    dates = [today - datetime.timedelta(days=number) for number in reversed(range(len(amounts)))]
    return [(date.isoformat(), hours * 3600, gib_hours * 3600 * GIB) for date, (hours, gib_hours) in zip(dates, amounts)]


class Boinc:
    def __init__(self, connection, xml_directory):
        self.connection = connection
        self.properties = {"Version": "0.1.0", "State": "working", "Message": "", "ClientVersion": "7.20.5", "TasksOutside": 0,
                           "OtherClients": [], "Tasks": first_tasks(), "Days": first_days()}
        self.interface = Gio.DBusNodeInfo.new_for_xml((Path(xml_directory) / f"{NAME}.xml").read_text()).lookup_interface(NAME)
        connection.register_object(OBJECT, self.interface, None, self.get_property, None)
        control = Gio.DBusNodeInfo.new_for_xml(CONTROL_XML).interfaces[0]
        connection.register_object("/FakeBoinc", control, self.on_control, None, None)

    def get_property(self, _connection, _sender, _path, _interface, name):
        value = self.properties[name]
        if name == "Tasks":
            value = [{key: GLib.Variant(TASK_TYPES[key], item) for key, item in each.items()} for each in value]
        return GLib.Variant(self.interface.lookup_property(name).signature, value)

    def changed(self, values):
        body = GLib.Variant("(sa{sv}as)", (NAME, values, []))
        self.connection.emit_signal(None, OBJECT, "org.freedesktop.DBus.Properties", "PropertiesChanged", body)

    def on_control(self, _connection, _sender, _path, _interface, method, arguments, invocation):
        if method == "Set":
            values = json.loads(arguments.unpack()[0])
            self.properties |= values
            self.changed({name: self.get_property(None, None, None, None, name) for name in values})
        else:
            name, text = arguments.unpack()
            self.changed({name: GLib.Variant.parse(None, text)})
        invocation.return_value(None)


def main():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    connection = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SYSTEM_BUS_ADDRESS"], flags, None, None)
    boinc = Boinc(connection, sys.argv[1])
    loop = GLib.MainLoop()
    connection.connect("closed", lambda *_: loop.quit())
    Gio.bus_own_name_on_connection(
        connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), lambda *_: loop.quit())
    loop.run()
    return boinc


if __name__ == "__main__":
    main()
