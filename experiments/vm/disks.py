# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The disks of one machine: the image of the tools, and the server that answers for all disks."""

import os
import pathlib
import shlex
import shutil
import subprocess

from .errors import KitError
from .settings import Backing


def server_command(plugin: pathlib.Path, socket: pathlib.Path, backing: Backing, root: pathlib.Path, tools: pathlib.Path,
                   swap_mb: int) -> tuple[list[str], tuple[str, ...]]:
    """nbdkit's command line and the names of its exports, in the order of the guest's disks."""
    command = ["nbdkit", "--foreground", "--newstyle", "--unix", str(socket), str(plugin),
               f"latency-us={backing.latency_us}", f"serial={'true' if backing.serial else 'false'}",
               f"file=root:{root}", f"file=tools:{tools}"]
    if not swap_mb or backing.swap_on_zram:
        return command, ("root", "tools")
    return [*command, f"memory=swap:{swap_mb << 20}"], ("root", "tools", "swap")


def guest_settings(backing: Backing, swap_mb: int, lru: str, runner: str) -> str:
    """Shell variables for the guest's init."""
    swap = "none" if not swap_mb else "zram" if backing.swap_on_zram else "disk"
    return (f"SWAP={swap}\nSWAP_MB={swap_mb}\nLRU={lru}\nROTATIONAL={int(backing.rotational)}\n"
            f"RUNNER={runner}\n")


def guest_command(command: list[str]) -> str:
    return f"#!/bin/sh\nexec {shlex.join(command)}\n"


def link_or_copy(source: str, target: str) -> None:
    """Links within one file system, where that is enough: the image is packed at once."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def pack_tools(work_dir: pathlib.Path, tools: list[pathlib.Path], kit_files: dict[str, pathlib.Path | str]) -> pathlib.Path:
    """An ext4 image of all tools folders, later ones over earlier ones, and of the kit's own files (paths or texts) in .kit."""
    tree = work_dir / "tools"
    tree.mkdir()
    for folder in tools:
        if not folder.is_dir():
            raise KitError(f"no such tools folder: {folder}")
        merge(folder, tree)
    kit = tree / ".kit"
    kit.mkdir(exist_ok=True)
    for name, content in kit_files.items():
        (kit / name).unlink(missing_ok=True)
        if isinstance(content, str):
            (kit / name).write_text(content, encoding="utf-8")
            (kit / name).chmod(0o755)
        else:
            shutil.copy2(content, kit / name)
    image = work_dir / "tools.ext4"
    bytes_used = sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_symlink())
    entries = sum(1 for _ in tree.rglob("*"))
    with image.open("wb") as file:
        file.truncate((bytes_used * 5 // 4 + entries * 8192 + (16 << 20)) & ~4095)
    environment = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
    command = ["mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", "-E", "root_owner=0:0", "-d", str(tree), str(image)]
    made = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if made.returncode != 0:
        raise KitError(f"cannot pack the tools: {made.stdout.strip()}")
    shutil.rmtree(tree)
    return image


def merge(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copies a folder's content over another's; symbolic links stay what they are."""
    for entry in sorted(source.iterdir()):
        there = target / entry.name
        if entry.is_dir() and not entry.is_symlink():
            if there.is_symlink() or there.is_file():
                there.unlink()
            there.mkdir(exist_ok=True)
            merge(entry, there)
            continue
        if there.is_dir() and not there.is_symlink():
            shutil.rmtree(there)
        else:
            there.unlink(missing_ok=True)
        if entry.is_symlink():
            there.symlink_to(os.readlink(entry))
        elif entry.is_file():
            link_or_copy(str(entry), str(there))
