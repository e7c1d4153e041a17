# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""stand_in.py XML: stands in for tmmd on a bus. Made from the interface's XML, so that every type is that of the interface.

Reads one JSON object a line from standard input and answers each with one on standard output, when it has been done:
  {"set": {PROPERTY: VALUE}}           changes properties and signals that
  {"answer": [METHOD, [VALUE...]]}     sets what a method returns
  {"fail": [METHOD, ERROR, MESSAGE]}   makes it fail; ERROR null: it does not answer
  {"emit": [SIGNAL, [VALUE...]]}
  {"calls": null}                      returns the calls since the last time: [[METHOD, [VALUE...]]...]
"""
import json
import sys
from pathlib import Path

from gi.repository import Gio, GLib

NAME = "org.transparentmemory.Tmm1"
PATH = "/org/transparentmemory/Tmm1"
NO_LIMIT = 2**64 - 1
VALUE_TYPES = {"max-bytes": "t", "max-percent": "d", "only-when-idle": "b", "only-on-mains": "b", "quiet-hours": "s",
               "need-bytes": "t"}

PROPERTIES = {
    "Version": "0.1.0", "State": "giving",
    "Reason": "opaque programs need 4.3 GiB of 16.0 GiB, limit 5.1 GiB; contributions are allowed 10.9 GiB",
    "ReasonCode": "measured", "ReasonValues": {"need-bytes": 4 << 30, "quiet-hours": "22:00-07:00"}, "PausedUntil": 0,
    "TotalBytes": 16 << 30, "OpaqueBytes": 5 << 30, "TransparentBytes": 9 << 30, "FreeBytes": 2 << 30, "SoftBytes": 0,
    "OpaqueLimitBytes": 6 << 30, "TransparentLimitBytes": 10 << 30, "ExpectedSlowdown": 0.004, "MeasuredStall": float("nan"),
    "LastReturnFaults": 120, "OwnerDecided": True, "Caps": {"max-bytes": NO_LIMIT, "max-percent": 100.0, "only-when-idle": False, "only-on-mains": False,
                                      "quiet-hours": ""},
    "Source": "tmm", "SourceReason": "the kernel has it", "Contributions": [PATH + "/contributions/1"], "GivenByteSeconds": 3.6e12,
}
ANSWERS = {
    "Pause": [], "Resume": [], "Stop": [], "SetOn": [], "SetCaps": [], "SetSoftCap": [], "SetSoftWeight": [],
    "GetSoftShares": [(2 << 30, [(1000, 300)])],
    "GetSoftHeaps": [[(7, 1000, 1 << 30, 1 << 29, 3 << 30, 0.25, 0.01, 0.9, 0.88)]],
    "ListContributions": [[(PATH + "/contributions/1", "povray\x1b[2J größer", 0, 4 << 30, "running", 100, 2 << 30),
                           (PATH + "/contributions/2", "", 4000000000, 1 << 30, "paused", 50, 0)]],
    "GetHistory": [[(1_795_262_400_000_000, 600, 5 << 30, 9 << 30, 2 << 30, 6 << 30, 10 << 30, 0.001, 12),
                    (1_795_263_000_000_000, 60, 0, 0, 0, 0, 0, float("nan"), 0)]],
    "GetDecisions": [[(1_795_262_400_000_000, 1_795_262_460_000_000, 7, "measured", "because")]],
    "RegisterContribution": [PATH + "/contributions/1"],
}


def packed(signature: str, value: object) -> GLib.Variant:
    if signature == "a{sv}":
        return GLib.Variant(signature, {key: GLib.Variant(VALUE_TYPES[key], item) for key, item in value.items()})
    return GLib.Variant(signature, value)


class StandIn:
    def __init__(self, xml: str, contribution_xml: str) -> None:
        self.interface = Gio.DBusNodeInfo.new_for_xml(xml).lookup_interface(NAME)
        self.properties = dict(PROPERTIES)
        self.answers = dict(ANSWERS)
        self.failures: dict[str, list[str | None]] = {}
        self.calls: list[list[object]] = []
        self.unanswered: list[Gio.DBusMethodInvocation] = []
        self.connection = Gio.bus_get_sync(Gio.BusType.SYSTEM)
        self.connection.register_object(PATH, self.interface, self.call, self.get, None)
        self.contribution = Gio.DBusNodeInfo.new_for_xml(contribution_xml).lookup_interface(NAME + ".Contribution1")
        for number in (1, 2):
            self.connection.register_object(f"{PATH}/contributions/{number}", self.contribution, self.call, None, None)

    def get(self, _connection, _sender, _path, _interface, name: str) -> GLib.Variant:
        return packed(self.interface.lookup_property(name).signature, self.properties[name])

    def call(self, _connection, _sender, path: str, _interface, method: str, arguments: GLib.Variant, invocation) -> None:
        types = [[arguments.get_child_value(i).get_type_string()] for i in range(arguments.n_children())]
        for i, (kind,) in enumerate(types):
            if kind == "a{sv}":  # the types inside count, too
                given = arguments.get_child_value(i)
                entries = [given.get_child_value(j) for j in range(given.n_children())]
                types[i] += [{entry.get_child_value(0).get_string(): entry.get_child_value(1).get_variant().get_type_string()
                              for entry in entries}]
        if path == PATH:
            self.calls.append([method, arguments.unpack(), types])
        else:
            self.calls.append([method, path.removeprefix(PATH)])
        if method in self.failures:
            error, message = self.failures[method]
            if error is None:
                self.unanswered.append(invocation)
            else:
                invocation.return_dbus_error(f"{NAME}.Error.{error}" if "." not in error else error, message)
            return
        interface = self.interface if path == PATH else self.contribution
        signature = "".join(argument.signature for argument in interface.lookup_method(method).out_args)
        invocation.return_value(GLib.Variant(f"({signature})", tuple(self.answers[method])))

    def set(self, changes: dict[str, object]) -> None:
        self.properties.update(changes)
        changed = {name: packed(self.interface.lookup_property(name).signature, value) for name, value in changes.items()}
        self.connection.emit_signal(None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                    GLib.Variant("(sa{sv}as)", (NAME, changed, [])))

    def emit(self, signal: str, values: list[object]) -> None:
        signature = "".join(argument.signature for argument in self.interface.lookup_signal(signal).args)
        self.connection.emit_signal(None, PATH, NAME, signal, GLib.Variant(f"({signature})", tuple(values)))

    def obey(self, order: dict[str, object]) -> object:
        for word, argument in order.items():
            if word == "set":
                self.set(argument)
            elif word == "answer":
                self.answers[argument[0]] = argument[1]
            elif word == "fail":
                self.failures[argument[0]] = argument[1:]
            elif word == "emit":
                self.emit(*argument)
            elif word == "calls":
                calls, self.calls = self.calls, []
                return calls
        self.connection.flush_sync()
        return None

    def read_order(self, _source, _condition) -> bool:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        print(json.dumps(self.obey(json.loads(line))), flush=True)
        return True


def main() -> None:
    xml = Path(sys.argv[1])
    stand_in = StandIn(xml.read_text(encoding="utf-8"), xml.with_name(f"{NAME}.Contribution1.xml").read_text(encoding="utf-8"))
    Gio.bus_own_name_on_connection(stand_in.connection, NAME, Gio.BusNameOwnerFlags.NONE,
                                   lambda *_: print("null", flush=True), None)
    GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP,
                      stand_in.read_order)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
