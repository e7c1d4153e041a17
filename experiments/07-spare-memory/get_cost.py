#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Processor time of the server for each get, of tmm-cached and of a memcached, in turn: get_cost.py [--rounds N] PROGRAM PROGRAM...

Each round starts each program afresh at a Unix socket, and prints microseconds of its processor time for each get, and the median
time that the client waits. Rounds alternate, because the speed of a machine changes.
"""
import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SIZES = {100: 40000, 1000: 40000, 5000: 30000, 100000: 4000, 1000000: 500}


def processor_seconds(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def connect(path: str) -> socket.socket:
    while True:
        connected = socket.socket(socket.AF_UNIX)
        try:
            connected.connect(path)
            return connected
        except OSError:
            connected.close()
            time.sleep(0.01)


def receive(connected: socket.socket, buffer: bytearray, size: int) -> None:
    got = 0
    while got < size:
        read = connected.recv_into(memoryview(buffer)[got:size])
        if read == 0:
            raise EOFError
        got += read


def measure(program: str, size: int, gets: int, nr_connections: int) -> tuple[float, float]:
    """Returns microseconds of processor time a get, and the median latency in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/socket"
        user = ["-u", "root"] if os.geteuid() == 0 else []
        fixed = [] if Path(program).name == "memcached" else ["-o", "fixed_memory"]
        server = subprocess.Popen([program, "-s", path, "-m", "256", "-I", "4m", "-t", "1", *fixed, *user], stderr=subprocess.DEVNULL)
        try:
            first = connect(path)
            value = b"v" * size
            for i in range(10):
                first.sendall(b"set key%d 0 0 %d\r\n%s\r\n" % (i, size, value))
                assert first.recv(100) == b"STORED\r\n"
            reply_bytes = len(b"VALUE key0 0 %d\r\n\r\nEND\r\n" % size) + size
            latencies: list[float] = []

            def client(connected: socket.socket) -> None:
                buffer = bytearray(reply_bytes)
                own = []
                for i in range(gets // nr_connections):
                    begin = time.perf_counter()
                    connected.sendall(b"get key%d\r\n" % (i % 10))
                    receive(connected, buffer, reply_bytes)
                    own.append(time.perf_counter() - begin)
                latencies.extend(own)

            connections = [first] + [connect(path) for _ in range(nr_connections - 1)]
            before = processor_seconds(server.pid)
            threads = [threading.Thread(target=client, args=(connected,)) for connected in connections]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            used = processor_seconds(server.pid) - before
            for connected in connections:
                connected.close()
            return 1e6 * used / len(latencies), 1e6 * statistics.median(latencies)
        finally:
            server.terminate()
            server.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    print("bytes\tconnections\tprogram\tus_a_get\tmedian_us\tratio")
    for size, gets in SIZES.items():
        for nr_connections in (1, 16):
            rounds = [[measure(program, size, gets, nr_connections) for program in options.programs] for _ in range(options.rounds)]
            medians = [[statistics.median(one[i][what] for one in rounds) for what in (0, 1)] for i in range(len(options.programs))]
            for program, (cost, latency) in zip(options.programs, medians):
                ratio = cost / medians[-1][0] if medians[-1][0] else float("nan")
                print(f"{size}\t{nr_connections}\t{Path(program).name}\t{cost:.2f}\t{latency:.1f}\t{ratio:.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
