# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Desktop with private session and system buses, a notification service and the fake daemon."""
import json
import os
import shutil
import tempfile
from pathlib import Path

from gi.repository import Gio, GLib

from desktop_fixture import Desktop, connect, eventually

SOURCE = Path(__file__).resolve().parent.parent.parent
TMM = "org.transparentmemory.Tmm1"
BOINC = "org.transparentmemory.TmmBoinc1"
SYSTEMD = "org.freedesktop.systemd1"

BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default"><allow send_destination="*"/><allow eavesdrop="false"/><allow own="*"/></policy>
</busconfig>
"""

NOTIFICATIONS_XML = """<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


def answers(address):
    """Returns whether a bus listens at the address: its socket file exists before it listens."""
    try:
        return connect(address).close_sync(None)
    except GLib.Error:
        return False


class Notifications:
    """Implements org.freedesktop.Notifications and records each notification."""

    def __init__(self, connection):
        self.connection = connection
        self.shown = []
        interface = Gio.DBusNodeInfo.new_for_xml(NOTIFICATIONS_XML).interfaces[0]
        connection.register_object("/org/freedesktop/Notifications", interface, self.on_call, None, None)
        Gio.bus_own_name_on_connection(connection, "org.freedesktop.Notifications", Gio.BusNameOwnerFlags.NONE, None, None)

    def on_call(self, _connection, _sender, _path, _interface, _method, arguments, invocation):
        _app, replaces, icon, title, text, actions, _hints, _timeout = arguments.unpack()
        self.shown.append({"replaces": replaces, "icon": icon, "title": title, "text": text, "actions": actions})
        invocation.return_value(GLib.Variant("(u)", (replaces or len(self.shown),)))

    def click(self, number):
        self.connection.emit_signal(None, "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked",
                                    GLib.Variant("(us)", (number, "default")))


class Session(Desktop):
    def __init__(self, program, dark_panel=False):
        self.program = program
        directory = Path(tempfile.mkdtemp(prefix="tmm-tray-"))
        home = directory / "home"
        home.mkdir()
        staged = program.parent.parent
        super().__init__(directory, home, {
            "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "en_US.UTF-8", "LC_ALL": "en_US.UTF-8", "NO_AT_BRIDGE": "1",
            "XDG_RUNTIME_DIR": str(directory), "XDG_DATA_DIRS": f"{staged}/share:/usr/local/share:/usr/share",
            "XDG_CONFIG_DIRS": f"{staged}/etc/xdg:/etc/xdg", "QT_QPA_PLATFORM": "xcb",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={directory}/session",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={directory}/system",
        })
        self.write_panel_config(dark_panel)
        self.start_display()
        self.start_bus("session")
        self.connect()
        self.notifications = Notifications(self.bus)
        self.system_bus = self.start_bus("system")

    def end(self):
        self.kill_all()
        shutil.rmtree(self.directory)

    def start_bus(self, name):
        services = self.directory / f"{name}-services"
        services.mkdir(exist_ok=True)
        if name == "system":
            systemd = f"/usr/bin/python3 {SOURCE}/tray-app/tests/fake_systemd.py tmmd.service {self.daemon_command()}"
            (services / f"{SYSTEMD}.service").write_text(f"[D-BUS Service]\nName={SYSTEMD}\nExec={systemd}\n")
        config = self.directory / f"{name}.conf"
        address = f"unix:path={self.directory}/{name}"
        config.write_text(BUS_CONFIG.format(address=address, services=services))
        process = self.start("dbus-daemon", "--nofork", f"--config-file={config}")
        eventually(lambda: answers(address), f"the {name} bus")
        return process

    def start_tray(self, *arguments, **options):
        return self.start(self.program, *arguments, **options)

    # The fake daemon.

    def daemon_command(self):
        return f"/usr/bin/python3 {SOURCE}/tray-app/tests/fake_daemon.py {SOURCE}/dbus"

    def start_daemon(self):
        daemon = self.start(*self.daemon_command().split())
        eventually(self.daemon_answers, "the fake daemon")
        return daemon

    def start_boinc(self):
        """Starts a tmm-boinc that shows tasks, and a systemd that knows its units; nobody has switched it on."""
        self.start(f"{SOURCE}/tray-app/tests/fake_boinc.py", f"{SOURCE}/dbus")
        self.start(f"{SOURCE}/tray-app/tests/fake_systemd.py")
        for name in (BOINC, SYSTEMD):
            eventually(lambda name=name: self.daemon_answers(name), name)
        units = {"boinc-client.service": "enabled", "tmm-boinc.service": "disabled"}
        self.call(connect(self.environment["DBUS_SYSTEM_BUS_ADDRESS"]), SYSTEMD, "/FakeSystemd", "org.transparentmemory.FakeSystemd",
                  "SetUnits", GLib.Variant("(s)", (json.dumps(units),)))

    def start_systemd_of_session(self):
        address = self.environment["DBUS_SESSION_BUS_ADDRESS"]
        self.start(f"{SOURCE}/tray-app/tests/fake_systemd.py", environment=self.environment | {"DBUS_SYSTEM_BUS_ADDRESS": address})
        eventually(lambda: self.owner(SYSTEMD), "the systemd of the session")

    def take_units(self, bus):
        """bus: the variable with the address of a bus with a fake systemd. Returns what that was asked for since the last time."""
        bus = connect(self.environment[bus])
        if not self.owner(SYSTEMD, bus):
            return []
        return json.loads(self.call(bus, SYSTEMD, "/FakeSystemd", "org.transparentmemory.FakeSystemd", "TakeCalls")[0])

    def daemon_answers(self, name=TMM):
        try:
            return self.owner(name, connect(self.environment["DBUS_SYSTEM_BUS_ADDRESS"]))
        except GLib.Error:
            return False

    def control(self, method, signature="()", *arguments):
        bus = connect(self.environment["DBUS_SYSTEM_BUS_ADDRESS"])
        return self.call(bus, TMM, "/FakeDaemon", "org.transparentmemory.FakeDaemon", method, GLib.Variant(signature, arguments))

    def set_daemon(self, **properties):
        self.control("Set", "(s)", json.dumps(properties))

    def next_call(self):
        return eventually(lambda: json.loads(self.control("TakeCalls")[0]), "a call at the daemon")[0]
