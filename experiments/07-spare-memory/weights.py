#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Three servers of users with weights 200, 300 and 600, which join one after the other: weights.py TMM_CACHED SOFT_ARBITER OUT.csv [--step S]

Mortar's section 6.4: they join at 0, 1 and 3 steps. soft-arbiter divides TOTAL_MIB by tmmd's rule. A client of each server gets items of 50
KB at random, more than fit, and puts what it misses. Prints a table of what each has at the end of each phase, and writes OUT.csv with each
second. Ends with 1 if a server is further than a segment of each thread from its share. Needs root, for three users.
"""
import argparse
import csv
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

WEIGHTS = {50200: 200, 50300: 300, 50600: 600}  # by user
JOINS = (0, 1, 3)  # steps
STEPS = 5
TOTAL_MIB = 440
ITEMS = 20_000
ITEM_BYTES = 50_000
TIMEOUT_S = 30
# 2 MiB each: the one that a thread fills, and the one that holds fresh objects of the heap's thread.
SEGMENTS_MIB = 2 * (1 + 1)
# A server's grant follows its next report, and the server its next poll.
SETTLING_S = 5


def client(path: str, stops: threading.Event, hits: list[int]) -> None:
    draw = random.Random(path)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(TIMEOUT_S)
    connection.connect(path)
    reader = connection.makefile("rb")
    value = b"v" * ITEM_BYTES
    while not stops.is_set():
        key = b"key%d" % draw.randrange(ITEMS)
        connection.sendall(b"get %s\r\n" % key)
        if reader.readline() == b"END\r\n":
            connection.sendall(b"set %s 0 0 %d\r\n%s\r\n" % (key, ITEM_BYTES, value))
            reader.readline()
        else:
            reader.read(ITEM_BYTES + len(b"\r\nEND\r\n"))
            hits[0] += 1


def start_server(program: Path, folder: str, user: int) -> tuple[subprocess.Popen, str]:
    path = f"{folder}/of-{user}/socket"
    os.mkdir(f"{folder}/of-{user}")
    os.chown(f"{folder}/of-{user}", user, user)
    server = subprocess.Popen([program, "-s", path, "-t", "1"], user=user, group=user, extra_groups=[],
                              env={**os.environ, "SOFTLIB_COORDINATOR": f"{folder}/run/soft"})
    deadline = time.monotonic() + TIMEOUT_S
    while not os.path.exists(path):
        if server.poll() is not None or time.monotonic() > deadline:
            sys.exit("weights.py: the server does not start")
        time.sleep(0.05)
    return server, path


def main() -> None:
    parser = argparse.ArgumentParser(description="servers of users with weights join one after the other")
    parser.add_argument("program", type=Path, metavar="TMM_CACHED")
    parser.add_argument("arbiter", type=Path, metavar="SOFT_ARBITER")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    parser.add_argument("--step", type=int, default=100, help="seconds (100)")
    options = parser.parse_args()
    users = list(WEIGHTS)
    stops = threading.Event()
    servers, clients, hits = {}, [], {user: [0] for user in users}
    phases = []  # second of the end, and the users that take part
    with tempfile.TemporaryDirectory(prefix="weights-") as folder:
        os.chmod(folder, 0o755)
        os.mkdir(f"{folder}/run")
        log = Path(folder) / "log"
        with log.open("w") as output:
            arbiter = subprocess.Popen([options.arbiter.resolve(), folder, str(TOTAL_MIB), "weights",
                                        *(f"{user}={weight}" for user, weight in WEIGHTS.items())], stdin=subprocess.PIPE, stdout=output)
        start = time.monotonic()
        for number, user in enumerate(users):
            time.sleep(max(0.0, start + JOINS[number] * options.step - time.monotonic()))
            server, path = start_server(options.program.resolve(), folder, user)
            servers[server.pid] = (server, user)
            clients.append(threading.Thread(target=client, args=(path, stops, hits[user])))
            clients[-1].start()
            end = JOINS[number + 1] if number + 1 < len(JOINS) else STEPS
            phases.append((end * options.step - 1, users[:number + 1]))
        time.sleep(max(0.0, start + STEPS * options.step - time.monotonic()))
        stops.set()
        for one in clients:
            one.join()
        arbiter.stdin.close()
        arbiter.wait(TIMEOUT_S)
        for server, _ in servers.values():
            server.terminate()
            server.wait(TIMEOUT_S)
        rows = []
        for line in log.read_text().splitlines():
            _, second, process, _, granted, used, *_ = line.split()
            rows.append({"second": int(second), "weight": WEIGHTS[servers[int(process)][1]], "granted_mib": int(granted), "used_mib": int(used)})
    with options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    worst = 0.0
    for end, present in phases:
        for user in present:
            share = TOTAL_MIB * WEIGHTS[user] / sum(WEIGHTS[one] for one in present)
            used = [row["used_mib"] for row in rows if row["weight"] == WEIGHTS[user] and end - SETTLING_S <= row["second"] <= end]
            mean = sum(used) / len(used)
            worst = max(worst, abs(mean - share))
            print(f"second {end:4}  weight {WEIGHTS[user]}  share {share:6.1f} MiB  used {mean:6.1f} MiB")
    print(f"at most {worst:.1f} MiB from the share")
    sys.exit(0 if worst <= SEGMENTS_MIB else 1)


if __name__ == "__main__":
    main()
