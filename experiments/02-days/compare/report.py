# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: the tables."""


from desk.report.table import words_table

from . import results
from .plan import NOTE_CASES, SYSTEMS, TMM, USUAL_GB
from .runner import Row

MAX_RETURN_S = {"hdd": 1.0, "sata": 1.0, "nvme": 0.1, "zram": 0.1}
MIN_ORACLE_SHARE = 0.8


def number(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def memory_order(memory_mb: str) -> tuple[bool, float]:
    """The usual machine first."""
    return (float(memory_mb) != USUAL_GB * 1024, float(memory_mb))


def note_table(rows: list[Row]) -> str:
    lines = [[case.removeprefix("note-"), system, f"{float(row['limit_mean_mb']):.0f}", f"{int(row['misses']):,}", results.deciding_rule([row])]
             for case in NOTE_CASES for system in TMM for row in rows if (row["owner"], row["system"]) == (case, system)]
    return words_table([("case", "system", "limit, MB", "misses", "rule"), *lines])


def winners_table(rows: list[Row]) -> str:
    lines = []
    by_machine = results.groups(rows, "memory_mb", "owner", "store")
    for (memory_mb, owner, store), of in sorted(by_machine.items(), key=lambda item: memory_order(item[0][0])):
        found = results.points(of)
        over = results.peers_over_tmm(found)
        lines.append([f"{float(memory_mb) / 1024:g}", owner, store, ", ".join(results.front(found)),
                      *(", ".join(over[name]) or "none" if name in over else "-" for name in TMM)])
    return words_table([("GB", "owner", "store", "on the front", *(f"beat {name}" for name in TMM)), *lines])


def systems_table(rows: list[Row]) -> str:
    """The usual machine: a line for each owner, store and system."""
    lines = []
    shown = [row for row in rows if float(row["memory_mb"]) == USUAL_GB * 1024]
    for (owner, store, system), of in results.groups(shown, "owner", "store", "system").items():
        late = results.mean_of(of, "return_p95_s")
        lines.append([owner, store, system, f"{results.mean_of(of, 'donated_mean_mb') / 1024:.1f}",
                      f"{100 * results.mean_of(of, 'oracle_share'):.0f} %",
                      *(number(results.mean_of(of, column)) for column in
                        ("waited_s_per_day", "waited_worst_minute_s", "return_median_s")),
                      number(late) + ("" if late <= MAX_RETURN_S[store] else " (!)"),
                      number(results.mean_of(of, "return_worst_s")), results.deciding_rule(of) if system in TMM else ""])
    return words_table([("owner", "store", "system", "given, GB", "of the oracle", "waiting, s a day", "worst minute, s", "return, median s",
                         "p95", "worst", "rule"), *lines])


def summary(rows: list[Row]) -> str:
    lines = []
    by_machine = results.groups(rows, "memory_mb", "owner", "store")
    for system in SYSTEMS:
        mine = [row for row in rows if row["system"] == system]
        if not mine:
            continue
        on_front = sum(system in results.front(results.points(of)) for of in by_machine.values())
        beaten = {name: sum(name in results.winners_over(results.points(of), system) for of in by_machine.values()) for name in SYSTEMS}
        worst = max(beaten, key=lambda name: beaten[name])
        near = sum(results.mean_of(of, "oracle_share") >= MIN_ORACLE_SHARE for of in results.groups(mine, "memory_mb", "owner", "store").values())
        prompt, possible = (sum(results.mean_of(of, column) <= MAX_RETURN_S[store]
                                for (_, _, store), of in results.groups(mine, "memory_mb", "owner", "store").items())
                            for column in ("return_p95_s", "oracle_return_p95_s"))
        lines.append([system, str(len(results.groups(mine, "memory_mb", "owner", "store"))), str(near), str(on_front), str(prompt), str(possible),
                      f"{100 * results.mean_of(mine, 'oracle_share'):.0f} %", f"{worst} ({beaten[worst]})" if beaten[worst] else "none"])
    return words_table([("system", "cases", "80 % of the oracle", "on the front", "p95 of returns kept", "by the oracle", "mean of the oracle",
                         "beaten most by"), *lines])


def text(rows: list[Row], command: str, pictures: list[str]) -> str:
    weeks = results.weeks(rows)
    notes = [row for row in rows if row["owner"] in NOTE_CASES]
    parts = [f"Made by `{command}`.\n"]
    if weeks:
        parts += ["## All weeks\n", summary(weeks), "## Who wins where\n", winners_table(weeks)]
        parts += [f"![Waiting against memory given]({name})\n" for name in pictures if name.endswith(".png")]
        parts += [f"## {USUAL_GB} GB\n", systems_table(weeks)] if any(float(row["memory_mb"]) == USUAL_GB * 1024 for row in weeks) else []
    if notes:
        parts += ["## The cases of the note\n", note_table(notes)]
    return "\n".join(parts)
