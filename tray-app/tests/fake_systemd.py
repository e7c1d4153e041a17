#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A stand-in for systemd on the bus of $DBUS_SYSTEM_BUS_ADDRESS: StartUnit runs a command, once the caller allows a dialogue.

Usage: fake_systemd.py UNIT COMMAND [ARGUMENT]...
It prints "ready" once it owns the bus name, and ends with the bus."""
import os
import subprocess
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.systemd1"
XML = """<node><interface name="org.freedesktop.systemd1.Manager"><method name="StartUnit">
  <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/></method></interface></node>"""


def on_call(_connection, _sender, _path, _interface, _method, arguments, invocation):
    unit, mode = arguments.unpack()
    if not invocation.get_message().get_flags() & Gio.DBusMessageFlags.ALLOW_INTERACTIVE_AUTHORIZATION:
        invocation.return_dbus_error("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", "polkit would ask")
    elif unit != sys.argv[1] or mode != "replace":
        invocation.return_dbus_error(f"{NAME}.NoSuchUnit", f"Unit {unit} not found.")
    else:
        subprocess.Popen(sys.argv[2:])  # ends with the bus, as this program does
        invocation.return_value(GLib.Variant("(o)", ("/org/freedesktop/systemd1/job/1",)))


def main():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    connection = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SYSTEM_BUS_ADDRESS"], flags, None, None)
    interface = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
    connection.register_object("/org/freedesktop/systemd1", interface, on_call, None, None)
    loop = GLib.MainLoop()
    connection.connect("closed", lambda *_: loop.quit())
    Gio.bus_own_name_on_connection(connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True),
                                   lambda *_: loop.quit())
    loop.run()


if __name__ == "__main__":
    main()
