# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmm-cachefs shows a folder as it is, and never an older content. TMM_CACHEFS names the program."""
import errno
import hashlib
import mmap
import multiprocessing
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

BLOCK = 128 << 10
TIMEOUT_S = 60
MANY_READS = 64


def can_mount() -> bool:
    return os.access("/dev/fuse", os.R_OK | os.W_OK) and shutil.which("fusermount3") is not None


class Mounted(unittest.TestCase):
    options: list[str] = []
    environment: dict[str, str] = {}

    def setUp(self) -> None:
        if not can_mount():
            self.skipTest("no access to /dev/fuse")
        self.folder = Path(tempfile.mkdtemp(prefix="tmm-cachefs-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.source = self.folder / "source"
        self.shown = self.folder / "shown"
        self.source.mkdir()
        self.shown.mkdir()
        self.mount()
        self.addCleanup(self.unmount)

    def mount(self) -> None:
        log = self.folder / "log"
        with open(log, "w") as output:
            self.program = subprocess.Popen([os.environ["TMM_CACHEFS"], "--foreground", *self.options, self.source, self.shown],
                                            stderr=output, env={**os.environ, **self.environment})
        deadline = time.monotonic() + TIMEOUT_S
        while not os.path.ismount(self.shown):
            if self.program.poll() is not None:
                if "Operation not permitted" in log.read_text():
                    self.skipTest("nobody may mount here")
                self.fail(log.read_text())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def unmount(self) -> None:
        if self.program.poll() is None:
            subprocess.run(["fusermount3", "-u", "-z", self.shown], check=True)
            self.assertEqual(self.program.wait(TIMEOUT_S), 0)

    def wait_until(self, holds) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def counts(self) -> dict[str, int]:
        text = os.getxattr(self.shown, "user.tmm-cachefs").decode()
        return {name: int(value) for name, value in (line.split() for line in text.splitlines())}

    def old_file(self, name: str, content: bytes) -> Path:
        """A file of the source with old times."""
        path = self.source / name
        path.write_bytes(content)
        os.utime(path, (1_000_000_000, 1_000_000_000))
        return path


# A share may report only at the close that it has no room. So does close(2) here for a descriptor that dup(2) has made.
FULL_SHARE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
static _Thread_local int copy = -1;
int dup(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "dup");
    return copy = real(descriptor);
}
int close(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
    const int done = real(descriptor);
    if (descriptor != copy || descriptor < 0)
        return done;
    copy = -1;
    errno = EDQUOT;
    return -1;
}
"""


class FullShare(Mounted):
    def mount(self) -> None:
        source, library = self.folder / "full.c", self.folder / "full.so"
        source.write_text(FULL_SHARE)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": str(library)}
        super().mount()

    def test_a_writer_hears_of_it(self) -> None:
        file = os.open(self.shown / "file", os.O_WRONLY | os.O_CREAT)
        os.write(file, b"content")
        with self.assertRaises(OSError) as raised:
            os.close(file)
        self.assertEqual(raised.exception.errno, errno.EDQUOT)


class Shows(Mounted):
    def test_files_folders_and_links(self) -> None:
        (self.source / "folder").mkdir()
        self.old_file("folder/file", b"content")
        (self.source / "link").symlink_to("folder/file")
        self.assertEqual(sorted(os.listdir(self.shown)), ["folder", "link"])
        self.assertEqual((self.shown / "link").read_bytes(), b"content")
        self.assertEqual(os.readlink(self.shown / "link"), "folder/file")
        with self.assertRaises(FileNotFoundError):
            (self.shown / "missing").read_bytes()

    def test_a_large_folder(self) -> None:
        names = {f"file {number}" for number in range(3000)}
        for name in names:
            (self.source / name).touch()
        self.assertEqual(set(os.listdir(self.shown)), names)

    def test_large_files_whole_and_in_parts(self) -> None:
        content = random.Random(1).randbytes(5 * BLOCK + 12345)
        self.old_file("file", content)
        with open(self.shown / "file", "rb", buffering=0) as file:
            self.assertEqual(hashlib.sha256((self.shown / "file").read_bytes()).digest(), hashlib.sha256(content).digest())
            draw = random.Random(2)
            for _ in range(300):
                begin = draw.randrange(len(content) + 1000)
                size = draw.randrange(300000)
                self.assertEqual(os.pread(file.fileno(), size, begin), content[begin:begin + size])

    def test_attributes_and_their_changes(self) -> None:
        self.old_file("file", b"12345678")
        path = self.shown / "file"
        self.assertEqual(path.stat().st_size, 8)
        os.chmod(path, 0o640)
        os.truncate(path, 3)
        os.utime(path, (5, 7))
        os.setxattr(path, "user.colour", b"green")
        original = (self.source / "file").stat()
        self.assertEqual((original.st_mode & 0o777, original.st_size, original.st_mtime), (0o640, 3, 7))
        self.assertEqual(os.listxattr(path), ["user.colour"])
        self.assertEqual(os.getxattr(path, "user.colour"), b"green")
        os.removexattr(path, "user.colour")
        self.assertEqual(os.listxattr(self.source / "file"), [])
        self.assertEqual(path.read_bytes(), b"123")

    def test_new_names_reach_the_source(self) -> None:
        (self.shown / "folder").mkdir(mode=0o750)
        (self.shown / "folder/file").write_bytes(b"content")
        os.link(self.shown / "folder/file", self.shown / "second")
        os.symlink("second", self.shown / "link")
        os.rename(self.shown / "folder/file", self.shown / "moved")
        os.mkfifo(self.shown / "fifo")
        self.assertEqual(sorted(os.listdir(self.source)), ["fifo", "folder", "link", "moved", "second"])
        self.assertEqual((self.source / "moved").read_bytes(), b"content")
        self.assertEqual((self.source / "moved").stat().st_nlink, 2)
        for name in ("moved", "second", "link", "fifo"):
            os.unlink(self.shown / name)
        os.rmdir(self.shown / "folder")
        self.assertEqual(os.listdir(self.source), [])

    def test_errors_are_those_of_the_source(self) -> None:
        (self.source / "folder").mkdir()
        (self.source / "folder/file").touch()
        with self.assertRaises(OSError) as failed:
            os.rmdir(self.shown / "folder")
        self.assertEqual(failed.exception.errno, errno.ENOTEMPTY)
        with self.assertRaises(FileExistsError):
            os.open(self.shown / "folder/file", os.O_CREAT | os.O_EXCL | os.O_WRONLY)

    def test_a_deleted_file_stays_readable_while_it_is_open(self) -> None:
        self.old_file("file", b"v" * (3 * BLOCK))
        with open(self.shown / "file", "rb", buffering=0) as file:
            os.unlink(self.shown / "file")
            self.assertEqual(len(os.pread(file.fileno(), 4 * BLOCK, 0)), 3 * BLOCK)

    def test_maps(self) -> None:
        self.old_file("file", b"a" * (2 * BLOCK))
        with open(self.shown / "file", "r+b") as file:
            with mmap.mmap(file.fileno(), 0) as mapped:
                mapped[BLOCK:BLOCK + 4] = b"text"
                mapped.flush()
        self.assertEqual((self.source / "file").read_bytes()[BLOCK:BLOCK + 5], b"texta")

    def test_a_map_of_a_file_that_appends_is_written_in_its_place(self) -> None:
        self.old_file("file", b"a" * (2 * BLOCK))
        file = os.open(self.shown / "file", os.O_RDWR | os.O_APPEND)
        self.addCleanup(os.close, file)
        with mmap.mmap(file, 2 * BLOCK) as mapped:
            mapped[BLOCK:BLOCK + 4] = b"text"
            mapped.flush()
        os.pwrite(file, b"end", 0)
        self.assertEqual((self.source / "file").read_bytes(), b"a" * BLOCK + b"text" + b"a" * (BLOCK - 4) + b"end")


def access_list(owner: int, group: int, others: int, mask: int, users: dict[int, int]) -> bytes:
    """The attribute system.posix_acl_access, as of acl(5)."""
    unnamed = 0xFFFF_FFFF
    entries = [(0x01, owner, unnamed), *((0x02, rights, user) for user, rights in users.items()), (0x04, group, unnamed),
               (0x10, mask, unnamed), (0x20, others, unnamed)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def read_much(user: int, path: Path, has_opened, goes) -> None:
    """As the user, with many reads at once, each of another block."""
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    file = os.open(path, os.O_RDONLY)
    has_opened.set()
    goes.wait(TIMEOUT_S)
    readers = [threading.Thread(target=os.pread, args=(file, 10, number * 4 * BLOCK)) for number in range(MANY_READS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()


class ServesOthers(Mounted):
    """Root shows the folder to others."""
    options = ["--options=allow_other"]
    USER, TEAM = 40001, 40002
    HAS_LISTS = True

    def setUp(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root serves other users")
        super().setUp()
        self.folder.chmod(0o755)

    def succeeds(self, command: str, path: Path) -> bool:
        return subprocess.run(["sh", "-c", command, "sh", path], user=self.USER, group=self.USER, extra_groups=[self.TEAM],
                              stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 0

    def set_user_id_file(self) -> Path:
        path = self.old_file("tool", b"program")
        path.chmod(0o4777)
        return path

    def test_access_control_lists_hold(self) -> None:
        denied, kept, granted = (self.old_file(name, b"content") for name in ("denied", "kept", "granted"))
        os.setxattr(denied, "system.posix_acl_access", access_list(6, 4, 4, 4, {self.USER: 0}))
        os.chown(kept, 0, self.TEAM)
        os.setxattr(kept, "system.posix_acl_access", access_list(6, 0, 0, 6, {self.USER + 100: 6}))
        os.setxattr(granted, "system.posix_acl_access", access_list(6, 0, 0, 4, {self.USER: 4}))
        readable = [name for name in ("denied", "kept", "granted") if self.succeeds('cat "$1"', self.shown / name)]
        self.assertEqual(readable, ["granted"])

    def test_nobody_changes_the_list_of_anothers_file(self) -> None:
        path = self.old_file("file", b"content")
        path.chmod(0o600)
        code = f"import os, sys; os.setxattr(sys.argv[1], 'system.posix_acl_access', {access_list(6, 0, 0, 7, {self.USER: 7})!r})"
        command = f'/usr/bin/python3 -c "{code}" "$1"'  # others may not run root's own Python
        self.assertFalse(self.succeeds(command, self.shown / "file"))
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        own = self.old_file("own", b"content")
        os.chown(own, self.USER, self.USER)
        self.assertEqual(self.succeeds(command, self.shown / "own"), self.HAS_LISTS, "the command works on a file of one's own")

    def test_further_groups_of_the_caller_count(self) -> None:
        folder = self.source / "team"
        folder.mkdir()
        os.chown(folder, 0, self.TEAM)
        folder.chmod(0o2770)
        self.assertTrue(self.succeeds('mkdir "$1"', self.shown / "team/folder"))
        self.assertTrue(self.succeeds('echo text > "$1"', self.shown / "team/file"))
        for name in ("folder", "file"):
            made = (folder / name).stat()
            self.assertEqual((made.st_uid, made.st_gid), (self.USER, self.TEAM))

    def test_truncating_takes_the_set_user_id_bit(self) -> None:
        path = self.set_user_id_file()
        self.assertTrue(self.succeeds(': > "$1"', self.shown / "tool"))
        self.assertEqual((path.stat().st_mode & 0o7777, path.stat().st_size), (0o777, 0))

    def test_writing_takes_the_set_user_id_bit(self) -> None:
        path = self.set_user_id_file()
        self.assertTrue(self.succeeds('printf other 1<>"$1"', self.shown / "tool"))
        self.assertEqual((path.stat().st_mode & 0o7777, path.read_bytes()), (0o777, b"otheram"))

    def test_slow_reads_of_one_user_leave_others_alone(self) -> None:
        # The folder `slow` is a share that stops: another tmm-cachefs.
        behind = self.folder / "behind"
        behind.mkdir()
        (behind / "file").write_bytes(bytes(MANY_READS * 4 * BLOCK))
        slow = self.source / "slow"
        slow.mkdir()
        self.old_file("quick", b"q" * (16 * BLOCK))
        share = subprocess.Popen([os.environ["TMM_CACHEFS"], "--foreground", "-o", "allow_other", behind, slow])
        self.addCleanup(share.wait, TIMEOUT_S)
        self.addCleanup(share.terminate)
        self.wait_until(lambda: os.path.ismount(slow))
        fork = multiprocessing.get_context("fork")
        has_opened, goes = fork.Event(), fork.Event()
        reader = fork.Process(target=read_much, args=(self.USER, self.shown / "slow/file", has_opened, goes))
        reader.start()
        self.addCleanup(reader.join, TIMEOUT_S)
        self.addCleanup(share.send_signal, signal.SIGCONT)
        self.assertTrue(has_opened.wait(TIMEOUT_S))
        connections = self.folder / "connections"
        connections.mkdir()
        subprocess.run(["mount", "-t", "fusectl", "fusectl", connections], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", connections], check=True)
        waiting = connections / str(os.minor(self.shown.stat().st_dev)) / "waiting"
        share.send_signal(signal.SIGSTOP)
        goes.set()
        self.wait_until(lambda: int(waiting.read_text()) >= MANY_READS)
        quick = subprocess.run(["cmp", self.shown / "quick", self.source / "quick"], timeout=TIMEOUT_S)
        self.assertEqual(quick.returncode, 0)
        share.send_signal(signal.SIGCONT)
        reader.join(TIMEOUT_S)
        self.assertEqual(reader.exitcode, 0)


class ServesOthersDirectly(ServesOthers):
    options = ["--direct", "--options=allow_other"]


class ServesOthersFromAShare(ServesOthers):
    """Of a file system without access control lists, as many shares have."""
    HAS_LISTS = False

    def mount(self) -> None:
        subprocess.run(["mount", "-t", "ramfs", "-o", "mode=755", "source", self.source], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.source], check=True)
        super().mount()

    def test_access_control_lists_hold(self) -> None:
        # There are none, so the modes do.
        for name, mode in (("shown", 0o644), ("kept", 0o640)):
            self.old_file(name, b"content").chmod(mode)
        self.assertTrue(self.succeeds('cat "$1"', self.shown / "shown"))
        self.assertFalse(self.succeeds('cat "$1"', self.shown / "kept"))


class Caches(Mounted):
    # The kernel's own pages would answer, and nobody would see whether the cache does.
    options = ["--direct"]

    def test_the_second_read_asks_nothing_of_the_source(self) -> None:
        self.old_file("file", b"v" * (10 * BLOCK))
        # One open file: the source changed so lately that another open would not trust its blocks.
        file = os.open(self.shown / "file", os.O_RDONLY)
        self.addCleanup(os.close, file)
        os.pread(file, 10 * BLOCK, 0)
        before = self.counts()
        os.pread(file, 10 * BLOCK, 0)
        after = self.counts()
        self.assertEqual((after["fetched"], after["ahead"]), (before["fetched"], before["ahead"]))
        self.assertGreater(after["hits"], before["hits"])
        self.assertGreaterEqual(after["bytes"], 10 * BLOCK)

    def test_blocks_ahead_of_a_reader_in_order_are_fetched(self) -> None:
        self.old_file("file", b"v" * (40 * BLOCK))
        with open(self.shown / "file", "rb", buffering=0) as file:
            for number in range(2):
                os.pread(file.fileno(), BLOCK, number * BLOCK)
            # The reader rests, so nobody else asks for the blocks that follow.
            deadline = time.monotonic() + TIMEOUT_S
            while self.counts()["ahead"] < 2:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            for number in range(2, 40):
                os.pread(file.fileno(), BLOCK, number * BLOCK)
        counts = self.counts()
        self.assertEqual(counts["fetched"] + counts["ahead"], 40)

    def test_random_reads_fetch_nothing_else(self) -> None:
        self.old_file("file", b"v" * (400 * BLOCK))
        with open(self.shown / "file", "rb", buffering=0) as file:
            for number in (17, 350, 90, 222, 5, 301):
                os.pread(file.fileno(), 10, number * BLOCK)
        counts = self.counts()
        self.assertEqual((counts["fetched"], counts["ahead"]), (6, 0))

    def test_a_change_of_the_source_is_seen_at_the_next_open(self) -> None:
        path = self.old_file("file", b"old" * BLOCK)
        self.assertEqual((self.shown / "file").read_bytes()[:3], b"old")
        for content in (b"new", b"two", b"six"):
            path.write_bytes(content * BLOCK)
            self.assertEqual((self.shown / "file").read_bytes(), content * BLOCK)
        self.assertGreater(self.counts()["changed"], 0)

    def test_another_file_of_the_same_name_is_seen(self) -> None:
        self.old_file("file", b"old" * BLOCK)
        self.assertEqual((self.shown / "file").read_bytes()[:3], b"old")
        other = self.old_file("other", b"new" * BLOCK)
        os.rename(other, self.source / "file")
        deadline = time.monotonic() + TIMEOUT_S
        # The kernel keeps names for a second.
        while (self.shown / "file").read_bytes()[:3] != b"new":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_reads_after_a_write_never_show_older_bytes(self) -> None:
        self.old_file("file", bytes(8 * BLOCK))
        draw = random.Random(3)
        expected = bytearray(8 * BLOCK)
        stops = threading.Event()

        def keep_reading() -> None:
            with open(self.shown / "file", "rb", buffering=0) as file:
                while not stops.is_set():
                    os.pread(file.fileno(), BLOCK, random.randrange(8) * BLOCK)

        readers = [threading.Thread(target=keep_reading) for _ in range(2)]
        for reader in readers:
            reader.start()
        try:
            with open(self.shown / "file", "r+b", buffering=0) as file:
                for _ in range(300):
                    begin = draw.randrange(8 * BLOCK)
                    data = draw.randbytes(draw.randrange(1, 2000))
                    written = os.pwrite(file.fileno(), data, begin)
                    if begin + written > len(expected):
                        expected.extend(bytes(begin + written - len(expected)))
                    expected[begin:begin + written] = data
                    around = max(0, begin - 100)
                    self.assertEqual(os.pread(file.fileno(), 4000, around), bytes(expected[around:around + 4000]))
        finally:
            stops.set()
            for reader in readers:
                reader.join()
        self.assertEqual((self.source / "file").read_bytes(), bytes(expected))

    def test_appended_bytes_are_read(self) -> None:
        self.old_file("log", b"first\n")
        with open(self.shown / "log", "rb", buffering=0) as reader, open(self.shown / "log", "ab", buffering=0) as writer:
            text = b"first\n"
            for number in range(200):
                line = b"line %d " % number + b"x" * 1000 + b"\n"
                writer.write(line)
                text += line
                self.assertEqual(os.pread(reader.fileno(), len(text) + 10, 0), text)


class SmallCache(Mounted):
    options = ["--direct", "--memory=4M", "--block=64K"]

    def test_takes_no_more_than_its_bound(self) -> None:
        content = random.Random(4).randbytes(32 << 20)
        self.old_file("file", content)
        self.assertEqual(hashlib.sha256((self.shown / "file").read_bytes()).digest(), hashlib.sha256(content).digest())
        self.assertLess(self.counts()["bytes"], 8 << 20)


class TellsItsBound(Mounted):
    options = ["--memory=8M"]

    def mount(self) -> None:
        tmmd = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(tmmd.close)
        tmmd.settimeout(TIMEOUT_S)
        tmmd.bind(str(self.folder / "soft"))
        tmmd.listen()
        with unittest.mock.patch.dict(os.environ, SOFTLIB_COORDINATOR=str(self.folder / "soft")):
            super().mount()
        self.heap, _ = tmmd.accept()
        self.addCleanup(self.heap.close)
        self.heap.settimeout(TIMEOUT_S)

    def test_tmmd_learns_that_it_can_use_no_more(self) -> None:
        self.heap.recv(4096)
        # The first report may answer a budget of before.
        self.heap.recv(4096)
        # softlib/coordinate/records.hpp: header, number, budget.
        budget = struct.unpack_from("<IIQQ", self.heap.recv(4096))[3]
        self.assertLessEqual(budget, 8 << 20)


class Ends(Mounted):
    def test_an_unmount_in_use_ends_it_when_the_last_file_is_closed(self) -> None:
        self.old_file("file", b"v" * BLOCK)
        with open(self.shown / "file", "rb") as file:
            subprocess.run(["fusermount3", "-u", "-z", self.shown], check=True)
            self.assertEqual(len(file.read()), BLOCK)
        self.assertEqual(self.program.wait(TIMEOUT_S), 0)

    def test_a_signal_unmounts_it(self) -> None:
        self.program.terminate()
        self.program.wait(TIMEOUT_S)
        self.assertFalse(os.path.ismount(self.shown))


class CommandLine(unittest.TestCase):
    def check(self, arguments: list[str], code: int, words: str) -> None:
        done = subprocess.run([os.environ["TMM_CACHEFS"], *arguments], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)

    def test_messages_name_what_is_wrong(self) -> None:
        self.check([], 2, "SOURCE and MOUNTPOINT")
        self.check(["--block=100K", "/tmp", "/mnt"], 2, "option block: '100K' is not a power of two from 4K to 4M")
        self.check(["--memory=much", "/tmp", "/mnt"], 2, "option memory: 'much'")
        self.check(["--fetchers=0", "/tmp", "/mnt"], 2, "option fetchers: '0'")
        self.check(["-o", "readahead", "/tmp", "/mnt"], 2, "option readahead needs a value")
        self.check(["--colour", "/tmp", "/mnt"], 2, "there is no option --colour")
        self.check(["/no/such/folder", "/mnt"], 1, "/no/such/folder: No such file or directory")
        self.check(["/tmp", "/no/such/folder"], 1, "/no/such/folder")


if __name__ == "__main__":
    unittest.main()
