# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""boinc_stand_in.py XML: stands in for tmm-boinc and for systemd on a bus. The types are those of the interface's XML.

Reads one JSON object a line from standard input and answers each with one on standard output, when it has been done:
  {"run": true}            comes to the bus as tmm-boinc; false: leaves it
  {"set": {PROPERTY: VALUE}}
  {"unit": STATE}          what systemd says of tmm-boinc.service; null: there is no such unit
  {"fail": [ERROR, MESSAGE]}  makes reading the properties fail
"""
import json
import sys
from pathlib import Path

from gi.repository import Gio, GLib

NAME = "org.transparentmemory.TmmBoinc1"
PATH = "/org/transparentmemory/TmmBoinc1"
SYSTEMD = "org.freedesktop.systemd1"
SYSTEMD_XML = f"""<node><interface name="{SYSTEMD}.Manager"><method name="GetUnitFileState">
  <arg type="s" direction="in"/><arg type="s" direction="out"/></method></interface></node>"""
PROPERTIES_XML = """<node><interface name="org.freedesktop.DBus.Properties"><method name="GetAll">
  <arg type="s" direction="in"/><arg type="a{sv}" direction="out"/></method></interface></node>"""
TASK_TYPES = {"project": "s", "application": "s", "name": "s", "state": "s", "progress": "d", "memory-bytes": "t",
              "swap-bytes": "t", "needed-bytes": "t", "outside": "b"}

PROPERTIES = {
    "Version": "0.1.0", "State": "working", "Message": "", "ClientVersion": "7.20.5", "TasksOutside": 0, "OtherClients": [],
    "Tasks": [{"project": "Einstein@Home", "application": "Gamma-ray search", "name": "LATeah_1\x1b[2J", "state": "running",
               "progress": 0.4234, "memory-bytes": 1 << 30, "swap-bytes": 0, "needed-bytes": 0, "outside": False},
              {"project": "Rosetta", "application": "mini", "name": "fold_7", "state": "waiting", "progress": 0.0,
               "memory-bytes": 0, "swap-bytes": 1 << 30, "needed-bytes": 1288490188, "outside": False}],
    "Days": [("2026-11-23", 18720.0, 5400.0 * (1 << 30))],
}


class StandIn:
    def __init__(self, xml: str) -> None:
        self.interface = Gio.DBusNodeInfo.new_for_xml(xml).lookup_interface(NAME)
        self.properties = dict(PROPERTIES)
        self.unit = "enabled"
        self.failure = None
        self.connection = Gio.bus_get_sync(Gio.BusType.SYSTEM)
        for path, text, call in ((PATH, PROPERTIES_XML, self.get_all), ("/org/freedesktop/systemd1", SYSTEMD_XML, self.unit_state)):
            self.connection.register_object(path, Gio.DBusNodeInfo.new_for_xml(text).interfaces[0], call, None, None)

    def packed(self, name: str) -> GLib.Variant:
        value = self.properties[name]
        if name == "Tasks":
            value = [{key: GLib.Variant(TASK_TYPES[key], item) for key, item in task.items()} for task in value]
        return GLib.Variant(self.interface.lookup_property(name).signature, value)

    def get_all(self, _connection, _sender, _path, _interface, _method, _arguments, invocation) -> None:
        if self.failure:
            invocation.return_dbus_error(*self.failure)
            return
        values = {name: self.packed(name) for name in self.properties}
        invocation.return_value(GLib.Variant("(a{sv})", (values,)))

    def unit_state(self, _connection, _sender, _path, _interface, _method, arguments, invocation) -> None:
        if arguments.unpack() != ("tmm-boinc.service",) or self.unit is None:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.FileNotFound", "No such file or directory")
        else:
            invocation.return_value(GLib.Variant("(s)", (self.unit,)))

    def own(self, name: str, wanted: bool) -> None:
        method, signature, arguments = ("RequestName", "(su)", (name, 0)) if wanted else ("ReleaseName", "(s)", (name,))
        bus = "org.freedesktop.DBus"
        self.connection.call_sync(bus, "/org/freedesktop/DBus", bus, method, GLib.Variant(signature, arguments), None, 0, -1, None)

    def obey(self, order: dict[str, object]) -> None:
        for word, argument in order.items():
            if word == "run":
                self.own(NAME, argument)
            elif word == "set":
                self.properties.update(argument)
            elif word == "unit":
                self.unit = argument
            elif word == "fail":
                self.failure = argument
        self.connection.flush_sync()

    def read_order(self, _source, _condition) -> bool:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        self.obey(json.loads(line))
        print("null", flush=True)
        return True


def main() -> None:
    stand_in = StandIn(Path(sys.argv[1]).read_text(encoding="utf-8"))
    stand_in.own(SYSTEMD, True)
    print("null", flush=True)
    GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, stand_in.read_order)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
