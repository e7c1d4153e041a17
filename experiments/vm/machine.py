# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One emulated machine: set up, run once, judged."""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from typing import IO

from . import disks, outcome, process, products, qemu, settings
from .errors import KitError

FOLDER = pathlib.Path(__file__).resolve().parent
# nbdkit only maps some files and listens: enough even on a very busy host.
SERVER_START_TIMEOUT_S = 60
# Files of an earlier run in the same folder, which would be taken for this run's.
RUN_FILES = ("stdout", "stderr", "exit-status", "setup-error", "serial.log", "qemu.log", "booted")
# guest/init makes it as soon as it can.
BOOTED = "booted"


@dataclasses.dataclass(frozen=True)
class Parts:
    """The files that a machine is made of."""

    kernel: pathlib.Path
    initrd: pathlib.Path | None
    root: pathlib.Path
    disk_plugin: pathlib.Path
    latency_check: pathlib.Path


@dataclasses.dataclass(frozen=True)
class Machine:
    """The parts of a machine. It can run any number of times, each time as new: only what a guest writes into /results is kept.
    Several threads may call run()."""

    # 'plain', 'tmm', 'tmm-desktop' (made by kernel/build), 'debian' (of a package: packages=("linux-image-amd64", ...)) or the path
    # of a bzImage
    kernel: str = "plain"
    ram_mb: int = 512
    cpus: int = 2
    backing: str = "hdd"
    swap_mb: int = 2048
    lru: str = "mglru"
    tools: tuple[pathlib.Path, ...] = ()  # folders on the host, merged into /opt/tmm
    packages: tuple[str, ...] = ()  # Debian packages beside those of rootfs/packages
    release: str | None = None  # Debian release of the guest; None: this machine's
    desktop: bool = False  # also rootfs/packages-desktop: a display, a browser, an office
    # The guest boots as people's computers do: services, sessions, journal. The command is a service, the last to start.
    # Needs a root file system with systemd: packages=("systemd-sysv", ...).
    systemd: bool = False
    kernel_args: tuple[str, ...] = ()
    timeout_s: float = 600
    # For the guest to start its first process, which takes a minute or two on a busy host. In one boot QEMU's emulation lost the timer
    # of a processor, and the machine hung. It counts only if timeout_s is longer.
    boot_timeout_s: float = 600
    kvm: bool = False
    # The guest's clock counts instructions, one for a nanosecond: CPU times do not depend on other work of the host. One CPU only.
    count_instructions: bool = False

    def run(self, command: list[str], results_dir: pathlib.Path, stdout: IO[bytes] | None = None,
            stderr: IO[bytes] | None = None) -> outcome.Outcome:
        """Runs the command in the guest, until it ends or timeout_s after the machine's start. Its output is in
        results_dir/stdout and stderr, and goes to the streams as it appears. A machine that hangs at boot is started once more.
        KitError: the run could not be tried."""
        ended = self.run_once(command, results_dir, stdout, stderr, interactive=False)
        if ended.kind is not outcome.Kind.NO_BOOT:
            return ended
        print(f"vm: {ended.message}; it starts once more", file=sys.stderr, flush=True)
        return self.run_once(command, results_dir, stdout, stderr, interactive=False)

    def shell(self, results_dir: pathlib.Path) -> outcome.Outcome:
        """Opens a shell of the guest on this terminal, without a time limit."""
        if self.systemd:
            raise KitError("--systemd: there is no shell on the console of such a machine: use 'vm run'")
        return self.run_once([], results_dir, None, None, interactive=True)

    def prepare(self) -> Parts:
        """Makes the missing parts (kernel, root file system, disk plugin, latency-check: some minutes the first time) and checks
        the settings, so that run() starts at once."""
        settings.check_machine(self.ram_mb, self.cpus, self.swap_mb, self.lru, self.timeout_s)
        settings.backing_named(self.backing)
        if self.count_instructions and (self.kvm or self.cpus != 1):
            raise KitError("--count-instructions: only an emulated machine with one CPU counts: add --cpus 1, and leave --kvm out")
        if self.systemd and not {"systemd-sysv", "systemd"} & set(self.packages):
            raise KitError("--systemd: the guest's root file system has none: add --with systemd-sysv")
        if self.kvm and not os.access("/dev/kvm", os.R_OK | os.W_OK):
            raise KitError("--kvm: /dev/kvm is not there or not yours to use: leave --kvm out, or join the group kvm")
        products.need_program(qemu.PROGRAM, "qemu-system-x86")
        products.need_program("setpriv", "util-linux")
        products.need_program("mkfs.ext4", "e2fsprogs")
        of_debian = self.kernel == products.DEBIAN
        own_kernel = None if of_debian else products.kernel_image(self.kernel)
        root = products.root_image(self.packages, self.desktop, self.release)
        kernel, initrd = products.debian_kernel(root) if of_debian else (own_kernel, None)
        return Parts(kernel, initrd, root, products.disk_plugin(), products.latency_check())

    def runner(self, interactive: bool) -> str:
        """The way in which guest/init runs the command."""
        if self.systemd:
            return "systemd"
        return "shell" if interactive else "command"

    def run_once(self, command: list[str], results_dir: pathlib.Path, stdout: IO[bytes] | None, stderr: IO[bytes] | None, *,
                 interactive: bool) -> outcome.Outcome:
        parts = self.prepare()
        backing = settings.backing_named(self.backing)
        results_dir = results_dir.resolve()
        results_dir.mkdir(parents=True, exist_ok=True)
        for name in RUN_FILES:
            (results_dir / name).unlink(missing_ok=True)
        work_dir = pathlib.Path(tempfile.mkdtemp(prefix="tmm-vm-"))
        try:
            tools = disks.pack_tools(work_dir, list(self.tools), {
                "init": FOLDER / "guest/init",
                "end": FOLDER / "guest/end",
                "latency-check": parts.latency_check,
                "settings": disks.guest_settings(backing, self.swap_mb, self.lru, self.runner(interactive)),
                "command": disks.guest_command(command),
            })
            socket = work_dir / "disks.sock"
            server, names = disks.server_command(parts.disk_plugin, socket, backing, parts.root, tools, self.swap_mb)
            shape = qemu.MachineShape(kernel=parts.kernel, initrd=parts.initrd, ram_mb=self.ram_mb, cpus=self.cpus, disks=names, socket=socket,
                                      results_dir=results_dir, serial_log=results_dir / "serial.log", interactive=interactive,
                                      kvm=self.kvm, count_instructions=self.count_instructions, kernel_args=self.kernel_args,
                                      host_tsc_khz=products.host_tsc_khz())
            server_log = work_dir / "disks.log"
            with process.running(server, server_log) as server_process:
                if not process.wait_for(socket, server_process, SERVER_START_TIMEOUT_S):
                    raise KitError(f"the disk server did not start: {server_log.read_text(errors='replace').strip()}")
                return self.emulate(shape, results_dir, stdout, stderr)
        finally:
            shutil.rmtree(work_dir, ignore_errors=True)

    def limit(self, has_booted: bool) -> tuple[float, bool]:
        """Seconds from the machine's start until it is stopped, and whether that is since it has not booted."""
        hangs = not has_booted and self.boot_timeout_s < self.timeout_s
        return (self.boot_timeout_s if hangs else self.timeout_s), hangs

    def emulate(self, shape: qemu.MachineShape, results_dir: pathlib.Path, stdout: IO[bytes] | None,
                stderr: IO[bytes] | None) -> outcome.Outcome:
        followers = (process.Follower(results_dir / "stdout", stdout), process.Follower(results_dir / "stderr", stderr))
        terminal = None if shape.interactive else subprocess.DEVNULL
        timed_out = False
        booted = results_dir / BOOTED
        began = time.monotonic()
        with process.running(qemu.command_line(shape), results_dir / "qemu.log", stdin=terminal, stdout=terminal) as machine:
            while machine.poll() is None and not timed_out:
                try:
                    machine.wait(0.2)
                except subprocess.TimeoutExpired:
                    timed_out = not shape.interactive and time.monotonic() > began + self.limit(booted.exists())[0]
                for follower in followers:
                    follower.pass_on()
        for follower in followers:
            follower.pass_on()

        limit_s, hangs = self.limit(booted.exists())
        booted.unlink(missing_ok=True)

        def text(name: str) -> str | None:
            path = results_dir / name
            return path.read_text(encoding="utf-8", errors="replace") if path.exists() else None

        return outcome.judge(results_dir, qemu_status=machine.returncode, timed_out=timed_out, timeout_s=limit_s, hangs=hangs,
                             qemu_errors=text("qemu.log") or "", serial_text=text("serial.log") or "",
                             status_text=text("exit-status"), setup_error=text("setup-error"))
