# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""TMM's Debian packages for suites that install them in a virtual machine, and the report of the tests that ran there."""

import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "experiments"))

from vm.errors import KitError  # noqa: E402
from vm.outcome import Kind, Outcome, kernel_failure  # noqa: E402
from vm.tap import Tap  # noqa: E402

# The guests boot with systemd. Where a package accepts something in its place, that often conflicts with it.
PRESENT = {"systemd"}

# The kernel, the services of a desktop that concern tmmd, and procps with a library of tmmctl. The kit's root file system has the rest.
KERNEL = "linux-image-amd64"
STOCK_SYSTEM = ("apparmor", "dbus", "dbus-user-session", "libpam-systemd", KERNEL, "polkitd", "procps", "python3", "systemd-sysv")
# A busy host takes longer than systemd's 90 s.
PATIENT_SYSTEMD = "systemd.default_timeout_start_sec=1800"
# udev would kill a worker in the midst of a module's self-test, and the kernel warn.
PATIENT = (PATIENT_SYSTEMD, "systemd.mask=systemd-udevd.service", "systemd.mask=systemd-udev-trigger.service")
# The page replacement of each release's kernel.
USUAL_LRU = {"bookworm": "classic", "trixie": "mglru"}

# The numbers in the versions of packages (packaging/build).
RELEASES = {"bookworm": 12, "trixie": 13}


def host_release() -> str:
    for line in pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2]
    raise KitError("/etc/os-release names no release of Debian: use --release")


def built(release: str, programs: pathlib.Path | None = None) -> list[pathlib.Path]:
    """New packages. With programs, a meson build directory: those of the daemon and the launcher, from what is compiled there."""
    options = ["--output", ROOT / "out/packages-of-programs", "--programs", programs] if programs else ["--output", ROOT / "out/packages"]
    done = subprocess.run([ROOT / "packaging/build", "--release", release, *options], stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise KitError(f"packaging/build failed for {release} (above)")
    return [pathlib.Path(line) for line in done.stdout.splitlines()]


def packages_for(release: str, folder: pathlib.Path | None) -> list[pathlib.Path]:
    """The packages in the folder or, without one, new ones; without packages of debug symbols."""
    debs = sorted(folder.glob(f"*+deb{RELEASES[release]}_*.deb")) if folder else built(release)
    debs = [deb for deb in debs if "-dbgsym_" not in deb.name]
    if not debs:
        raise KitError(f"{folder} has no packages for {release} (*+deb{RELEASES[release]}_*.deb): make them by packaging/build")
    return debs


def field(deb: pathlib.Path, name: str) -> str:
    return subprocess.run(["dpkg-deb", "-f", deb, name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def dependencies(debs: list[pathlib.Path]) -> set[str]:
    """The dependencies outside these packages, as names or, for alternatives, as patterns of apt: a release may lack some of them."""
    needed = (need for deb in debs for need in field(deb, "Depends").split(","))
    names = {frozenset(re.split(r"[\s(:]", one.strip())[0] for one in need.split("|")) for need in needed if need.strip()}
    ours = {field(deb, "Package") for deb in debs}
    return {next(iter(any_of)) if len(any_of) == 1 else f"?or({','.join(f'?name(^{re.escape(name)}$)' for name in sorted(any_of))})"
            for any_of in names if not any_of & (ours | PRESENT)}


@contextlib.contextmanager
def guest_files(debs: list[pathlib.Path], files: list[pathlib.Path]) -> Iterator[pathlib.Path]:
    """A folder with the files, and with the packages in debs/, to be /opt/tmm of a guest."""
    with tempfile.TemporaryDirectory(prefix="tmm-guest-") as name:
        folder = pathlib.Path(name)
        (folder / "debs").mkdir()
        for deb in debs:
            shutil.copy(deb, folder / "debs")
        for file in files:
            shutil.copy(file, folder)
        yield folder


def text_of(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def report(tap: Tap, machine: str, results: pathlib.Path, outcome: Outcome) -> None:
    """Reports the results of the guest's tests as our own, with the name of the machine."""
    planned = False
    for line in text_of(results / "stdout").splitlines():
        if match := re.fullmatch(r"(ok|not ok) \d+ - (.*)", line):
            tap.result(match[1] == "ok", f"{match[2]} ({machine})")
        elif line.startswith("1.."):
            planned = True
        else:
            tap.note(line.removeprefix("# "))
    complaint = kernel_failure(text_of(results / "serial.log"))
    ok = planned and outcome.kind is Kind.EXITED and not complaint
    tap.result(ok, f"all tests ran, and the kernel logged no failure ({machine})",
               *([] if ok else [complaint or outcome.message, f"logs: {results}", text_of(results / "stderr")]))
