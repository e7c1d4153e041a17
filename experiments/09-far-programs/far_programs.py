#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Simulates programs on far memory that share a link, with tmm-far-replay, and compares TMM's rules with those of others and with each
rule switched off. Writes a table for each question (CSV) and report.md. Exit status: 0 all aims are reached, 1 an aim is missed or a run
failed. See README.md."""

import argparse
import concurrent.futures
import csv
import io
import os
import pathlib
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]

Row = dict[str, str]
Table = list[Row]

SHARED = "--without=fair,demand-first,drop-late,reissue"
# What shares the link: TMM's rules, each of them switched off, and a queue for all.
SYSTEMS = {
    "tmm": [],
    "without fair": ["--without=fair"],
    "without demand-first": ["--without=demand-first"],
    "without drop-late": ["--without=drop-late"],
    "without reissue": ["--without=reissue"],
    "without prefetch": ["--prefetch=none"],
    "shared": [SHARED],
    "shared, cluster": [SHARED, "--prefetch=cluster"],
    "shared, leap": [SHARED, "--prefetch=leap-shared"],
}
PREFETCHERS = {
    "cluster": ["--prefetch=cluster"],
    "leap": ["--prefetch=leap"],
    "leap-thread": ["--prefetch=leap-thread"],
    "tmm": [],
    "without streams": ["--without=streams"],
    "without vote": ["--without=vote"],
    "without successors": ["--without=successors"],
}
PATTERNED = ("sequential,threads=4", "quicksort", "stride", "columns")
MIXED = ("scan", "runs", "zipf", "list", "tree")

HEAVY = "name=heavy,threads=24,pages=48000,writes=30,pattern="
LIGHTS = ("name=four,threads=4,pages=20000,work-us=50,pattern=", "name=one,threads=1,pages=10000,work-us=20,pattern=")
# Like Canvas's native programs: Snappy, Memcached, XGBoost.
NATIVES = ("name=snappy,threads=1,pages=10000,work-us=40,pattern=sequential",
           "name=memcached,threads=4,pages=20000,work-us=20,writes=10,pattern=zipf",
           "name=xgboost,threads=16,pages=32000,work-us=250,pattern=columns")
# Over a slow link, as in real_programs.py.
SLOW = ("--gbit=0.128", "--latency-us=100", "--warm-up=3", "--seconds=10")
SLOWED = tuple(f"threads={threads},pages=20000,work-us={work},pattern={pattern}"
               for pattern, threads, work in (("sequential", 1, 20), ("runs", 1, 20), ("scan", 2, 100), ("zipf", 4, 100)))
HEAVIES = ("sequential", "scan", "runs", "zipf", "quicksort", "tree", "random")


class ReplayError(Exception):
    pass


class Case(NamedTuple):
    """A simulation: what it shows, its options and its programs."""
    names: Row
    options: Sequence[str]
    programs: Sequence[str]


def rows_of(replay: pathlib.Path, case: Case) -> Table:
    done = subprocess.run([replay, "--csv", *case.options, *case.programs], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReplayError(done.stderr.strip())
    return [case.names | row for row in csv.DictReader(io.StringIO(done.stdout))]


def prefetching() -> list[Case]:
    return [Case({"pattern": pattern, "prefetcher": name}, ["--gbit=10", *options], [f"pattern={pattern},work-us=20"])
            for pattern in PATTERNED + MIXED for name, options in PREFETCHERS.items()]


def pointers() -> list[Case]:
    """The first time that a program follows its pointers, and later."""
    upper = {"none": ["--without=successors"], "successors": [], "edges": ["--edges", "--without=successors"], "both": ["--edges"]}
    times = {"first": ["--warm-up=0.3", "--seconds=0.3"], "later": []}
    return [Case({"pattern": pattern, "upper": name, "time": time}, ["--gbit=10", *options, *span], [f"pattern={pattern},pages=20000,work-us=20"])
            for pattern in ("list", "tree") for time, span in times.items() for name, options in upper.items()]


def alone(programs: Sequence[str], options: Sequence[str], system: str, heavy: str) -> list[Case]:
    return [Case({"system": system, "heavy": heavy, "alone": "yes"}, options, [program]) for program in programs]


def sharing() -> list[Case]:
    """Light programs beside a heavy one that takes all it can get."""
    cases = []
    for pattern in ("scan", "runs"):
        programs = [program + pattern for program in (HEAVY, *LIGHTS)]
        cases += alone(programs, [], "tmm", pattern)
        cases += [Case({"system": name, "heavy": pattern, "alone": "no"}, options, programs) for name, options in SYSTEMS.items()]
    return cases


def together() -> list[Case]:
    cases = []
    for name in ("tmm", "without fair", "shared", "shared, cluster", "shared, leap"):
        options = ["--gbit=10", *SYSTEMS[name]]
        cases += alone(NATIVES, options, name, "")
        cases += [Case({"system": name, "heavy": heavy, "alone": "no"}, options, [*NATIVES, HEAVY + heavy]) for heavy in HEAVIES]
    return cases


def demand() -> list[Case]:
    """Random faults of a program, and beside them its own prefetches, as many as the link carries."""
    random, scans = "name=random,pattern=random,threads=2,pages=20000", "name=scans,pattern=sequential,threads=4,pages=40000"
    systems = {"alone": (["--prefetch=none"], [random])} | {
        name: (options, [random, scans]) for name, options in SYSTEMS.items() if name in ("tmm", "without demand-first", "shared")}
    return [Case({"system": name}, ["--gbit=10", *options], programs) for name, (options, programs) in systems.items()]


def entries() -> list[Case]:
    rules = {"tmm": [], "without hot": ["--without=hot"], "without stay": ["--without=stay"], "without keep": ["--without=keep"]}
    programs = {"redis": "pattern=zipf,threads=1,writes=50", "memcached": "pattern=zipf,threads=4,writes=10"}
    return [Case({"rules": name, "quota": quota}, ["--warm-up=5", *options], [f"name={program},pages=20000,quota={quota},{shape}"])
            for quota in ("80", "90", "100") for program, shape in programs.items() for name, options in rules.items()]


def full() -> list[Case]:
    """Programs alone, where the link has room, and beside 24 threads that fill it."""
    systems = {"tmm": [], "requests of 8 pages": ["--batch=8"], "without prefetch": ["--prefetch=none"]}
    return [Case({"system": name, "alone": alone}, [*SLOW, *options], [program, *heavy]) for program in SLOWED
            for alone, heavy in (("yes", []), ("no", [HEAVY + "runs"])) for name, options in systems.items()]


TABLES = {"prefetching": prefetching, "pointers": pointers, "sharing": sharing, "together": together, "demand": demand, "full": full,
          "entries": entries}


def number(row: Row, column: str) -> float:
    return float(row[column])


def of(table: Table, **wanted: str) -> Table:
    return [row for row in table if all(row[key] == value for key, value in wanted.items())]


def only(table: Table, **wanted: str) -> Row:
    found = of(table, **wanted)
    if len(found) != 1:
        raise ReplayError(f"{len(found)} rows of {wanted}")
    return found[0]


class Aim(NamedTuple):
    what: str
    reach: str
    result: str
    reached: bool


def pace_shares(table: Table, system: str) -> dict[str, float]:
    """Each program's pace beside the others, of its pace alone: the least over patterns."""
    shares: dict[str, float] = {}
    for row in of(table, system=system, alone="no"):
        own = only(table, heavy=row["heavy"], program=row["program"], alone="yes")
        share = number(row, "accesses_s") / number(own, "accesses_s")
        shares[row["program"]] = min(share, shares.get(row["program"], share))
    return shares


def slowdowns(table: Table, system: str, column: str) -> list[float]:
    """Of the native programs: together over alone."""
    values = []
    for row in of(table, system=system, alone="no"):
        if row["program"] != "heavy":
            own = only(table, system=system, program=row["program"], alone="yes")
            values.append(number(row, column) / number(own, column))
    return values


def of_none(table: Table, system: str, alone: str, column: str) -> list[float]:
    """Of the light programs over a slow link: that with prefetching over that without."""
    return [number(row, column) / number(only(table, system="without prefetch", alone=alone, program=row["program"]), column)
            for row in of(table, system=system, alone=alone) if row["program"] != "heavy"]


def coverage_gaps(table: Table) -> dict[str, float]:
    """By how much the best of the others covers more than TMM, by pattern."""
    return {pattern: max(number(only(table, pattern=pattern, prefetcher=name), "coverage") for name in ("cluster", "leap", "leap-thread"))
            - number(only(table, pattern=pattern, prefetcher="tmm"), "coverage") for pattern in PATTERNED + MIXED}


def aims(tables: dict[str, Table]) -> list[Aim]:
    prefetch, share, co = tables["prefetching"], tables["sharing"], tables["together"]
    waits, shared_waits = (slowdowns(co, system, "wait_us_access") for system in ("tmm", "shared"))
    spread = statistics.pstdev(shared_waits) / statistics.pstdev(waits)
    lights, shared_lights = (sorted(value for name, value in pace_shares(share, system).items() if name != "heavy") for system in ("tmm", "shared"))
    gap = max(coverage_gaps(prefetch).items(), key=lambda item: item[1])
    accuracy = {kind: min(number(only(prefetch, pattern=pattern, prefetcher="tmm"), "accuracy") for pattern in patterns)
                for kind, patterns in (("patterned", PATTERNED), ("mixed", MIXED))}
    fewer = {f"{pattern}, {time}": 1 - number(only(tables["pointers"], pattern=pattern, time=time, upper="both"), "misses_k")
             / number(only(tables["pointers"], pattern=pattern, time=time, upper="none"), "misses_k")
             for pattern in ("list", "tree") for time in ("first", "later")}
    least = min(fewer.items(), key=lambda item: item[1])
    entries_of = {quota: of(tables["entries"], rules="tmm", quota=quota) for quota in ("90", "100")}
    allocations = {quota: max(number(row, "allocations") for row in rows) for quota, rows in entries_of.items()}
    misses = max(number(row, "misses_k") / number(only(tables["entries"], rules="without stay", quota="90", program=row["program"]), "misses_k")
                 for row in entries_of["90"])
    quiet, busy = (number(only(tables["demand"], system=system, program="random"), "wait_p99_us") for system in ("alone", "tmm"))
    busy_link, idle_link = (of_none(tables["full"], "tmm", alone, "wait_us_access") for alone in ("no", "yes"))
    kept = min(number(only(co, system="tmm", alone="yes", program=row["program"]), "accesses_s") / number(row, "accesses_s")
               for row in of(co, system="shared", alone="yes"))
    useful = min(number(row, "useful_share") for row in of(share, system="tmm", alone="no"))
    return [
        Aim("slowdown by co-running (waiting, together over alone), mean", "<= 1.5", f"{statistics.mean(waits):.2f} (shared {statistics.mean(shared_waits):.1f})",
            statistics.mean(waits) <= 1.5),
        Aim("the same, worst", "<= 2", f"{max(waits):.2f} (shared {max(shared_waits):.1f})", max(waits) <= 2),
        Aim("its standard deviation, shared over TMM", ">= 5", f"{spread:.0f}", spread >= 5),
        Aim("pace of light programs beside a heavy one of 24 threads, of their pace alone", ">= 40 %",
            f"{lights[0]:.0%} (shared {shared_lights[0]:.0%} to {shared_lights[-1]:.0%})", lights[0] >= 0.4),
        Aim("coverage below the best other prefetcher, worst pattern", "<= 3 points", f"{gap[1] * 100:.1f} ({gap[0]})", gap[1] <= 0.03),
        Aim("accuracy, worst patterned program", ">= 95 %", f"{accuracy['patterned']:.1%}", accuracy["patterned"] >= 0.95),
        Aim("accuracy, worst mixed program", ">= 70 %", f"{accuracy['mixed']:.1%}", accuracy["mixed"] >= 0.7),
        Aim("demand faults saved by the upper tier with hints, worst", ">= 30 %", f"{least[1]:.0%} ({least[0]})", least[1] >= 0.3),
        Aim("allocations per eviction after warm-up, with an entry for each page, worst", "<= 0.2", f"{allocations['100']:.2f}", allocations["100"] <= 0.2),
        Aim("the same with entries for 90 % of the pages", "<= 0.2", f"{allocations['90']:.2f}", allocations["90"] <= 0.2),
        Aim("misses then, of those if pages without an entry do not stay, worst", "<= 1.00", f"{misses:.2f}", misses <= 1),
        Aim("p99 of a demand fault beside full prefetching", "<= 1.5 x", f"{busy / quiet:.2f} x ({quiet:.0f} to {busy:.0f} us)", busy <= 1.5 * quiet),
        Aim("waiting over a full link, of that without prefetching, worst", "<= 1.05", f"{max(busy_link):.2f}", max(busy_link) <= 1.05),
        Aim("the same over a link with room, best", "<= 0.7", f"{min(idle_link):.2f}", min(idle_link) <= 0.7),
        Aim("pace of one program alone, of that without isolation, worst", ">= 98 %", f"{kept:.1%}", kept >= 0.98),
        Aim("link in use by useful bytes, when programs want more", ">= 90 %", f"{useful:.1%}", useful >= 0.9),
    ]


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join("| " + " | ".join(cells) + " |\n" for cells in (head, ["---"] * len(head), *rows))


def report(tables: dict[str, Table], found: Sequence[Aim]) -> str:
    text = "# Programs on far memory, simulated\n\nMade by far_programs.py from the tables beside it.\n\n"
    text += markdown(("what", "aim", "result", "reached"), [(*aim[:3], "yes" if aim.reached else "**no**") for aim in found])
    text += "\n## Coverage / accuracy of prefetching, %\n\n"
    text += markdown(("pattern", *PREFETCHERS), [
        (pattern, *(f"{number(row, 'coverage') * 100:.0f} / {number(row, 'accuracy') * 100:.0f}" for row in of(tables["prefetching"], pattern=pattern)))
        for pattern in PATTERNED + MIXED])
    text += "\n## Demand faults per 1000 accesses, with pointers\n\n"
    text += markdown(("pattern", "time", "lower tier only", "successors", "edges", "both"), [
        (pattern, time, *(f"{number(row, 'misses_k'):.0f}" for row in of(tables["pointers"], pattern=pattern, time=time)))
        for pattern in ("list", "tree") for time in ("first", "later")])
    text += "\n## Beside a heavy program, over 2.5 Gbit/s\n\nThousand accesses a second / p99 of waiting, us.\n\n"
    for pattern in ("scan", "runs"):
        rows = [("alone", *cells(of(tables["sharing"], heavy=pattern, alone="yes")), "")]
        for system in SYSTEMS:
            shown = of(tables["sharing"], heavy=pattern, alone="no", system=system)
            rows.append((system, *cells(shown), f"{number(shown[0], 'useful_share'):.0%}"))
        text += markdown((f"{pattern}", "heavy, 24 threads", "four threads", "one thread", "useful bytes"), rows) + "\n"
    text += "## Slowdown of three programs beside a heavy one, over 10 Gbit/s\n\nTogether over alone, over seven heavy programs.\n\n"
    systems = list(dict.fromkeys(row["system"] for row in tables["together"]))
    text += markdown(("system", "waiting: mean", "worst", "standard deviation", "run time: mean", "worst"), [
        (system, *spread_of(slowdowns(tables["together"], system, "wait_us_access")), *inverse(slowdowns(tables["together"], system, "accesses_s")))
        for system in systems])
    text += "\n## A program's demand beside its neighbour's prefetches\n\n"
    text += markdown(("system", "p50, us", "p99, us"), [
        (row["system"], f"{number(row, 'wait_p50_us'):.0f}", f"{number(row, 'wait_p99_us'):.0f}") for row in of(tables["demand"], program="random")])
    text += "\n## Over a link of 16 MB a second\n\nMean waiting for an access, us / p99 of a wait, ms.\n\n"
    slowed = tables["full"]
    text += markdown(("system", "link", *(row["program"] for row in of(slowed, system="tmm", alone="yes"))), [
        (system, "has room" if alone == "yes" else "is full",
         *(f"{number(row, 'wait_us_access'):.0f} / {number(row, 'wait_p99_us') / 1000:.1f}" for row in of(slowed, system=system, alone=alone)
           if row["program"] != "heavy")) for alone in ("yes", "no") for system in dict.fromkeys(row["system"] for row in slowed)])
    text += "\n## Entries\n\n"
    text += markdown(("program", "quota, % of its pages", "rules", "allocations per eviction", "writes saved", "misses per 1000 accesses"), [
        (row["program"], row["quota"], row["rules"], f"{number(row, 'allocations'):.2f}", f"{number(row, 'writes_saved'):.0%}",
         f"{number(row, 'misses_k'):.0f}") for row in tables["entries"]])
    return text


def cells(rows: Table) -> list[str]:
    return [f"{number(row, 'accesses_s') / 1000:.1f} / {number(row, 'wait_p99_us'):.0f}" for row in rows]


def spread_of(values: list[float]) -> tuple[str, str, str]:
    return f"{statistics.mean(values):.2f}", f"{max(values):.2f}", f"{statistics.pstdev(values):.2f}"


def inverse(paces: list[float]) -> tuple[str, str]:
    return f"{statistics.mean(1 / pace for pace in paces):.2f}", f"{1 / min(paces):.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=TOP / "build", help="folder of the compiled programs (build/)")
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "out/09-far-programs", help="where the results go (out/09-far-programs/)")
    chosen = parser.parse_args()
    replay = chosen.build / "farmem/sim/tmm-far-replay"
    chosen.out.mkdir(parents=True, exist_ok=True)
    tables: dict[str, Table] = {}
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, cases in TABLES.items():
                tables[name] = [row for rows in pool.map(lambda case: rows_of(replay, case), cases()) for row in rows]
                with (chosen.out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, tables[name][0].keys(), lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(tables[name])
        found = aims(tables)
    except (ReplayError, OSError) as error:
        print(f"far_programs.py: {error}", file=sys.stderr)
        return 1
    text = report(tables, found)
    (chosen.out / "report.md").write_text(text, encoding="utf-8")
    print(text)
    return 0 if all(aim.reached for aim in found) else 1


if __name__ == "__main__":
    sys.exit(main())
