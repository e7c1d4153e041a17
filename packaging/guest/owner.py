#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Acts as an owner who logged in to a computer with TMM: owner.py PICTURE_DIR SCENE. Prints TAP."""

import configparser
import os
import pathlib
import shlex
import subprocess
import sys
import time

from desktop_fixture import Desktop, eventually
from gi.repository import Gio, GLib
from tap import Tap

TMM = "org.transparentmemory.Tmm1"
MANAGER = "/org/transparentmemory/Tmm1"
PROPERTIES = "org.freedesktop.DBus.Properties"
AUTOSTART = pathlib.Path("/etc/xdg/autostart/org.transparentmemory.TmmTray.desktop")
MB = 1 << 20
# tmmd learns before it gives memory, and POV-Ray parses slowly on emulated processors of a busy host.
DEADLINE_S = 900
# The share of a frozen contribution that may stay in memory: pages that cannot be evicted.
MAX_LEFT = 0.2


class Owner(Desktop):
    def __init__(self) -> None:
        home = pathlib.Path.home()
        super().__init__(home, home, {**os.environ, "QT_QPA_PLATFORM": "xcb", "NO_AT_BRIDGE": "1"})
        self.write_panel_config(dark=False)
        self.start_display()
        self.connect()
        self.system_bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
        self.contribution: subprocess.Popen | None = None

    def start_autostart_entry(self) -> None:
        entry = configparser.ConfigParser(interpolation=None)
        entry.read(AUTOSTART)
        self.start(*shlex.split(entry["Desktop Entry"]["Exec"]))

    def property(self, name: str, path: str = MANAGER, interface: str = TMM):
        return self.call(self.system_bus, TMM, path, PROPERTIES, "Get", GLib.Variant("(ss)", (interface, name)))[0]

    def state(self) -> str:
        return self.property("State")

    def contribution_bytes(self) -> int:
        """The sum of all contributions; 0 before the first."""
        assert self.contribution and self.contribution.poll() is None, "the contribution has ended"
        total = 0
        for path in self.property("Contributions"):
            try:
                total += self.property("MemoryBytes", path, f"{TMM}.Contribution1")
            except GLib.Error:
                pass  # it ended after the property was read
        return total


def free_bytes() -> int:
    for line in pathlib.Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemFree:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no MemFree in /proc/meminfo")


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{shlex.join(command)}: exit {done.returncode}: {done.stderr.strip()}"
    return done.stdout


def main() -> int:
    pictures, scene = pathlib.Path(sys.argv[1]), sys.argv[2]
    tap = Tap()
    owner = Owner()
    try:
        return session(tap, owner, pictures, scene)
    finally:
        owner.kill_all()


def session(tap: Tap, owner: Owner, pictures: pathlib.Path, scene: str) -> int:
    before = {}

    def logged_in() -> None:
        session_id = os.environ["XDG_SESSION_ID"]
        shown = run("loginctl", "show-session", session_id, "-p", "Active", "-p", "Seat")
        assert "Active=yes" in shown and "Seat=seat0" in shown, shown

    def welcomed() -> None:
        owner.start_panel()
        owner.start_autostart_entry()
        owner.expect_window()
        owner.picture(pictures / "first-run.png")
        owner.press("alt+g")  # "&Give memory"
        answered = owner.home / ".config/tmm/tmm-tray.ini"
        eventually(lambda: answered.exists() and "welcomed=true" in answered.read_text(encoding="utf-8"), "the answer is kept")
        owner.close_window()
        eventually(owner.item, "the icon")

    def boinc_is_offered() -> None:
        owner.activate()
        owner.expect_window()
        answered = owner.home / ".config/tmm/tmm-tray.ini"

        time.sleep(3)  # the picture needs the question, for which the window asks systemd
        owner.picture(pictures / "boinc-question.png")

        def declined() -> bool:
            owner.press("alt+n")  # "&Not now", once systemd has said that BOINC's client is there
            return "boinc-declined=true" in answered.read_text(encoding="utf-8")
        eventually(declined, "the answer is kept")
        owner.close_window()

    def contributes() -> str:
        owner.contribution = owner.start("maketransparent", "-n", "povray", "--", "povray", f"+I{scene}", "-D", "-F", "+W1600", "+H1200",
                                         "+A0.05", "+WT1")
        eventually(lambda: owner.contribution_bytes() > 100 * MB, "100 MB of a contribution", DEADLINE_S)
        owner.expect_icon("tmm-tray-giving")
        return run("tmmctl", "status")

    def window_shows() -> None:
        owner.activate()
        owner.expect_window()
        time.sleep(3)  # the chart of the picture needs some points
        owner.picture(pictures / "window.png")
        owner.close_window()

    def pauses() -> str:
        before["bytes"], before["free"] = owner.contribution_bytes(), free_bytes()
        owner.choose("Pause for 30 minutes")
        owner.expect_icon("tmm-tray-paused")
        eventually(lambda: owner.contribution_bytes() < MAX_LEFT * before["bytes"], "the memory comes back", DEADLINE_S)
        after = owner.contribution_bytes()
        gained = free_bytes() - before["free"]
        text = f"contribution {before['bytes'] // MB} -> {after // MB} MB, free memory {gained // MB:+} MB"
        assert gained > 0.5 * before["bytes"], text
        owner.activate()
        owner.expect_window()
        owner.picture(pictures / "window-paused.png")
        owner.close_window()
        return text

    def resumes() -> None:
        held = owner.contribution_bytes()
        assert owner.contribution.poll() is None, "the contribution has ended"
        owner.choose("Resume")
        owner.expect_icon("tmm-tray-giving")
        eventually(lambda: owner.contribution_bytes() > held + 10 * MB, "the contribution works again", DEADLINE_S)

    def by_command() -> None:
        run("tmmctl", "pause", "1h")
        owner.expect_icon("tmm-tray-paused")
        run("tmmctl", "resume")
        owner.expect_icon("tmm-tray-giving")
        refused = subprocess.run(["tmmctl", "off"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        assert refused.returncode == 1 and "not" in refused.stderr, f"off needs an administrator: {refused}"

    def ends() -> None:
        path = owner.property("Contributions")[0]
        owner.call(owner.system_bus, TMM, path, f"{TMM}.Contribution1", "Stop")
        eventually(lambda: owner.contribution.poll() is not None, "the contribution's end")
        owner.processes.remove(owner.contribution)
        owner.choose("Quit")
        eventually(lambda: not owner.item(), "the icon's end")

    tap.test("an owner is logged in, active at the seat", logged_in)
    tap.test("tmm-tray starts at login, explains itself once and shows an icon", welcomed)
    tap.test("the window offers memory to BOINC, which is installed, and keeps the answer", boinc_is_offered)
    tap.test("maketransparent povray: a contribution gets memory", contributes)
    tap.test("the window shows it", window_shows)
    tap.test("a pause from the menu returns its memory", pauses)
    tap.test("a resume from the menu lets it work again", resumes)
    tap.test("tmmctl pauses and resumes, and may not switch off", by_command)
    tap.test("D-Bus stops the contribution, and the menu ends the icon", ends)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
