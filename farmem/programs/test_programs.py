# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs people's programs, unchanged, with all, half and a quarter of their memory local, and compares what they print with a run without far
memory: scripts/unittest-to-tap farmem/programs:farmem."""
import os
import random
import shutil
import subprocess
import threading
import unittest
from pathlib import Path

from tests.rig import TIMEOUT, FarTest

HERE = Path(__file__).parent
PERCENTS = (100, 50, 25)
PYTHON = "/usr/bin/python3"


class Programs(FarTest):
    def run_alone(self, command: list, **options) -> tuple[subprocess.CompletedProcess, int]:
        """Returns also the most memory that one of its processes had, in KiB."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        out = process.stdout.read()
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return subprocess.CompletedProcess(command, process.returncode, out, ""), usage.ru_maxrss

    def watch(self, program: subprocess.Popen) -> tuple[str, int]:
        """Returns what it prints, and how many pages it was seen to have given away."""
        nr_evicted = 0
        ended = threading.Event()

        def look() -> None:
            nonlocal nr_evicted
            while not ended.wait(0.1):
                nr_evicted = max(nr_evicted, int(self.status().get("evictions", 0)))

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            out = program.communicate(timeout=TIMEOUT)[0]
        except subprocess.TimeoutExpired:
            status = self.far("status").stdout
            self.far("stop", "test")
            program.communicate()
            self.fail(f"it does not end: {status}")
        finally:
            ended.set()
            watcher.join()
        return out, nr_evicted

    def compare(self, command: list, percents=PERCENTS, result=lambda out: out, by_environment=False, env=None, **options) -> None:
        """result: of what it prints, that has to be the same. by_environment: it starts a program with the words TEST_FAR."""
        env = {**(env or os.environ), "TEST_FAR": ""}
        alone, peak = self.run_alone(command, env=env, **options)
        self.assertEqual(alone.returncode, 0, alone.stdout)
        for percent in percents:
            with self.subTest(percent=percent):
                words = self.words(f"{max(peak * percent // 100, 4096)}K", [])
                if by_environment:
                    env["TEST_FAR"] = " ".join(map(str, words))
                program = subprocess.Popen(command if by_environment else words + command, env=env, stdout=subprocess.PIPE,
                                           stderr=subprocess.STDOUT, text=True, **options)
                out, nr_evicted = self.watch(program)
                self.assertEqual(program.returncode, 0, out + (self.folder / "log").read_text())
                self.assertEqual(result(out), result(alone.stdout))
                if percent == 25:
                    self.assertGreater(nr_evicted, 0)
                self.wait_for(lambda: not self.status())

    def test_numpy(self) -> None:
        self.compare([PYTHON, "-c", "import hashlib, numpy\n"
                      "a = numpy.random.default_rng(1).random(12_000_000)\n"
                      "a.sort()\n"
                      "print(hashlib.sha256(a.tobytes()).hexdigest(), a.cumsum()[-1])\n"])

    def test_python_with_children(self) -> None:
        self.compare([PYTHON, "-c", "import multiprocessing as m\n"
                      "data = [bytes([i % 251]) * 4096 for i in range(12_000)]\n"
                      "def total(k):\n"
                      "    grown = [page * 2 for page in data[k::4]]\n"
                      "    return sum(sum(page[:16]) for page in grown)\n"
                      "with m.get_context('fork').Pool(4) as pool:\n"
                      "    print(pool.map(total, range(8)))\n"])

    def test_sort(self) -> None:
        numbers = random.Random(1)
        (self.folder / "in").write_text("".join(f"{numbers.getrandbits(64):x}\n" for _ in range(1_000_000)))
        self.compare(["sort", "--buffer-size=100M", "--parallel=2", self.folder / "in"], env={**os.environ, "LC_ALL": "C"})

    def test_compiler(self) -> None:
        (self.folder / "in.cpp").write_text("#include <iostream>\n#include <map>\n#include <regex>\n#include <string>\n"
                                            "int main() {\n"
                                            "    std::map<std::string, std::regex> m{{\"a\", std::regex(\"a+b\")}};\n"
                                            "    std::cout << std::regex_match(\"aab\", m[\"a\"]);\n"
                                            "}\n")
        self.compare(["sh", "-c", "g++ -O1 -c in.cpp -o out.o && sha256sum out.o"], cwd=self.folder)

    def test_java(self) -> None:
        shutil.copy(HERE / "Far.java", self.folder)
        subprocess.run(["javac", "-d", self.folder, HERE / "Far.java"], check=True)
        self.compare(["java", "-Xmx400m", "-cp", self.folder, "Far"])

    def test_redis_that_saves(self) -> None:
        self.compare([HERE / "redis", self.folder])

    def test_memcached(self) -> None:
        self.compare([HERE / "memcached", self.folder])

    def test_stress_ng(self) -> None:
        # It says itself what is wrong, and works as long as it is told to.
        stress = ["stress-ng", "--temp-path", self.folder, "--timeout", "10", "--vm-bytes", "128M", "--verify", "--oomable"]
        self.compare([*stress, "--vm", "2", "--vm-method", "all"], result=lambda out: "fail" in out)
        self.compare([*stress, "--vm", "1", "--fork", "1", "--fork-vm"], result=lambda out: "fail" in out)

    def test_pythons_own_tests(self) -> None:
        self.compare([PYTHON, "-m", "test", "test_gc", "test_mmap", "test_dict", "test_list", "test_subprocess"], percents=(25,),
                     result=lambda out: out.splitlines()[-1])

    def test_a_guest(self) -> None:
        """The guest's kernel is far, too."""
        tools = self.folder / "bin"
        tools.mkdir()
        # The kit finds it first. TEST_FAR: words that come before its command.
        (tools / "qemu-system-x86_64").write_text('#!/bin/sh\nexec $TEST_FAR /usr/bin/qemu-system-x86_64 "$@"\n')
        (tools / "qemu-system-x86_64").chmod(0o755)
        machine = [HERE.parent.parent / "experiments/vm/vm", "run", "--kernel=debian", "--with=linux-image-amd64", "--backing=instant",
                   "--ram=256M", "--", "sh", "-c", "seq 1500000 | sort -r | sha256sum"]
        # The first run may make the root file system, and tell of it.
        self.compare(machine, by_environment=True, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
                     result=lambda out: out.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
