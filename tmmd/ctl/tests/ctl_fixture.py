# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A private system bus with a stand-in for tmmd, and tmmctl on it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
BUILD = Path(os.environ.get("TMM_BUILD", SOURCE / "build")).resolve()
TMMCTL = BUILD / "tmmd/ctl/tmmctl"
XML = SOURCE / "dbus/org.transparentmemory.Tmm1.xml"

# Allows everything; a service file would start the daemon if anybody asked for that.
BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={directory}/bus</listen>
  <servicedir>{directory}</servicedir>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
"""
SERVICE = "[D-BUS Service]\nName=org.transparentmemory.Tmm1\nExec=/usr/bin/touch {directory}/started\n"


class Daemon:
    """A stand-in that obeys orders: for tmmd, unless another program and interface are given."""

    def __init__(self, environment: dict[str, str], program: Path = HERE / "stand_in.py", xml: Path = XML) -> None:
        self.process = subprocess.Popen([sys.executable, program, xml], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if not self.process.stdout.readline():  # it prints a line when it is on the bus
            raise RuntimeError(f"{program.name} did not come to the bus")

    def order(self, **order: object) -> object:
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


class CtlFixture(unittest.TestCase):
    """A bus and a daemon for each test."""
    maxDiff = None

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="tmmctl-test-")
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        (self.directory / "bus.conf").write_text(BUS_CONFIG.format(directory=self.directory))
        (self.directory / "tmm.service").write_text(SERVICE.format(directory=self.directory))
        kept = ("PATH", "HOME", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS")
        self.environment = {key: value for key, value in os.environ.items() if key in kept}
        self.environment |= {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.directory}/bus", "TZ": "UTC0", "TERM": "xterm"}
        bus = subprocess.Popen(["dbus-daemon", f"--config-file={self.directory}/bus.conf", "--nofork", "--print-address"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(bus.communicate)
        self.addCleanup(bus.kill)
        bus.stdout.readline()
        self.daemon = self.start_daemon()

    def start_daemon(self) -> Daemon:
        daemon = Daemon(self.environment)
        self.addCleanup(daemon.end)
        return daemon

    def run_ctl(self, *words: str, **more: object) -> subprocess.CompletedProcess:
        return subprocess.run([TMMCTL, *words], env=self.environment, text=True, capture_output=True, timeout=60, **more)

    def out(self, *words: str) -> str:
        """Returns the output of tmmctl, which must succeed without a message."""
        done = self.run_ctl(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def json(self, *words: str) -> object:
        return json.loads(self.out(*words, "--json"), parse_constant=lambda word: self.fail(f"{word} is no JSON"))

    def fails(self, status: int, message: str, *words: str) -> None:
        done = self.run_ctl(*words)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def changes(self) -> list[list[object]]:
        """Returns the calls that the daemon got, without those that only read."""
        return [call for call in self.daemon.order(calls=None) if not call[0].startswith(("Get", "List"))]
