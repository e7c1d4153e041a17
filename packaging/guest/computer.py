#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as root in a virtual machine with systemd: installs the packages in /opt/tmm/debs, lets an owner work (owner.py), and removes the
packages. Prints TAP; writes pictures and the journal to /results."""

import pathlib
import re
import subprocess
import sys

from tap import Tap

HERE = pathlib.Path(__file__).resolve().parent
DEBS = sorted(str(path) for path in (HERE / "debs").glob("*.deb"))
RESULTS = pathlib.Path("/results")
KERNEL = pathlib.Path("/sys/kernel/mm/tmm")
CGROUPS = pathlib.Path("/sys/fs/cgroup")
# Without TMM tmmd sets these of cgroups.
SETTINGS = ("memory.min", "memory.low", "memory.high", "memory.max", "memory.swap.max")
SESSION_TIMEOUT_S = 3000
# Errors in the journal that TMM can cause: of our programs, of the bus and polkit about them, of systemd about our units, and of system
# calls that the filter of a unit denies (type 1326).
OURS = re.compile(r"tmm|transparent|softlib|type=1326|dbus|polkit", re.IGNORECASE)


def run(*command: str, timeout: float = 300) -> str:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=timeout, check=False)
    assert done.returncode == 0, f"{' '.join(command)[:200]}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


def packages() -> list[str]:
    return [run("dpkg-deb", "-f", deb, "Package").strip() for deb in DEBS]


def install() -> str:
    assert DEBS, "no packages in /opt/tmm/debs"
    run("dpkg", "--install", *DEBS)
    return " ".join(packages())


def runs() -> None:
    assert run("systemctl", "is-active", "tmmd").strip() == "active"
    assert run("systemctl", "is-enabled", "tmmd").strip() == "enabled"


def is_healthy() -> str:
    return run("tmmctl", "doctor")


def keeps_to_its_unit() -> str:
    return run("systemd-analyze", "security", "tmmd", "--no-pager").splitlines()[-1]


def on_active_terminal() -> list[str]:
    """Options of systemd-run. A session on a seat with virtual terminals belongs to one, and is active only on that in front."""
    terminal = pathlib.Path("/sys/class/tty/tty0/active")
    return ["-E", f"XDG_VTNR={terminal.read_text().strip().removeprefix('tty')}"] if terminal.exists() else []


def owner_works(tap: Tap) -> None:
    """Reports the results of owner.py as our own."""
    run("useradd", "--create-home", "--shell", "/bin/bash", "owner")
    home = pathlib.Path("/home/owner")
    tap_file = RESULTS / "owner.tap"
    session = ["systemd-run", "--quiet", "--wait", "--collect", "--unit=owner-session", "-p", "User=owner", "-p", "PAMName=login",
               "-p", f"StandardOutput=file:{tap_file}", "-p", f"StandardError=file:{RESULTS}/owner.log", "-p", f"WorkingDirectory={home}",
               *on_active_terminal(), "-E", "XDG_SEAT=seat0", "-E", "XDG_SESSION_TYPE=x11", "-E", "XDG_SESSION_CLASS=user", "-E", "LANG=C.UTF-8",
               # In a session of a desktop, pam_systemd and systemd --user set this variable.
               "sh", "-c", 'export DBUS_SESSION_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/bus"; exec python3 "$@"', "sh",
               str(HERE / "owner.py"), str(home / "pictures"), str(HERE / "scene.pov")]
    ended = subprocess.run(session, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           timeout=SESSION_TIMEOUT_S, check=False)
    # The output of its programs, and its pictures.
    for name in ("log", "pictures"):
        if (home / name).exists():
            run("cp", "-r", str(home / name), str(RESULTS))
    planned = False
    for line in tap_file.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"(ok|not ok) \d+ - (.*)", line):
            tap.result(match[1] == "ok", match[2])
        elif line.startswith("1.."):
            planned = True
        else:
            tap.note(line.removeprefix("# "))
    if not planned:
        tap.result(False, "the owner's session reaches its end", ended.stdout, (RESULTS / "owner.log").read_text(errors="replace")[-3000:])


def journal_is_clean() -> str:
    run("sh", "-c", f"journalctl --boot --output=short-monotonic >{RESULTS}/journal")
    errors = run("journalctl", "--boot", "--priority=err", "--output=short", "--quiet").splitlines()
    ours = [line for line in errors if OURS.search(line)]
    assert not ours, "\n".join(ours)
    failed = run("systemctl", "list-units", "--failed", "--plain", "--no-legend")
    assert not OURS.search(failed), failed
    return "other errors of this machine:\n" + "\n".join(errors) if errors else ""


def let_systemd_write_slices() -> None:
    """The drop-in of system.slice is gone, but systemd 257 writes the slice's settings only when it starts a unit there."""
    run("systemctl", "start", "systemd-tmpfiles-clean.service")


def is_purged() -> None:
    names = packages()
    run("dpkg", "--purge", *names)
    assert subprocess.run(["systemctl", "cat", "tmmd"], capture_output=True, check=False).returncode != 0, "the unit is still there"
    assert run("systemctl", "list-units", "--failed", "--plain", "--no-legend", "tmm*") == "", "a unit has failed"
    left = [path for path in ("/etc/tmm", "/var/lib/tmm", "/run/tmm", "/usr/sbin/tmmd") if pathlib.Path(path).exists()]
    assert not left, f"left behind: {left}"
    let_systemd_write_slices()


def limits() -> dict[pathlib.Path, str]:
    """The limits of TMM's kernel, or the settings of the slices of another."""
    files = [KERNEL / name for name in ("opaque_limit", "transparent_limit")]
    if not KERNEL.exists():
        files = [folder / name for folder in CGROUPS.glob("*.slice") for name in SETTINGS]
    return {file: file.read_text() for file in files if file.exists()}


def main() -> int:
    tap = Tap()
    before = limits()
    assert before, "the kernel has neither TMM nor cgroup v2"

    def kernel_is_as_before() -> None:
        now = limits()
        changed = {str(file): (value, now[file]) for file, value in before.items() if file in now and now[file] != value}
        assert not changed, f"before and now: {changed}"

    tap.test("the packages are installed", install)
    tap.test("tmmd runs and is enabled", runs)
    tap.test("tmmctl doctor finds no fault", is_healthy)
    tap.test("systemd restricts it", keeps_to_its_unit)
    owner_works(tap)
    tap.test("the journal has no error that TMM can cause", journal_is_clean)
    tap.test("a purge of the packages leaves nothing", is_purged)
    tap.test("the kernel has its own limits again", kernel_is_as_before)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
