#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""PostgreSQL's data on a disk, with and without tmm-cachefs: database.py TMM_CACHEFS OUT.csv [--seconds N] [--scale N] [--folder FOLDER]

pgbench's transactions (TPC-B) and its reads with four clients, while the server has 16 MB for itself. Then the server is killed and recovers.
All balances have to agree with the history, and each page with its checksum, through tmm-cachefs and below it. Prints a table and writes
OUT.csv. Ends with 1 if something is wrong. Needs postgresql and fuse3; as root it runs PostgreSQL as the user `postgres`.
"""
import argparse
import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

BIN = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/usr/bin"), key=lambda path: int(path.parent.name))
TIMEOUT_S = 60
CLIENTS = "4"
CONFIGURATION = """
listen_addresses = ''
unix_socket_directories = '{socket}'
shared_buffers = 16MB
max_wal_size = 256MB
"""
BALANCES = """SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(bbalance) FROM pgbench_branches),
(SELECT sum(tbalance) FROM pgbench_tellers), (SELECT coalesce(sum(delta), 0) FROM pgbench_history),
(SELECT count(*) FROM pgbench_accounts) - (SELECT count(*) FROM pgbench_branches) * 100000"""
USER = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def run(program: str, *arguments: object) -> str:
    """Runs a program of PostgreSQL's. CalledProcessError: it failed."""
    done = subprocess.run([BIN / program, *map(str, arguments)], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/",
                          **USER)
    return done.stdout


class Database:
    def __init__(self, folder: Path, socket: Path, scale: int) -> None:
        self.data = folder / "data"
        self.socket = socket
        run("initdb", "-D", self.data, "--data-checksums", "--auth=trust", "-U", "tester")
        with (self.data / "postgresql.conf").open("a") as configuration:
            configuration.write(CONFIGURATION.format(socket=socket))
        self.start()
        run("createdb", "-h", socket, "-U", "tester", "bench")
        run("pgbench", "-h", socket, "-U", "tester", "-i", "-q", "-s", scale, "bench")

    def start(self) -> None:
        # pg_ctl's own output would wait for the server's end.
        subprocess.run([BIN / "pg_ctl", "-D", self.data, "-w", "-t", str(TIMEOUT_S), "-l", self.socket / "log", "start"], check=True,
                       stdout=subprocess.DEVNULL, cwd="/", **USER)

    def stop(self) -> None:
        run("pg_ctl", "-D", self.data, "-w", "-m", "fast", "stop")

    def kill(self) -> None:
        """As a crash does: nothing that was not synced is written by the server."""
        process = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + TIMEOUT_S
        while Path(f"/proc/{process}").exists() or (self.socket / ".s.PGSQL.5432").exists():
            (self.socket / ".s.PGSQL.5432").unlink(missing_ok=True)
            if time.monotonic() > deadline:
                sys.exit("database.py: the server does not end")
            time.sleep(0.1)
        # Its children notice.
        time.sleep(2)

    def rate(self, seconds: int, *arguments: str) -> float:
        """Transactions a second."""
        output = run("pgbench", "-h", self.socket, "-U", "tester", "-n", "-c", CLIENTS, "-j", "2", "-T", seconds, *arguments, "bench")
        return float(re.search(r"^tps = ([0-9.]+)", output, re.MULTILINE)[1])

    def agrees(self) -> bool:
        accounts, branches, tellers, history, missing = run("psql", "-h", self.socket, "-U", "tester", "-At", "-c", BALANCES, "bench").strip().split("|")
        return accounts == branches == tellers == history and missing == "0"


@contextmanager
def mounted(command: list | None, source: Path, shown: Path):
    """Yields the folder in which the database is to be. Command: tmm-cachefs and its options."""
    if command is None:
        yield source
        return
    shared = ["-o", "allow_other"] if USER else []
    file_system = subprocess.Popen([*command, "--foreground", *shared, source, shown])
    try:
        deadline = time.monotonic() + TIMEOUT_S
        while not os.path.ismount(shown):
            if file_system.poll() is not None or time.monotonic() > deadline:
                sys.exit("database.py: tmm-cachefs does not mount")
            time.sleep(0.05)
        yield shown
    finally:
        subprocess.run(["fusermount3", "-u", shown], check=False)
        file_system.wait(TIMEOUT_S)


def measure(name: str, command: list | None, folder: Path, options: argparse.Namespace) -> tuple[dict[str, str], bool]:
    source, shown, socket = folder / "source", folder / "shown", folder / "socket"
    for made in (source, shown, socket):
        made.mkdir()
        if USER:
            subprocess.run(["chown", "postgres:postgres", made], check=True)
    with mounted(command, source, shown) as place:
        database = Database(place, socket, options.scale)
        writes = database.rate(options.seconds)
        reads = database.rate(options.seconds, "-S")
        database.kill()
        database.start()
        right = database.agrees()
        database.stop()
        run("pg_checksums", "--check", "-D", database.data)
    # As somebody who reads the disk without tmm-cachefs.
    database.data = source / "data"
    run("pg_checksums", "--check", "-D", database.data)
    database.start()
    right = database.agrees() and right
    database.stop()
    print(f"{name:24} {writes:8.0f} transactions/s {reads:8.0f} reads/s  {'right' if right else 'WRONG'}", flush=True)
    return {"system": name, "transactions_per_s": f"{writes:.0f}", "reads_per_s": f"{reads:.0f}", "right": str(int(right))}, right


def main() -> None:
    parser = argparse.ArgumentParser(description="PostgreSQL's data on a disk, with and without tmm-cachefs")
    parser.add_argument("program", type=Path, metavar="TMM_CACHEFS")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    parser.add_argument("--seconds", type=int, default=20, help="of each measure (20)")
    parser.add_argument("--scale", type=int, default=10, help="of pgbench: 15 MB each (10)")
    parser.add_argument("--folder", type=Path, help="on the disk (default: a temporary one)")
    options = parser.parse_args()
    rows, all_right = [], True
    program = options.program.resolve()
    for name, command in (("the disk", None), ("tmm-cachefs", [program]), ("tmm-cachefs --block=16K", [program, "--block=16K"])):
        with tempfile.TemporaryDirectory(prefix="database-", dir=options.folder) as folder:
            os.chmod(folder, 0o755)
            row, right = measure(name, command, Path(folder), options)
            rows.append(row)
            all_right &= right
    with options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    sys.exit(0 if all_right else 1)


if __name__ == "__main__":
    main()
