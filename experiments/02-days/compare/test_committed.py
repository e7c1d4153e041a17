#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The committed results: README.md, report.md and docs/policy.md say what results.csv says."""

import lzma
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from compare import plan, recorded_report, recording, report, results  # noqa: E402
from compare.runner import Row  # noqa: E402

README = HERE.parent / "README.md"
POLICY = HERE.parent.parent.parent / "docs" / "policy.md"
ROWS = results.read(HERE.parent / "results" / "results.csv")
EARLIER = results.read(HERE.parent / "results" / "earlier-objectives.csv")
RECORDING = HERE.parent / "results" / "recorded"
RECORDED = results.read(RECORDING / "results.csv")
USUAL_MB = str(plan.USUAL_GB * 1024)


def one(owner: str, memory_mb: str, store: str, system: str) -> Row:
    (found,) = [row for row in ROWS if (row["owner"], row["memory_mb"], row["store"], row["system"]) == (owner, memory_mb, store, system)]
    return found


def weeks(system: str, memory_mb: str) -> list[Row]:
    return [row for row in results.weeks(ROWS) if (row["system"], row["memory_mb"]) == (system, memory_mb)]


def given(row: Row) -> str:
    waited = float(row["waited_s_per_day"])
    return f"{float(row['donated_mean_mb']):,.0f} at {waited:,.{0 if waited >= 20 else 1}f}"


def share(row: Row) -> float:
    return float(row["oracle_share"])


def keeps_returns(row: Row) -> bool:
    return float(row["return_p95_s"]) <= report.MAX_RETURN_S[row["store"]]


def oracle_keeps_returns(row: Row) -> bool:
    """At the same waiting."""
    return float(row["oracle_return_p95_s"]) <= report.MAX_RETURN_S[row["store"]]


def is_on_the_front(row: Row) -> bool:
    rivals = [other for other in ROWS if all(other[key] == row[key] for key in ("owner", "memory_mb", "store"))]
    return row["system"] in results.front(results.points(rivals))


def table_of_weeks() -> list[str]:
    lines = []
    for owner in plan.OWNERS:
        for store in ("hdd", "nvme", "zram"):
            priority, reuse = (one(owner, USUAL_MB, store, system) for system in ("priority", "tmm-reuse"))
            lines.append(f"| {owner} | {store} | {given(priority)} | {given(reuse)} | {share(reuse):.0%} | "
                         f"{float(priority['return_p95_s']):.2f} s | {float(reuse['return_p95_s']):.2f} s |".replace("%", " %"))
    return lines


def table_of_sizes() -> list[str]:
    lines = []
    for memory_gb in sorted(plan.MACHINES_GB):
        reuse, priority = (weeks(system, str(memory_gb * 1024)) for system in ("tmm-reuse", "priority"))
        mean, of_priority = (sum(share(row) for row in rows) / len(rows) for rows in (reuse, priority))
        lines.append(f"| {memory_gb} GB | {mean:.0%} | {of_priority:.0%} | {sum(share(row) >= 0.8 for row in reuse)} | "
                     f"{sum(is_on_the_front(row) for row in reuse)} | {sum(keeps_returns(row) for row in reuse)} | "
                     f"{sum(oracle_keeps_returns(row) for row in reuse)} | {sum(keeps_returns(row) for row in priority)} |".replace("%", " %"))
    return lines


def table_of_cases() -> list[str]:
    lines = []
    for case in plan.NOTE_CASES:
        cells = [f"{float(row['limit_mean_mb']):.0f}, {int(row['misses']):,}" for row in
                 (one(case, str(round(plan.NOTE_GB * 1024)), "hdd", system) for system in ("tmm-paper", "tmm-reuse"))]
        lines.append(f"| {case.removeprefix('note-')} | {' | '.join(cells)} |")
    return lines


def share_and_front(rows: list[Row], system: str) -> tuple[str, str]:
    """The mean share of the oracle's donation, and the cases in which no system beats this one."""
    of = [row for row in rows if row["system"] == system]
    cases = results.groups(rows, "owner", "memory_mb", "store").values()
    return f"{sum(map(share, of)) / len(of):.0%}".replace("%", " %"), str(sum(system in results.front(results.points(case)) for case in cases))


def table_of_recorded() -> list[str]:
    kinds = (results.weeks(ROWS), *results.groups(RECORDED, "owner").values())
    return [f"| {system} | {' | '.join(cell for rows in kinds for cell in share_and_front(rows, system))} |" for system in plan.SYSTEMS]


class CommittedTest(unittest.TestCase):
    def expect_table(self, title: str, lines: list[str]) -> None:
        text = README.read_text(encoding="utf-8")
        found = re.search(r"^### " + re.escape(title) + r"\n.*?^\| --- .*?\n(.*?)^$", text, re.DOTALL | re.MULTILINE)
        self.assertIsNotNone(found, title)
        self.assertEqual(found.group(1).splitlines(), lines)

    def test_tables(self) -> None:
        self.expect_table("Weeks with 16 GB", table_of_weeks())
        self.expect_table("Other sizes of memory", table_of_sizes())
        self.expect_table("The six cases", table_of_cases())
        self.expect_table("A recorded desktop", table_of_recorded())

    def test_what_was_found(self) -> None:
        text = " ".join(README.read_text(encoding="utf-8").split())
        reuse, priority = ([row for row in results.weeks(ROWS) if row["system"] == system] for system in ("tmm-reuse", "priority"))
        late = [row for row in reuse if not keeps_returns(row)]
        neither = [row for row in reuse if share(row) < report.MIN_ORACLE_SHARE and not is_on_the_front(row)]
        names = "; ".join(f"{row['owner']}, {int(row['memory_mb']) // 1024} GB, {row['store']}" for row in neither)
        beaten = [row for row in weeks("tmm-reuse", USUAL_MB) if row["store"] != "sata"
                  and results.beats(*(results.points([of])[of["system"]] for of in (row, one(row["owner"], USUAL_MB, row["store"], "priority"))))
                  and float(row["waited_s_per_day"]) < float(one(row["owner"], USUAL_MB, row["store"], "priority")["waited_s_per_day"])]
        by_owner = results.groups(beaten, "owner")
        where = ", ".join(f"{owner} on {', '.join(row['store'] for row in of)}".replace(", zram", " and zram") for (owner,), of in by_owner.items())
        (of_stall,) = [row for row in EARLIER if (row["owner"], row["system"]) == ("note-nightly", "tmm-stall")]
        for said in (f"In {len(neither)} of {len(reuse)} cases neither holds: {names}.",
                     f"keep their aim in {sum(map(keeps_returns, reuse))} of {len(reuse)} cases, and in "
                     f"{sum(map(keeps_returns, priority))} with `priority`",
                     f"In {len(late) - sum(map(oracle_keeps_returns, late))} of the {len(late)} other cases the oracle misses it",
                     f"in {sum(keeps_returns(row) and not oracle_keeps_returns(row) for row in reuse)} cases in which the oracle does not",
                     f"where that priority evicts what is dear: {where}.",
                     f"`tmm-stall` kept less there, {float(of_stall['limit_mean_mb']):.0f} MB, and had {int(of_stall['misses']):,}."):
            self.assertIn(said, text)

    def test_the_policys_cases(self) -> None:
        text = POLICY.read_text(encoding="utf-8")
        for line in table_of_cases():
            case, paper, reuse = line.strip("| ").split(" | ")
            in_mb = (cell.replace(", ", " MB, ", 1) for cell in (reuse, paper))
            self.assertRegex(text, rf"(?m)^\| {case} \| [^|]* \| {' [|] '.join(in_mb)} \|$")

    def test_the_policys_page(self) -> None:
        text = " ".join(POLICY.read_text(encoding="utf-8").split())
        usual = weeks("tmm-reuse", USUAL_MB)
        shares = [share(row) for row in usual]
        front = sum(is_on_the_front(row) for row in usual)
        self.assertIn(f"{min(shares):.0%} to {max(shares):.0%} of the donation of an oracle".replace("%", " %").replace(" % to", " to"), text)
        self.assertIn(f"In {front} of {len(usual)} cases of owner and store no other system beat it", text)
        as_it_was, longer = results.groups(RECORDED, "owner").values()
        fronts = sum(int(share_and_front(rows, "tmm-reuse")[1]) for rows in (as_it_was, longer))
        self.assertIn(f"it gave {share_and_front(as_it_was, 'tmm-reuse')[0]} of the oracle's donation, and "
                      f"{share_and_front(longer, 'tmm-reuse')[0]} in a day ten times as long. In {fronts} of 32 cases of memory", text)

    def test_what_the_recording_showed(self) -> None:
        text = " ".join(README.read_text(encoding="utf-8").split())
        as_it_was, longer = results.groups(RECORDED, "owner").values()
        cases = [results.points(case) for case in results.groups(as_it_was, "memory_mb", "store").values()]
        beaten = sum("senpai" in results.winners_over(case, "tmm-reuse") for case in cases)
        lines = lzma.decompress((RECORDING / "trace.xz").read_bytes()).decode("ascii").splitlines(keepends=True)
        spans = recording.read_diary((RECORDING / "diary.csv").read_text(encoding="ascii"))
        for said in (f"`tmm-reuse` is on the front in {share_and_front(longer, 'tmm-reuse')[1]} of {len(cases)} cases",
                     f"`tmm-reuse` gives {share_and_front(as_it_was, 'tmm-reuse')[0]} of the oracle's donation, "
                     f"and `senpai` beats it in {beaten} of {len(cases)}.", f"at most {recording.most_mb(lines):.0f} MB",
                     f"has {sum(span.minutes for span in spans)} minutes of Firefox",
                     f"There `tmm-reuse` gives {share_and_front(results.weeks(ROWS), 'tmm-reuse')[0]}."):
            self.assertIn(said, text)
        ours = [row for row in RECORDED if row["system"] == "tmm-reuse"]
        self.assertEqual(sum(map(keeps_returns, ours)), 32, "the text says all 32")
        self.assertGreaterEqual(min(share(row) for row in longer if row["system"] == "tmm-reuse"), report.MIN_ORACLE_SHARE)
        waiting = [(row["memory_mb"], row["store"], float(row["waited_s_per_day"])) for row in longer if row["system"] == "tmm-reuse"]
        for memory_mb, store, waited in waiting:
            (of_age,) = [row for row in longer if (row["memory_mb"], row["store"], row["system"]) == (memory_mb, store, "age-2m")]
            self.assertGreater(float(of_age["waited_s_per_day"]), 5 * waited)

    def test_report_of_the_recording(self) -> None:
        committed = (RECORDING / "report.md").read_text(encoding="utf-8")
        command = re.match(r"Made by `(.*?)`", committed)
        self.assertIsNotNone(command)
        lines = lzma.decompress((RECORDING / "trace.xz").read_bytes()).decode("ascii").splitlines(keepends=True)
        spans = recording.read_diary((RECORDING / "diary.csv").read_text(encoding="ascii"))
        self.assertEqual(recorded_report.text(RECORDED, command.group(1), spans, recording.most_mb(lines), recording.unit_kb(lines)), committed)

    def test_report(self) -> None:
        committed = (HERE.parent / "results" / "report.md").read_text(encoding="utf-8")
        command = re.match(r"Made by `(.*?)`", committed)
        self.assertIsNotNone(command)
        self.assertEqual(report.text(ROWS, command.group(1), []), committed)


if __name__ == "__main__":
    unittest.main()
