# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A desktop for tests of the tray application: X server and panel, and the actions of a person on icon and window.

Each action waits for its effect, up to a deadline."""
import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path

from gi.repository import Gio, GLib

DEADLINE = 60  # seconds; far more than a working program needs
WATCHER = "org.kde.StatusNotifierWatcher"
PROPERTIES = "org.freedesktop.DBus.Properties"

PANEL_CONFIG = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="{dark}"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=10;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/><value type="int" value="2"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/><property name="style" type="uint" value="0"/></property>
    <property name="plugin-2" type="string" value="systray"><property name="square-icons" type="bool" value="true"/></property>
  </property>
</channel>
"""

def eventually(condition, what, deadline=DEADLINE):
    """Returns the first true value of condition(). Raises AssertionError after deadline seconds."""
    end = time.monotonic() + deadline
    context = GLib.MainContext.default()
    while True:
        while context.iteration(False):
            pass
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"not in {deadline} s: {what}"
        time.sleep(0.05)


def connect(address):
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


class Desktop:
    """A person's session: programs, the icon and menu in the panel, the window."""

    def __init__(self, directory, home, environment):
        """directory: receives the log. environment: names the session bus, which must exist from connect() on."""
        self.directory = directory
        self.home = home
        self.environment = environment
        self.processes = []
        self.bus = None

    def connect(self):
        self.bus = connect(self.environment["DBUS_SESSION_BUS_ADDRESS"])

    def write_panel_config(self, dark):
        directory = self.home / ".config/xfce4/xfconf/xfce-perchannel-xml"
        directory.mkdir(parents=True)
        (directory / "xfce4-panel.xml").write_text(PANEL_CONFIG.format(dark=str(dark).lower()))

    # Processes.

    def start(self, *command, **options):
        environment = options.pop("environment", self.environment)
        with open(self.directory / "log", "a") as log:
            options = {"stderr": log, "stdout": log} | options
            process = subprocess.Popen([str(word) for word in command], env=environment, cwd=self.home, **options)
        self.processes.append(process)
        return process

    def stop(self, process, how=signal.SIGTERM):
        if process.poll() is None:
            process.send_signal(how)
        eventually(lambda: process.poll() is not None, f"the end of {process.args[0]}")
        self.processes.remove(process)

    def kill_all(self):
        for process in list(reversed(self.processes)):
            self.stop(process, signal.SIGKILL)

    def start_display(self):
        read_end, write_end = os.pipe()
        self.start("Xvfb", "-displayfd", str(write_end), "-screen", "0", "1100x800x24", "-nolisten", "tcp", pass_fds=[write_end])
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            self.environment["DISPLAY"] = ":" + pipe.readline().strip()
        assert self.environment["DISPLAY"] != ":", "Xvfb did not start"

    def start_panel(self):
        if not self.owner("org.xfce.Xfconf"):
            self.start(next(Path("/usr/lib").glob("*/xfce4/xfconf/xfconfd")))
            eventually(lambda: self.owner("org.xfce.Xfconf"), "xfconfd")
        panel = self.start("xfce4-panel", "--disable-wm-check")
        eventually(lambda: self.owner(WATCHER), "the panel's tray")
        return panel

    def write_preferences(self, **preferences):
        """Writes preferences, with the question of the first run answered. Underscores become hyphens."""
        path = self.home / ".config/tmm/tmm-tray.ini"
        path.parent.mkdir(parents=True, exist_ok=True)
        preferences = {"welcomed": "true"} | preferences
        path.write_text("[General]\n" + "".join(f"{name.replace('_', '-')}={value}\n" for name, value in preferences.items()))

    # Calls.

    def call(self, bus, name, path, interface, method, arguments=None):
        flags = Gio.DBusCallFlags.NO_AUTO_START
        return bus.call_sync(name, path, interface, method, arguments, None, flags, DEADLINE * 1000, None).unpack()

    def owner(self, name, bus=None):
        bus = bus or self.bus
        return self.call(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                         GLib.Variant("(s)", (name,)))[0]

    # The icon in the panel.

    def items(self):
        """Returns the bus names of the icons in the panel."""
        if not self.owner(WATCHER):
            return []
        items = self.call(self.bus, WATCHER, "/StatusNotifierWatcher", PROPERTIES, "Get",
                          GLib.Variant("(ss)", (WATCHER, "RegisteredStatusNotifierItems")))[0]
        return [item.split("/")[0] for item in items]

    def item(self):
        return next(iter(self.items()), None)

    def item_property(self, name):
        try:
            item = self.item()
            return item and self.call(self.bus, item, "/StatusNotifierItem", PROPERTIES, "Get",
                                      GLib.Variant("(ss)", ("org.kde.StatusNotifierItem", name)))[0]
        except GLib.Error:
            return None  # the icon disappeared in the meantime

    def expect_icon(self, name):
        eventually(lambda: self.item_property("IconName") == name, f"the icon {name}")

    def activate(self):
        self.call(self.bus, self.item(), "/StatusNotifierItem", "org.kde.StatusNotifierItem", "Activate",
                  GLib.Variant("(ii)", (0, 0)))

    def menu(self):
        """Returns label -> (id, enabled) of the visible entries."""
        _revision, (_id, _properties, children) = self.call(
            self.bus, self.item(), "/MenuBar", "com.canonical.dbusmenu", "GetLayout", GLib.Variant("(iias)", (0, -1, [])))
        shown = [(child[0], child[1]) for child in children if child[1].get("label") and child[1].get("visible", True)]
        return {properties["label"].replace("_", ""): (number, properties.get("enabled", True)) for number, properties in shown}

    def choose(self, label):
        number, enabled = eventually(lambda: self.menu().get(label), f"the menu entry {label!r}")
        assert enabled, f"{label!r} is disabled"
        self.call(self.bus, self.item(), "/MenuBar", "com.canonical.dbusmenu", "Event",
                  GLib.Variant("(isvu)", (number, "clicked", GLib.Variant("s", ""), 0)))

    # Windows.

    def window(self):
        """Returns the id of the program's visible window, or None."""
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Transparent Memory$"], env=self.environment,
                               capture_output=True, text=True, check=False)
        return found.stdout.split()[0] if found.stdout.split() else None

    def expect_window(self):
        return eventually(self.window, "the window")

    def close_window(self):
        """Closes the window as the button in a title bar does."""
        ask_to_close(self.environment["DISPLAY"], int(self.expect_window()))
        eventually(lambda: not self.window(), "the window's end")

    def dialogue(self):
        """Returns the id of a visible dialogue of the program, or None."""
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Stop contributions"], env=self.environment,
                               capture_output=True, text=True, check=False)
        return found.stdout.split()[0] if found.stdout.split() else None

    def press(self, key):
        """Presses a key in the window."""
        self.press_in(self.expect_window(), key)

    def press_in(self, window, key):
        subprocess.run(["xdotool", "windowfocus", "--sync", window, "key", key], env=self.environment, check=True)

    def colors(self, window):
        taken = subprocess.run(["import", "-window", window, "-format", "%k", "info:"], env=self.environment,
                               capture_output=True, text=True, check=False)
        return int(taken.stdout or 0)

    def picture(self, path):
        """Saves a picture of the whole screen, once the panel and any window are drawn."""
        path.parent.mkdir(parents=True, exist_ok=True)
        window = self.window()
        # Numbers of colours that only text, and only the edges of an icon, exceed.
        of_text, of_icon = 60, 10
        if window:
            eventually(lambda: self.colors(window) > of_text, "a window that is drawn")
        eventually(lambda: self.colors("root") > of_icon or not self.items(), "a panel that is drawn")
        subprocess.run(["import", "-window", "root", str(path)], env=self.environment, check=True)


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                ("padding", ctypes.c_long * 24)]


def ask_to_close(display_name, window):
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(display_name.encode()))
    client_message, no_event_mask = 33, 0
    message = ClientMessage(type=client_message, window=window, format=32)
    message.message_type = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
    message.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(no_event_mask), ctypes.byref(message))
    x11.XCloseDisplay(display)
