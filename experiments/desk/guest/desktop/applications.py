# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The applications. Each does one interaction after the other; an interaction ends when its result is on the (virtual)
screen."""

import itertools
import pathlib
import signal
import subprocess
import time

from . import files
from .marionette import Marionette

START_LIMIT_S = 500.0
POLL_S = 0.02
# For a browser's command: its clock (5 minutes by default) goes on through a break.
TIMEOUT_MS = 24 * 3600 * 1000
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": "false", "datareporting.policy.dataSubmissionEnabled": "false",
    "toolkit.telemetry.enabled": "false", "browser.aboutwelcome.enabled": "false", "app.update.enabled": "false",
    "network.captive-portal-service.enabled": "false", "network.connectivity-service.enabled": "false",
    "extensions.getAddons.cache.enabled": "false", "browser.cache.disk.enable": "false", "marionette.port": "2828",
    # The browser must not take the break or its stalls for a hang.
    "dom.max_script_run_time": "0", "browser.tabs.remote.autostart": "true",
}


class ApplicationError(Exception):
    """Names the application and its failure."""


class Browser:
    """Firefox with a page in each of several tabs. An interaction goes to the next tab and scrolls; every fourth loads a page.
    left_tabs: more tabs, each loaded once and never visited again."""

    def __init__(self, folder: pathlib.Path, profile: pathlib.Path, log: pathlib.Path, left_tabs: int = 0) -> None:
        profile.mkdir(parents=True, exist_ok=True)
        lines = "".join(f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items())
        (profile / "user.js").write_text(lines, encoding="utf-8")
        self.folder = folder
        with log.open("wb") as errors:
            command = ["firefox-esr", "--profile", str(profile), "--marionette", "--no-remote", self.url(0)]
            self.process = subprocess.Popen(command, stdout=errors, stderr=errors)
        self.remote = Marionette.connect(2828, START_LIMIT_S)
        self.remote.call("WebDriver:NewSession")
        self.remote.call("WebDriver:SetTimeouts", pageLoad=TIMEOUT_MS, script=TIMEOUT_MS)
        for _ in range(left_tabs + files.PAGES - 1):
            self.remote.call("WebDriver:NewWindow", type="tab")
        self.tabs = self.remote.call("WebDriver:GetWindowHandles")
        for number, tab in enumerate(self.tabs):
            self.remote.call("WebDriver:SwitchToWindow", handle=tab)
            self.remote.call("WebDriver:Navigate", url=self.url(number))
        self.tabs = self.tabs[left_tabs:]
        self.steps = itertools.count()

    def url(self, number: int) -> str:
        return f"file://{self.folder}/page-{number % files.PAGES}.html"

    def interact(self) -> None:
        step = next(self.steps)
        self.remote.call("WebDriver:SwitchToWindow", handle=self.tabs[step % len(self.tabs)])
        if step % 4 == 3:
            self.remote.call("WebDriver:Navigate", url=self.url(step))
        # Two frames: the second begins when the first is drawn.
        script = ("const done = arguments[arguments.length - 1]; window.scrollTo(0, arguments[0]);"
                  "requestAnimationFrame(() => requestAnimationFrame(() => done(1)));")
        self.remote.call("WebDriver:ExecuteAsyncScript", script=script, args=[(step * 700) % 9000])


class Office:
    """LibreOffice Calc with a large sheet; an interaction changes a number, recalculates and goes to another place."""

    def __init__(self, folder: pathlib.Path, log: pathlib.Path) -> None:
        # Exists only in the guest (Debian's python3-uno).
        import uno
        from com.sun.star.beans import PropertyValue
        accept = "socket,host=127.0.0.1,port=2002;urp;"
        with log.open("wb") as errors:
            self.process = subprocess.Popen(["soffice", "--calc", "--norestore", "--nologo", "--nodefault", f"--accept={accept}"],
                                            stdout=errors, stderr=errors)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        deadline = time.monotonic() + START_LIMIT_S
        while True:
            try:
                context = resolver.resolve(f"uno:{accept}StarOffice.ComponentContext")
                break
            except Exception as error:  # UNO's exceptions have no common class before the connection is there.
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise ApplicationError("the office does not listen") from error
                time.sleep(0.2)
        desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)

        def value(name: str, content: str) -> PropertyValue:
            result = PropertyValue()
            result.Name, result.Value = name, content
            return result

        self.document = desktop.loadComponentFromURL(f"file://{folder}/sheet.csv", "_blank", 0, (
            value("FilterName", "Text - txt - csv (StarCalc)"), value("FilterOptions", "44,34,76,1")))
        self.sheet = self.document.Sheets.getByIndex(0)
        self.total = self.sheet.getCellByPosition(files.SHEET_COLUMNS, 0)
        self.total.Formula = f"=SUM(A1:O{files.SHEET_ROWS})"
        self.steps = itertools.count(1)

    def interact(self) -> None:
        step = next(self.steps)
        before = self.total.Value
        self.sheet.getCellByPosition(0, step % files.SHEET_ROWS).Value = 10 * step
        self.document.calculateAll()
        self.document.CurrentController.select(self.sheet.getCellByPosition(0, (step * 1237) % files.SHEET_ROWS))
        if self.total.Value == before:
            raise ApplicationError("the office has not calculated")


class Viewer:
    """feh with a series of pictures; an interaction shows the next one."""

    def __init__(self, folder: pathlib.Path, log: pathlib.Path) -> None:
        pictures = [str(folder / f"picture-{number}.png") for number in range(files.PICTURES)]
        with log.open("wb") as errors:
            self.process = subprocess.Popen(["feh", "--title", "viewer %f", "--scale-down", "--geometry", "1200x760", *pictures],
                                            stdout=errors, stderr=errors)
        self.title = self.wait_for_other_title("")

    def wait_for_other_title(self, old: str) -> str:
        deadline = time.monotonic() + START_LIMIT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            done = subprocess.run(["xdotool", "search", "--name", "^viewer ", "getwindowname"], capture_output=True, text=True,
                                  check=False)
            title = done.stdout.strip()
            if title and title != old:
                return title
            time.sleep(POLL_S)
        raise ApplicationError("the viewer shows no picture")

    def interact(self) -> None:
        self.process.send_signal(signal.SIGUSR1)
        self.title = self.wait_for_other_title(self.title)
