# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The reports, and the passages of README.md, made from the committed results."""

import lzma
import pathlib
import re
import statistics

from desk.report import table, template

from . import plan, recorded_report, recording, report, results
from .runner import Row

HERE = pathlib.Path(__file__).resolve().parents[1]
RESULTS = HERE / "results"
RECORDING = RESULTS / "recorded"
ROWS = results.read(RESULTS / "results.csv")
WEEKS = results.weeks(ROWS)
RECORDED = results.read(RECORDING / "results.csv")
# The day as it was recorded, and ten times as long.
AS_IT_WAS, LONGER = results.groups(RECORDED, "owner").values()
BY_ORACLE = "oracle_return_p95_s"  # at the same waiting
USUAL_MB, NOTE_MB = (str(round(size_gb * 1024)) for size_gb in (plan.USUAL_GB, plan.NOTE_GB))


def of_system(rows: list[Row], system: str) -> list[Row]:
    return [row for row in rows if row["system"] == system]


def one(owner: str, memory_mb: str, store: str, system: str) -> Row:
    (found,) = [row for row in of_system(ROWS, system) if (row["owner"], row["memory_mb"], row["store"]) == (owner, memory_mb, store)]
    return found


def share(row: Row) -> float:
    return float(row["oracle_share"])


def mean_share(rows: list[Row]) -> float:
    return sum(map(share, rows)) / len(rows)


def kept(rows: list[Row], column: str = "return_p95_s") -> int:
    """The rows that keep the aim for returns."""
    return sum(float(row[column]) <= report.MAX_RETURN_S[row["store"]] for row in rows)


def on_the_front(rows: list[Row], system: str) -> int:
    """The cases in which no other system beats this one."""
    return sum(system in results.front(results.points(case)) for case in results.groups(rows, "owner", "memory_mb", "store").values())


def per_cent(value: float) -> str:
    return f"{100 * value:.0f} %"


def given(row: Row) -> str:
    waited = float(row["waited_s_per_day"])
    return f"{float(row['donated_mean_mb']):,.0f} at {waited:,.{0 if waited >= 20 else 1}f}"


def of_usual_machines() -> list[tuple[Row, Row]]:
    """With the class priority, and with TMM."""
    return [(one(owner, USUAL_MB, store, "priority"), one(owner, USUAL_MB, store, "tmm-reuse")) for owner in plan.OWNERS
            for store in ("hdd", "nvme", "zram")]


def weeks_table() -> list[tuple[str, ...]]:
    header = ("owner", "store", "priority", "tmm-reuse", "share", "p95, priority", "p95, tmm-reuse")
    return [header, *((reuse["owner"], reuse["store"], given(priority), given(reuse), per_cent(share(reuse)), f"{float(priority['return_p95_s']):.2f} s",
                       f"{float(reuse['return_p95_s']):.2f} s") for priority, reuse in of_usual_machines())]


def sizes_table() -> list[tuple[str, ...]]:
    lines = [("memory", "share", "of priority", "80 %", "on the front", "returns kept", "by the oracle", "by priority")]
    for memory_gb in sorted(plan.MACHINES_GB):
        rows = [row for row in WEEKS if row["memory_mb"] == str(memory_gb * 1024)]
        reuse, priority = (of_system(rows, system) for system in ("tmm-reuse", "priority"))
        counts = (sum(share(row) >= report.MIN_ORACLE_SHARE for row in reuse), on_the_front(rows, "tmm-reuse"), kept(reuse), kept(reuse, BY_ORACLE), kept(priority))
        lines.append((f"{memory_gb} GB", per_cent(mean_share(reuse)), per_cent(mean_share(priority)), *map(str, counts)))
    return lines


def recorded_table() -> list[tuple[str, ...]]:
    header = ("system", "weeks: share", "front, of 80", "recorded: share", "front, of 16", "ten times as long: share", "front, of 16")
    kinds = (WEEKS, AS_IT_WAS, LONGER)
    return [header, *((system, *(cell for rows in kinds for cell in (per_cent(mean_share(of_system(rows, system))), str(on_the_front(rows, system)))))
                      for system in plan.SYSTEMS)]


def case(name: str, system: str, unit: str = "") -> str:
    """The limit and the misses of a case of the note."""
    row = one(f"note-{name}", NOTE_MB, "hdd", system)
    return f"{float(row['limit_mean_mb']):.0f}{unit}, {int(row['misses']):,}"


def where_priority_is_beaten() -> str:
    """Owners and stores for which TMM gives more than the class priority and waits less."""
    beaten: dict[str, list[str]] = {}
    for pair in of_usual_machines():
        priority, reuse = (results.points([row])[row["system"]] for row in pair)
        if results.beats(reuse, priority) and reuse[1] < priority[1]:
            beaten.setdefault(pair[0]["owner"], []).append(pair[0]["store"])
    return ", ".join(f"{owner} on {', '.join(stores)}".replace(", zram", " and zram") for owner, stores in beaten.items())


def of_source(system: str) -> str:
    """The donation in the weeks of all owners, and how many times as long as with exact bits they wait. Medians."""
    rows = [row for row in results.read(RESULTS / "sources.csv") if row["owner"] in plan.OWNERS]
    of = [results.points(case) for case in results.groups(rows, "owner", "store").values()]
    gave, waited = (statistics.median(values) for values in zip(*((case[system][0], case[system][1] / case["tmm-reuse"][1]) for case in of)))
    return f"{gave:.1f} GB, {waited:.1f} times"


def trace() -> list[str]:
    return lzma.decompress((RECORDING / "trace.xz").read_bytes()).decode("ascii").splitlines(keepends=True)


def diary() -> list[recording.Span]:
    return recording.read_diary((RECORDING / "diary.csv").read_text(encoding="ascii"))


def names() -> dict[str, object]:
    reuse = of_system(WEEKS, "tmm-reuse")
    neither = [row for row in reuse if share(row) < report.MIN_ORACLE_SHARE
               and not on_the_front([other for other in WEEKS if all(other[key] == row[key] for key in ("owner", "memory_mb", "store"))], "tmm-reuse")]
    late = [row for row in reuse if not kept([row])]
    return {
        "case": case, **{made.__name__: table.words_table(made()).strip() for made in (weeks_table, sizes_table, recorded_table)},
        "where": where_priority_is_beaten(), "reuse": reuse, "priority": of_system(WEEKS, "priority"), "neither": neither,
        "named": lambda rows: "; ".join(f"{row['owner']}, {int(row['memory_mb']) // 1024} GB, {row['store']}" for row in rows),
        "late": late, "kept": kept, "by_oracle": BY_ORACLE, "share": lambda rows: mean_share(of_system(rows, "tmm-reuse")),
        "shares": lambda rows: [share(row) for row in of_system(rows, "tmm-reuse")], "front": lambda rows: on_the_front(rows, "tmm-reuse"),
        "weeks": WEEKS, "usual": [row for row in WEEKS if row["memory_mb"] == USUAL_MB], "recorded": AS_IT_WAS, "longer": LONGER,
        "recorded_reuse": of_system(RECORDED, "tmm-reuse"), "minutes": sum(span.minutes for span in diary()), "most_mb": recording.most_mb(trace()),
        "by_senpai": sum("senpai" in results.winners_over(results.points(rows), "tmm-reuse") for rows in results.groups(AS_IT_WAS, "memory_mb", "store").values()),
        "times_of_age": min(float(age["waited_s_per_day"]) / float(reuse["waited_s_per_day"])
                            for age, reuse in zip(of_system(LONGER, "age-2m"), of_system(LONGER, "tmm-reuse"))),
        "of_source": of_source}


def documents() -> dict[pathlib.Path, str]:
    """The commands in the reports are as they were."""
    commands = [re.match(r"Made by `(.*?)`", (folder / "report.md").read_text(encoding="utf-8"))[1] for folder in (RESULTS, RECORDING)]
    lines = trace()
    return {RESULTS / "report.md": report.text(ROWS, commands[0], []),
            RECORDING / "report.md": recorded_report.text(RECORDED, commands[1], diary(), recording.most_mb(lines), recording.unit_kb(lines)),
            HERE / "README.md": template.passages(HERE / "README.md", HERE / "README.template.md", names())}
