# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A file system of a user (FUSE) with one file, whose requests of one kind it never answers. The names are those of linux/fuse.h. In a user
namespace of one's own nobody needs a right for it."""

import contextlib
import ctypes
import os
import pathlib
import signal
import struct
import subprocess
import threading
import time
from collections.abc import Callable

from desk import MB
from tap import Skip

DEVICE = pathlib.Path("/dev/fuse")
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
LOOKUP, FORGET, GETATTR, OPEN, RELEASE, FLUSH, INIT, INTERRUPT, POLL, BATCH_FORGET = 1, 2, 3, 14, 18, 25, 26, 36, 40, 42
ENOSYS = 38
ROOT_NODE, FILE_NODE = 1, 2
FILE_NAME = "file"

libc = ctypes.CDLL(None, use_errno=True)


def need_device() -> None:
    """As root, for udev, which does not run. Skip: this kernel has no FUSE, or no namespaces for users."""
    if subprocess.run(["modprobe", "fuse"], capture_output=True, check=False).returncode != 0 and not DEVICE.exists():
        raise Skip("the kernel has no FUSE")
    limit = pathlib.Path("/proc/sys/user/max_user_namespaces")
    allowed = pathlib.Path("/proc/sys/kernel/unprivileged_userns_clone")
    if any(not path.exists() or int(path.read_text(encoding="ascii")) == 0 for path in (limit, *([allowed] if allowed.exists() else []))):
        raise Skip("users may make no user namespaces")
    if not DEVICE.exists():
        os.mknod(DEVICE, 0o20666, os.makedev(10, 229))
    DEVICE.chmod(0o666)


def need_waiting_readers(cgroup: pathlib.Path) -> None:
    """As root, under attack. Skip: whoever reads a file of a process of the cgroup gets an answer."""
    for pid in (cgroup / "cgroup.procs").read_text(encoding="ascii").split():
        try:
            subprocess.run(["cat", f"/proc/{pid}/io"], capture_output=True, timeout=2, check=False)
        except subprocess.TimeoutExpired:
            return
    raise Skip("on this kernel nobody waits for a process in execve(2) that closes files")


def checked(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount() -> tuple[int, pathlib.Path]:
    """Returns the kernel's end, and the file."""
    user, group = os.getuid(), os.getgid()
    checked(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        pathlib.Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
    folder = pathlib.Path.home() / "unanswered"
    folder.mkdir(exist_ok=True)
    device = os.open(DEVICE, os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id={user},group_id={group}"
    checked(libc.mount(b"unanswered", str(folder).encode(), b"fuse", 0, options.encode()), "mount")
    return device, folder / FILE_NAME


def attributes(node: int) -> bytes:
    mode = 0o40755 if node == ROOT_NODE else 0o100644
    return struct.pack("<6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, 4096, 0)


def answer(opcode: int, node: int) -> bytes | None:
    """None: not implemented."""
    if opcode == INIT:
        return struct.pack("<IIIIHHIIHHI7I", 7, 31, 0, 0, 16, 12, 4096, 1, 0, 0, 0, *[0] * 7)
    if opcode == LOOKUP:
        return struct.pack("<QQQQII", FILE_NODE, 0, 3600, 3600, 0, 0) + attributes(FILE_NODE)
    if opcode == GETATTR:
        return struct.pack("<QII", 3600, 0, 0) + attributes(node)
    if opcode == OPEN:
        return struct.pack("<QII", 1, 0, 0)
    return b"" if opcode in (RELEASE, FLUSH) else None


def serve_until(device: int, unanswered: int) -> None:
    """Answers requests until the first of that kind."""
    while True:
        _, opcode, unique, node = struct.unpack_from("<IIQQ", os.read(device, 1 << 17))
        if opcode == unanswered:
            return
        if opcode in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        body = answer(opcode, node)
        os.write(device, struct.pack("<IiQ", 16 + len(body or b""), 0 if body is not None else -ENOSYS, unique) + (body or b""))


def leave_unanswered(opcode: int, wait: Callable[[pathlib.Path], None]) -> None:
    """As mallory: has a child wait for the answer to a request of that kind."""
    device, file = mount()
    if os.fork() == 0:
        os.close(device)
        threading.Thread(target=read_much, daemon=True).start()
        with contextlib.suppress(OSError):  # of the end
            wait(file)
        while True:
            signal.pause()
    serve_until(device, opcode)


def read_much() -> None:
    """Reads so much, again and again, that each look of tmmd's includes the files of this process."""
    path = pathlib.Path.home() / "much"
    path.write_bytes(bytes(2 * MB))
    while True:
        path.read_bytes()
        time.sleep(0.1)
