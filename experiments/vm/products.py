# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds the files of a machine, or makes them through scripts/cached, once per process."""

import functools
import os
import pathlib
import platform
import shutil
import subprocess

from .errors import KitError

TREE = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path("experiments/vm")
KERNELS = ("plain", "tmm", "tmm-desktop", "plain-7.3", "tmm-7.3")
# Not made here: the kernel of a Debian package in the root file system.
DEBIAN = "debian"


def need_program(program: str, package: str) -> None:
    if not shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin"):
        raise KitError(f"{program} is not installed: apt-get install --no-install-recommends {package}")


def printed_path(command: list[str], what: str) -> pathlib.Path:
    """Runs a command of the tree that prints the path of its product; its progress goes to stderr."""
    result = subprocess.run(command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    path = pathlib.Path(result.stdout.strip() or "/nonexistent")
    if result.returncode != 0 or not path.exists():
        raise KitError(f"cannot make {what}: see the lines above (command: {' '.join(command)})")
    return path


@functools.cache
def kernel_image(name_or_path: str) -> pathlib.Path:
    if name_or_path in KERNELS:
        if not (TREE / "kernel/build").exists():
            raise KitError(f"no kernel/build in this tree to make the kernel '{name_or_path}' with: give the path of a bzImage")
        return printed_path(["kernel/build", name_or_path], f"the kernel '{name_or_path}'")
    path = pathlib.Path(name_or_path)
    if not path.is_file():
        raise KitError(f"no kernel: '{name_or_path}' is neither {' nor '.join((*KERNELS, DEBIAN))} nor a file")
    return path.resolve()


def debian_kernel(root_image_path: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """The kernel among the packages of a root file system, and its initrd."""
    kernel, initrd = root_image_path.parent / "vmlinuz", root_image_path.parent / "initrd.img"
    if not (kernel.is_file() and initrd.is_file()):
        raise KitError(f"--kernel {DEBIAN}: the guest's root file system has none: add --with linux-image-amd64")
    return kernel, initrd


@functools.cache
def root_image(packages: tuple[str, ...] = (), desktop: bool = False, release: str | None = None) -> pathlib.Path:
    command = ["experiments/vm/rootfs/build", *(["--desktop"] if desktop else []), *(["--release", release] if release else [])]
    for package in packages:
        command += ["--with", package]
    return printed_path(command, "the guest's root file system")


def compiled(source: str, output: str, flags: list[str]) -> pathlib.Path:
    if not shutil.which("gcc"):
        raise KitError("gcc is not installed: apt-get install --no-install-recommends gcc libc6-dev")
    path = str(FOLDER / source)
    script = f'exec gcc -std=gnu11 -O2 -Wall -Wextra -Werror {" ".join(flags)} -o "$OUT/{output}" {path}'
    # The key contains the compiler's version: the guest is of the host's release, and so must its programs be.
    version = subprocess.run(["gcc", "-dumpfullversion"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    name = pathlib.Path(output).stem
    return printed_path(["scripts/cached", "-f", path, "-s", version, f"vm-{name}", "--", "sh", "-c", script], output) / output


@functools.cache
def disk_plugin() -> pathlib.Path:
    need_program("nbdkit", "nbdkit")
    if not pathlib.Path("/usr/include/nbdkit-plugin.h").exists():
        raise KitError("nbdkit-plugin.h is not installed: apt-get install --no-install-recommends nbdkit-plugin-dev")
    return compiled("disk/latency_disk.c", "latency-disk.so", ["-fPIC", "-shared"])


@functools.cache
def latency_check() -> pathlib.Path:
    return compiled("guest/latency_check.c", "latency-check", [])


@functools.cache
def host_tsc_khz() -> int | None:
    """The frequency of this machine's time stamp counter. None: it has none."""
    if platform.machine() != "x86_64":
        return None
    program = compiled("host/tsc_khz.c", "tsc-khz", [])
    return int(subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout)
