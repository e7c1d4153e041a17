#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs programs on far memory: python3 test_far.py, or scripts/unittest-to-tap farmem/tests."""
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from rig import CHECK_PAGES, FAR, HELPER, LENDER, LIBRARY, PAGER, TIMEOUT, FarTest


class Programs(FarTest):
    def test_threads_check_every_page(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5"]))

    def test_mappings_that_change(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5", "map"]))

    def test_forks(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "3", "5", "fork"]))

    def test_forks_and_mappings(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "3", "5", "fork", "map"]))

    def test_pages_that_leave_between_two_writes(self) -> None:
        self.assert_succeeds(self.run_far("4M", [CHECK_PAGES, "8", "1", "5", "fork", "map", "hot"]))

    def test_a_program_that_reads_all_its_mappings(self) -> None:
        """Those of the library among them: each turn makes pages where others have to pass."""
        program = ("import ctypes, re\n"
                   "data = [bytearray([i % 251]) * 4096 for i in range(10_000)]\n"
                   "wrong = 0\n"
                   "for turn in range(1, 13):\n"
                   "    for line in list(open('/proc/self/maps')):\n"
                   "        first, last, rights = re.match('(\\w+)-(\\w+) (\\S+)', line).groups()\n"
                   "        if rights[0] == 'r' and '[' not in line:\n"
                   "            for page in range(int(first, 16), int(last, 16), 4096):\n"
                   "                ctypes.c_ubyte.from_address(page).value\n"
                   "    for i, page in enumerate(data):\n"
                   "        wrong += page != bytearray([(i + turn - 1) % 251]) * 4096\n"
                   "        page[:] = bytearray([(i + turn) % 251]) * 4096\n"
                   "local = re.search(r'RssAnon:\\s*(\\d+)', open('/proc/self/status').read()).group(1)\n"
                   "print(wrong, int(local) // 1024)\n")
        run = self.run_far("16M", [sys.executable, "-c", program])
        wrong, local_mib = map(int, run.stdout.split())
        self.assertEqual((wrong, run.stderr), (0, ""))
        # A page that did not leave, but counts as gone, stays for ever.
        self.assertLessEqual(local_mib, 20)

    @unittest.skipUnless(os.access("/proc/sys/vm/compact_memory", os.W_OK), "only root can have pages migrated")
    def test_pages_that_the_kernel_migrates(self) -> None:
        program = self.start_far("16M", [CHECK_PAGES, "64", "4", "15", "fill"])
        while program.poll() is None:
            Path("/proc/sys/vm/compact_memory").write_text("1")
            time.sleep(0.1)
        out, errors = program.communicate()
        self.assertEqual(program.returncode, 0, out + errors)

    def test_sort(self) -> None:
        numbers = random.Random(1)
        text = "".join(f"{numbers.getrandbits(64):x}\n" for _ in range(400_000))
        (self.folder / "in").write_text(text)
        sort = ["sort", "--buffer-size=40M", "--parallel=2", self.folder / "in"]
        run = self.run_far("10M", sort, env={**os.environ, "LC_ALL": "C"})
        self.assert_succeeds(run)
        self.assertEqual(run.stdout, "".join(sorted(text.splitlines(True))))

    def test_python(self) -> None:
        program = ("import hashlib\n"
                   "a = [str(i) * 3 for i in range(600_000)]\n"
                   "b = dict.fromkeys(a, 1)\n"
                   "a.sort()\n"
                   "print(hashlib.sha256(''.join(a).encode()).hexdigest(), len(b))\n")
        run = self.run_far("24M", [sys.executable, "-c", program])
        self.assert_succeeds(run)
        words = sorted(str(i) * 3 for i in range(600_000))
        self.assertEqual(run.stdout, f"{hashlib.sha256(''.join(words).encode()).hexdigest()} 600000\n")

    def test_multiprocessing(self) -> None:
        program = ("import multiprocessing as m\n"
                   "data = [bytes([i % 251]) * 4096 for i in range(12_000)]\n"
                   "def total(k):\n"
                   "    return sum(sum(page[:16]) for page in data[k::4])\n"
                   "with m.get_context('fork').Pool(4) as pool:\n"
                   "    print(sum(pool.map(total, range(4))))\n")
        run = self.run_far("16M", [sys.executable, "-c", program])
        self.assert_succeeds(run)
        self.assertEqual(run.stdout, f"{16 * sum(i % 251 for i in range(12_000))}\n")

    def test_status_of_a_program(self) -> None:
        run = self.run_far("16M", ["sh", "-c", "exit 7"])
        self.assertEqual(run.returncode, 7)


class Advice(FarTest):
    def test_a_command_that_fits(self) -> None:
        run = self.far("advise", "--", "sh", "-c", "echo out; exit 7")
        self.assertEqual((run.returncode, run.stdout), (7, "out\n"))
        self.assertIn("it fits", run.stderr)
        self.assertEqual(self.far("advise", "--", "sh", "-c", "kill -9 $$").returncode, 137)
        self.assertEqual(self.far("advise", "--", "no-such-command").returncode, 127)


class Limits(FarTest):
    def test_moves_while_the_program_runs(self) -> None:
        program = self.start_far("64M", [CHECK_PAGES, "96", "2", "12"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.assertEqual(self.far("limit", "test", "24M").returncode, 0)
        self.wait_for(lambda: int(self.status()["local"]) <= 24 << 20)
        self.assertEqual(self.far("limit", "test", "200M").returncode, 0)
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors)

    def test_stop(self) -> None:
        program = self.start_far("16M", [CHECK_PAGES, "64", "2", "200"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.assertEqual(self.far("stop", "test").returncode, 0)
        program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, -signal.SIGKILL)
        self.wait_for(lambda: not self.status())


class ManyProcesses(FarTest):
    # The pager has some files of each process.
    pager_starter = ["prlimit", "--nofile=48:4096"]

    def test_more_processes_than_open_files_at_first(self) -> None:
        program = ("import os\n"
                   "data = [bytes([i % 251]) * 4096 for i in range(5_000)]\n"
                   "ends, waits = os.pipe()\n"
                   "children = []\n"
                   "for n in range(60):\n"
                   "    children.append(os.fork())\n"
                   "    if children[-1] == 0:\n"
                   "        os.close(waits)\n"
                   "        os.read(ends, 1)\n"
                   "        os._exit(0 if all(page[0] == i % 251 for i, page in enumerate(data)) else 1)\n"
                   "os.close(waits)\n"
                   "print([os.waitpid(child, 0)[1] for child in children])\n")
        # Python 3.12 and later warns of forks beside another thread, which the hand is.
        run = self.run_far("16M", [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program])
        self.assertEqual((run.stdout, run.stderr), (f"{[0] * 60}\n", ""))


class Refusals(FarTest):
    def test_programs_that_cannot(self) -> None:
        setuid = self.folder / "setuid"
        shutil.copy("/bin/true", setuid)
        setuid.chmod(0o4755)
        run = self.run_far("16M", [setuid])
        self.assertEqual(run.returncode, 125)
        self.assertIn("setuid", run.stderr)
        self.assertEqual(self.run_far("16M", ["no-such-command"]).returncode, 127)
        self.assertEqual(self.run_far("1M", ["true"]).returncode, 125)

    def test_a_name_twice(self) -> None:
        first = self.start_far("16M", ["sleep", "100"])
        self.wait_for(lambda: self.status() != {})
        self.assertEqual(self.run_far("16M", ["true"]).returncode, 125)
        first.kill()
        first.communicate()


class NothingLost(FarTest):
    def test_a_killed_pager_ends_the_program(self) -> None:
        program = self.start_far("16M", [CHECK_PAGES, "64", "4", "200"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.pager.kill()
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, -signal.SIGKILL)
        self.assertEqual(out, "", "it did not see a wrong page")
        self.assertIn("the pager has ended", errors)

    def test_the_word_stays_in_a_log(self) -> None:
        # Who shares the log writes on behind it, not over it.
        with open(self.folder / "errors", "wb", buffering=0) as errors:
            errors.write(b"before\n")
            program = subprocess.Popen(self.words("16M", [CHECK_PAGES, "64", "4", "200"]), stderr=errors, **self.as_user)
            self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
            self.pager.kill()
            program.wait(TIMEOUT)
            errors.write(b"behind\n")
        self.assertRegex((self.folder / "errors").read_text(), r"\Abefore\ntmm-far: the pager has ended, .*: killed\. Run the command again: .*\nbehind\n\Z")

    def test_the_next_pager_starts_at_once(self) -> None:
        program = self.start_far("16M", [CHECK_PAGES, "64", "4", "200", "fork"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.pager.kill()
        self.pager.wait()
        self.socket.unlink()
        self.pager = subprocess.Popen([PAGER, f"--socket={self.socket}"], stderr=self.log)
        self.wait_for(lambda: self.socket.exists() or self.pager.poll() is not None)
        self.assertIsNone(self.pager.poll())
        self.assert_succeeds(self.run_far("16M", ["true"]))
        program.communicate(timeout=TIMEOUT)

    def test_a_killed_pager_ends_children_without_a_hand(self) -> None:
        # A bare fork: the C library has nothing to do with it.
        # It begins when pages are far, and reads only then: before, it would soon have all pages, and need no pager.
        killed = self.folder / "killed"
        code = ("import ctypes, os, re, sys, time\n"
                "data = [bytes([i % 251]) * 4096 for i in range(12_000)]\n"
                "while int(re.search('RssAnon:\\s*([0-9]+)', open('/proc/self/status').read())[1]) > 24_000:\n"
                "    time.sleep(0.01)\n"
                "if ctypes.CDLL(None).syscall(57 if sys.argv[1] == 'x86_64' else 220, *([17] if sys.argv[1] != 'x86_64' else []), 0, 0, 0, 0) == 0:\n"
                "    while not os.path.exists(sys.argv[2]):\n"
                "        time.sleep(0.01)\n"
                "    while True:\n"
                "        for i, page in enumerate(data):\n"
                "            assert page[100] == i % 251, print('wrong', flush=True)\n"
                "time.sleep(1000)\n")
        program = self.start_far("16M", [sys.executable, "-c", code, os.uname().machine, str(killed)])
        self.wait_for(lambda: int(self.status().get("processes", 0)) == 2)
        self.pager.kill()
        self.pager.wait()
        killed.touch()
        # Its end: the child has the program's output, too.
        out, _ = program.communicate(timeout=TIMEOUT)
        self.assertEqual(out, "")

    def test_a_killed_pager_leaves_no_caller_waiting(self) -> None:
        # The keeper stays as long as this child, which has no hand and touches nothing.
        code = ("import ctypes, os, sys, time\n"
                "data = [bytes([i % 251]) * 4096 for i in range(12_000)]\n"
                "if ctypes.CDLL(None).syscall(57 if sys.argv[1] == 'x86_64' else 220, *([17] if sys.argv[1] != 'x86_64' else []), 0, 0, 0, 0) == 0:\n"
                "    print(os.getpid(), flush=True)\n"
                "time.sleep(1000)\n")
        program = self.start_far("16M", [sys.executable, "-c", code, os.uname().machine])
        child = int(program.stdout.readline())
        self.wait_for(lambda: "nanosleep" in Path(f"/proc/{child}/wchan").read_text())
        self.pager.send_signal(signal.SIGSTOP)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as caller:
            caller.settimeout(20)
            caller.connect(str(self.socket))
            self.pager.kill()
            try:
                self.assertEqual(caller.recv(1), b"")
            except ConnectionResetError:
                pass
            finally:
                os.kill(child, signal.SIGKILL)
                program.communicate(timeout=TIMEOUT)

    def test_a_killed_program_takes_nothing_along(self) -> None:
        for _ in range(3):
            program = self.start_far("16M", [CHECK_PAGES, "64", "4", "200"])
            self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
            program.kill()
            program.communicate(timeout=TIMEOUT)
            self.wait_for(lambda: not self.status())

    def test_a_full_store(self) -> None:
        self.store = "memory,quota=8M"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "2", "3"]))


@unittest.skipUnless(os.geteuid() == 0, "only root can be another user, and a helper")
class WithoutRights(FarTest):
    as_user = {"user": 65534, "group": 65534, "extra_groups": []}

    def setUp(self) -> None:
        os.umask(0o022)
        self.place = Path(tempfile.mkdtemp(prefix="tmm-far-helper-"))
        self.place.chmod(0o755)
        # As systemd does it, with Accept=yes.
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(str(self.place / "socket"))
        self.listener.listen()
        threading.Thread(target=self.serve, daemon=True).start()
        self.pager_options = [f"--helper={self.place / 'socket'}"]
        (self.place / "socket").chmod(0o666)
        super().setUp()

    def prepare(self) -> None:
        os.chown(self.folder, 65534, 65534)

    def tearDown(self) -> None:
        super().tearDown()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        shutil.rmtree(self.place)

    def serve(self) -> None:
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            with connection:
                subprocess.run([HELPER], stdin=connection, check=True, timeout=TIMEOUT)

    def test_programs_that_fork(self) -> None:
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "3", "5", "fork"]))

    def test_who_may_not_is_told(self) -> None:
        (self.place / "socket").chmod(0o600)
        run = self.run_far("16M", ["true"])
        self.assertEqual(run.returncode, 125)
        self.assertIn("group tmm-far", run.stderr)

    def test_a_pager_of_another_user_is_refused(self) -> None:
        # It would read and write the program's memory, here root's.
        fake = self.folder / "fake"
        code = ("import socket, sys\n"
                "listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
                "listener.bind(sys.argv[1])\n"
                "listener.listen()\n"
                "while True:\n"
                "    caller = listener.accept()[0]\n"
                "    while text := caller.recv(5000):\n"
                "        print(text[:4], flush=True)\n"
                "        caller.send(b'ok')\n")
        server = subprocess.Popen(["/usr/bin/python3", "-c", code, fake], stdout=subprocess.PIPE, text=True, **self.as_user)
        try:
            self.wait_for(fake.exists)
            command = [FAR, "run", "--memory=16M", f"--socket={fake}", f"--library={LIBRARY}", "--", "true"]
            run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(run.returncode, 125)
            self.assertIn("another user's", run.stderr)
            environment = {"LD_PRELOAD": str(LIBRARY), "TMM_FAR": f"{fake}:test"}
            run = subprocess.run(["true"], capture_output=True, text=True, timeout=TIMEOUT, check=True, env=environment)
            self.assertIn("another user's", run.stderr)
        finally:
            server.kill()
        self.assertEqual(server.communicate()[0], "", "it was told nothing")

    def test_the_helper_takes_no_other_file(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection, open("/dev/null", "rb") as null:
            connection.connect(str(self.place / "socket"))
            for request, files in ((b"begin", [null.fileno()]), (b"begin", []), (b"x", []), (b"open", [null.fileno()])):
                socket.send_fds(connection, [request], files)
                answer, passed, _, _ = socket.recv_fds(connection, 200, 8)
                self.assertEqual(answer == b"ok", request == b"open")
                self.assertEqual(len(passed), 1 if request == b"open" else 0)
                for file in passed:
                    os.close(file)


class FileStore(FarTest):
    def test_pages(self) -> None:
        self.store = f"file={self.folder}"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5", "map"]))


class Isolation(FarTest):
    # It takes what it is given and has nothing, and takes its time to forget.
    SLOW_SERVER = ("import asyncio, sys\n"
                   "async def serve(reader, writer):\n"
                   "    while words := (await reader.readline()).split():\n"
                   "        if words[0] == b'set':\n"
                   "            await reader.readexactly(int(words[4]) + 2)\n"
                   "            writer.write(b'STORED\\r\\n')\n"
                   "        elif words[0] == b'get':\n"
                   "            writer.write(b'END\\r\\n')\n"
                   "        else:\n"
                   "            await asyncio.sleep(0.03)\n"
                   "            writer.write(b'DELETED\\r\\n')\n"
                   "async def main():\n"
                   "    await (await asyncio.start_unix_server(serve, sys.argv[1])).serve_forever()\n"
                   "asyncio.run(main())\n")

    def test_a_program_that_ends_slowly_delays_no_other(self) -> None:
        path = self.folder / "slow"
        server = subprocess.Popen([sys.executable, "-c", self.SLOW_SERVER, path])
        try:
            self.wait_for(path.exists)
            self.store = f"memcached={path},file={self.folder}"
            slow = self.start_far("16M", [CHECK_PAGES, "64", "1", "200"])
            self.wait_for(lambda: int(self.status().get("fetches", 0)) > 1000)
            slow.kill()
            slow.communicate()
            time.sleep(0.5)
            self.store = "memory"
            start = time.monotonic()
            run = subprocess.run(self.words("16M", ["true"], "other"), capture_output=True, text=True, timeout=TIMEOUT)
            self.assert_succeeds(run)
            self.assertLess(time.monotonic() - start, 5)
        finally:
            server.kill()
            server.wait()


@unittest.skipUnless(shutil.which("memcached"), "memcached is not installed")
class MemcachedStore(FarTest):
    def setUp(self) -> None:
        super().setUp()
        self.servers = []

    def tearDown(self) -> None:
        for server in self.servers:
            server.kill()
            server.wait()
        super().tearDown()

    def start_server(self, name: str, *options: str, program="memcached") -> str:
        path = self.folder / name
        self.servers.append(subprocess.Popen([program, "-u", "root", "-s", path, *options]))
        self.wait_for(path.exists)
        return f"memcached={path}"

    def test_pages(self) -> None:
        self.store = f"{self.start_server('one', '-m', '256')},file={self.folder}"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "4", "5", "fork"]))

    def test_a_second_server_has_the_copies(self) -> None:
        self.store = f"{self.start_server('one')},{self.start_server('two').replace('memcached', 'copy')}"
        program = self.start_far("16M", [CHECK_PAGES, "40", "2", "8"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.servers[0].kill()
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors)

    def test_the_word_about_a_lost_page_stays_in_a_log(self) -> None:
        self.store = f"{self.start_server('one')},{self.start_server('two').replace('memcached', 'copy')}"
        with open(self.folder / "errors", "wb", buffering=0) as errors:
            shell = ["sh", "-c", f"{CHECK_PAGES} 64 1 200; echo it ended with $? >&2"]
            program = subprocess.Popen(self.words("16M", shell), stderr=errors, **self.as_user)
            self.wait_for(lambda: int(self.status().get("fetches", 0)) > 0)
            for server in self.servers:
                server.kill()
            program.wait(TIMEOUT)
        text = (self.folder / "errors").read_text()
        self.assertTrue(text.startswith("tmm-far: no copy of a page of this program is left: killed\n"), text)
        self.assertTrue(text.endswith("it ended with 137\n"), text)

    def test_a_lost_page_of_a_buffer_that_is_written_to_the_log(self) -> None:
        # The kernel keeps others from writing to the file as long as it waits for the page.
        code = ("import os\n"
                "data = memoryview(bytes(range(1, 129)) * (48 << 13))\n"
                "while True:\n"
                "    for at in range(0, len(data), 1 << 20):\n"
                "        os.ftruncate(2, 0)\n"
                "        os.write(2, data[at:at + (1 << 20)])\n")
        self.store = f"{self.start_server('one')},{self.start_server('two').replace('memcached', 'copy')}"
        with open(self.folder / "errors", "wb", buffering=0) as errors:
            program = subprocess.Popen(self.words("16M", [sys.executable, "-c", code]), stderr=errors, **self.as_user)
            # Else what it needs may be local for ever: no page leaves without a server.
            self.wait_for(lambda: int(self.status().get("fetches", 0)) > 0)
            for server in self.servers:
                server.kill()
            try:
                self.assertEqual(program.wait(60), -signal.SIGKILL)
            finally:
                program.kill()

    def test_a_server_that_evicts(self) -> None:
        self.store = f"{self.start_server('small', '-m', '8')},file={self.folder}"
        self.assert_succeeds(self.run_far("16M", [CHECK_PAGES, "64", "2", "5"]))

    def check_release(self, server: str) -> None:
        """All that the server has goes, several times, while the program runs."""
        self.store = f"{server},file={self.folder}"
        program = self.start_far("16M", [CHECK_PAGES, "64", "2", "8"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        with socket.socket(socket.AF_UNIX) as owner:
            owner.connect(server.partition("=")[2])
            while program.poll() is None:
                owner.sendall(b"flush_all\r\n")
                self.assertEqual(owner.recv(100), b"OK\r\n")
                time.sleep(0.2)
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors)

    def test_a_server_that_forgets_all(self) -> None:
        self.check_release(self.start_server("one"))

    @unittest.skipUnless(LENDER.exists(), "tmm-cached is not built")
    def test_a_lender_that_is_released_whole(self) -> None:
        self.check_release(self.start_server("one", program=LENDER))

    def test_a_server_that_dies(self) -> None:
        self.store = f"{self.start_server('one')},{self.start_server('two')},file={self.folder}"
        program = self.start_far("16M", [CHECK_PAGES, "64", "2", "8"])
        self.wait_for(lambda: int(self.status().get("far", 0)) > 0)
        self.servers[0].kill()
        out, errors = program.communicate(timeout=TIMEOUT)
        self.assertEqual(program.returncode, 0, out + errors)


if __name__ == "__main__":
    unittest.main()
